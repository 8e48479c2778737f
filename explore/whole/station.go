package whole

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// station is a state in which there is a choice, on the path of the current execution.
type station struct {
	event     int          // number of events before it
	objects   int32        // numbers of objects, and of processes, from these on are new ones'
	procs     int32        //
	alts      []trace.Alt  // enabled
	kinds     []trace.Kind // of the operation that Proc of each had declared
	fires     int          // of them, at the end, those that are Late
	index     int          // of the one taken
	enabled   search.Procset
	backtrack search.Procset // processes all whose alternatives are to be explored
	held      search.Held
	sleep     []*sleeper // explored before, and nothing dependent has happened since
	done      []*sleeper // explored here
}

func newStation(s *trace.State) *station {
	n := &station{event: s.Depth, objects: s.Objects, procs: int32(len(s.Procs))}
	n.alts = slices.Clone(s.Alts)
	n.enabled, n.fires = n.enabled.Takers(n.alts, len(s.Procs)), search.LateOnes(s)
	n.backtrack = n.backtrack.Empty(len(s.Procs))
	for _, a := range n.alts {
		n.kinds = append(n.kinds, s.Procs[a.Proc].Kind)
	}
	return n
}

// again makes the choice that has been made before.
func (n *station) again(s *trace.State) int {
	if s.Depth != n.event || len(s.Alts) != len(n.alts) || s.Alts[n.index] != n.alts[n.index] ||
		s.Procs[n.alts[n.index].Proc].Kind != n.kinds[n.index] {
		want := search.Describe(n.alts[n.index], n.kinds[n.index])
		panic(explore.Mismatch{Depth: s.Depth, Want: want, Got: search.DescribeAll(s)})
	}
	return n.index
}

// fallAsleep computes the sleep set of a station to which the step from parent has led.
func (n *station) fallAsleep(parent *station, s *trace.State) {
	now := present(s, parent)
	for _, list := range [...][]*sleeper{parent.sleep, parent.done} {
		for _, z := range list {
			if !z.wokenBy(&now) && !(z.final && search.Rivalled(n.alts, z.alt)) {
				n.sleep = append(n.sleep, z)
			}
		}
	}
}

func (n *station) sleeps(a trace.Alt) bool {
	return slices.ContainsFunc(n.sleep, func(z *sleeper) bool { return z.alt == a })
}

// ends reports whether an alternative of process q sleeps that would end the execution.
func (n *station) ends(q int32) bool {
	return slices.ContainsFunc(n.sleep, func(z *sleeper) bool {
		return z.final && z.alt.Involves(q)
	})
}

// lost reports whether an alternative was held back that should be explored.
func (n *station) lost() bool {
	for i, a := range n.alts {
		if n.held.Has(i) && n.wants(a) && !n.sleeps(a) {
			return true
		}
	}
	return false
}

// take chooses alternative i.
func (n *station) take(i int) {
	n.index = i
	search.Alone(n.alts, n.alts[i], n.backtrack.Add)
}

// next returns an alternative that is still to be explored, -1 if there is none.
func (n *station) next() int {
	return slices.IndexFunc(n.alts, func(a trace.Alt) bool { return n.open(a) })
}

func (n *station) open(a trace.Alt) bool {
	i := slices.Index(n.alts, a)
	return i != n.index && n.wants(a) && !n.sleeps(a) && !n.held.Has(i) &&
		!slices.ContainsFunc(n.done, func(z *sleeper) bool { return z.alt == a })
}

func (n *station) planned() (sum int) {
	for _, a := range n.alts {
		if n.open(a) {
			sum++
		}
	}
	return sum
}

// wants reports whether a is, or has been, to be explored. It does not look at the sleep set.
func (n *station) wants(a trace.Alt) bool {
	return n.backtrack.Has(a.Proc) || n.backtrack.Has(a.Partner)
}
