package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// station is a state on the path of the current execution.
type station struct {
	alts []trace.Alt // enabled; for a wide station only during its Choose
	// of the operation that Proc of each had declared; none for a wide station
	kinds     []trace.Kind
	count     int // of enabled alternatives
	fires     int // of them, at the end, those that are Late: firings of timers above all
	index     int // of the one taken, or unknown
	taken     trace.Alt
	takenKind trace.Kind     // None if it is not known
	todo      bool           // of a wide station: something may be left
	enabled   search.Procset // processes that take part in an alternative
	held      search.Held    // for a wide station only during its Choose
	backtrack search.Procset // processes all whose alternatives are to be explored
	sleep     []*sleeper     // explored before, and nothing dependent has happened since
	done      []*sleeper     // explored here
	node      bool           // what is explored here is not decided by this search: see Item
	ended     []int32        // of a node: see Level.Ends
}

// reset makes n the station of state s.
func (n *station) reset(s *trace.State) {
	n.backtrack = n.backtrack.Empty(len(s.Procs))
	n.sleep, n.done, n.todo = n.sleep[:0], n.done[:0], false
	n.forget()
	n.see(s)
	n.enabled = n.enabled.Takers(n.alts, len(s.Procs))
}

// see takes down the alternatives of s; forget drops them if they are many.
func (n *station) see(s *trace.State) {
	n.count, n.fires = len(s.Alts), search.LateOnes(s)
	n.kinds = n.kinds[:0]
	if n.wide() {
		n.alts = s.Alts
		return
	}
	n.alts = append(n.alts[:0], s.Alts...)
	for _, a := range n.alts {
		n.kinds = append(n.kinds, s.Procs[a.Proc].Kind)
	}
}

func (n *station) wide() bool { return n.count > search.Wide }

func (n *station) forget() {
	if n.wide() {
		n.alts = nil
	}
}

// lost reports whether an alternative that should be explored was, or may have been, held back.
func (n *station) lost() bool {
	if !n.held.Any() || n.wide() {
		return n.held.Any()
	}
	for i, a := range n.alts {
		if n.held.Has(i) && n.wants(a) && !contains(n.sleep, a) {
			return true
		}
	}
	return false
}

// lighter returns the partner of a that takes part in fewer alternatives.
func (n *station) lighter(a trace.Alt) int32 {
	if a.Partner < 0 {
		return a.Proc
	}
	balance := 0
	for _, b := range n.alts {
		if b.Involves(a.Proc) {
			balance++
		}
		if b.Involves(a.Partner) {
			balance--
		}
	}
	if balance > 0 {
		return a.Partner
	}
	return a.Proc
}

// take chooses alternative i.
func (n *station) take(i int) {
	n.index, n.taken, n.takenKind = i, n.alts[i], trace.None
	if i < len(n.kinds) {
		n.takenKind = n.kinds[i]
	}
	search.Alone(n.alts, n.taken, n.add)
}

// add puts process p into the backtrack set.
func (n *station) add(p int32) {
	n.backtrack.Add(p)
	n.todo = true
}

// addAll asks for all enabled alternatives.
func (n *station) addAll() {
	n.backtrack.AddAll(n.enabled)
	n.todo = true
}

// ends reports whether an alternative of process q sleeps at n, and would end the execution.
func (n *station) ends(q int32) bool {
	return slices.Contains(n.ended, q) ||
		slices.ContainsFunc(n.sleep, func(z *sleeper) bool {
			return z.Final && z.Event.Involves(q)
		})
}

// advance moves n to an alternative that is still to be explored, and reports whether there is one,
// or may be.
func (n *station) advance() bool {
	if n.wide() && n.alts == nil {
		n.index = search.Unknown
		return n.todo
	}
	i := n.next()
	if i >= 0 {
		n.take(i)
	}
	return i >= 0
}

// resolve picks the alternative of a wide station, whose state is s, and reports whether there is
// one.
func (n *station) resolve(s *trace.State) bool {
	n.see(s)
	defer n.forget()
	if n.todo = n.advance(); n.todo {
		n.todo = n.next() >= 0
		return true
	}
	return false
}

// next returns an alternative that is still to be explored, -1 if there is none.
func (n *station) next() int {
	for i := range n.alts {
		if n.open(i) {
			return i
		}
	}
	return -1
}

// open reports whether alternative i is still to be explored.
func (n *station) open(i int) bool {
	a := n.alts[i]
	return i != n.index && n.wants(a) && !contains(n.done, a) && !contains(n.sleep, a) &&
		!n.held.Has(i)
}

// planned counts the alternatives that are still to be explored.
func (n *station) planned() (sum int) {
	for i := range n.alts {
		if n.open(i) {
			sum++
		}
	}
	if n.alts == nil && n.todo {
		sum++
	}
	return sum
}

// wants reports whether a is, or has been, to be explored. It does not look at the sleep set.
func (n *station) wants(a trace.Alt) bool {
	return n.backtrack.Has(a.Proc) || n.backtrack.Has(a.Partner)
}

// matches reports whether s can be the state of n.
func (n *station) matches(s *trace.State) bool {
	return len(s.Alts) == n.count && s.Alts[n.index] == n.taken &&
		(n.takenKind == trace.None || s.Procs[n.taken.Proc].Kind == n.takenKind)
}
