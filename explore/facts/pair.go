package facts

import "slices"

// Pair says whether two tasks of one actor commute: whether running them one right after the other
// gives the same in either order (Def. 4 and Theorem 2 of the paper named at Task). It speaks of
// two tasks that both run. First and Second index Behaviour.Tasks; they may be equal: two messages
// of one kind.
type Pair struct {
	First, Second int
	Conflicts     []Conflict `json:",omitempty"` // none: independent
	// locations that both change, or one reads and one changes, without a conflict: "Server.total
	// by +"
	Commuting []string `json:",omitempty"`
}

// Conflict is a reason why two tasks do not commute.
type Conflict struct {
	Kind    ConflictKind
	What    string  // the location, the channel or the operations
	First   Pos     // in the first task
	Second  Pos     // in the second
	Models  []Model `json:",omitempty"` // delivery models under which it counts; none: all
	Unless  []Atom  `json:",omitempty"` // if one of them holds, there is no conflict
	Comment string  `json:",omitempty"` // in words, what happens there
}

// ConflictKind is the kind of a reason.
type ConflictKind string

const (
	// both access a location, and the result depends on the order
	Memory    ConflictKind = "memory"
	SendOrder ConflictKind = "sends"   // both send, and somebody can tell the order
	Visible   ConflictKind = "visible" // both do something that others can notice
	// one accesses what other goroutines access, the other does what they notice
	SharedVar ConflictKind = "shared"
	Ending    ConflictKind = "ends"      // one may end the loop
	Anything  ConflictKind = "anything"  // one does something unknown
	Deferring ConflictKind = "deferring" // both defer calls, which run in the reverse order
)

// Model is a delivery model.
type Model string

const (
	GoModel    Model = "go"    // bounded channels, first in, first out
	ActorModel Model = "actor" // mailboxes are bags, sends never block
	PairsModel Model = "pairs" // first in, first out for each sender
)

// Verdict sums a pair up.
type Verdict string

const (
	Independent Verdict = "independent"
	Conditional Verdict = "commute when"
	Dependent   Verdict = "dependent"
)

// Under returns the conflicts that count under m.
func (p Pair) Under(m Model) []Conflict {
	var out []Conflict
	for _, c := range p.Conflicts {
		if len(c.Models) == 0 || slices.Contains(c.Models, m) {
			out = append(out, c)
		}
	}
	return out
}

// Verdict returns what holds under m.
func (p Pair) Verdict(m Model) Verdict {
	verdict := Independent
	for _, c := range p.Under(m) {
		if len(c.Unless) == 0 {
			return Dependent
		}
		verdict = Conditional
	}
	return verdict
}

// Commute reports whether tasks with these messages, the values that were sent, commute under m.
func (p Pair) Commute(m Model, first, second any) bool {
	return !slices.ContainsFunc(p.Under(m), func(c Conflict) bool {
		return !slices.ContainsFunc(c.Unless, func(a Atom) bool { return a.Holds(first, second) })
	})
}

// Behaviour is what one actor's tasks do.
type Behaviour struct {
	Actor string // package, dot, Actor.Name
	Tasks []Task // parallel to Actor.Handlers
	Pairs []Pair // every two handlers, in order
}

// Pair returns the pair of handlers i and j, in any order; flipped says that the result has them
// the other way.
func (b Behaviour) Pair(i, j int) (p Pair, flipped bool) {
	flipped = i > j
	if flipped {
		i, j = j, i
	}
	k := slices.IndexFunc(b.Pairs, func(p Pair) bool { return p.First == i && p.Second == j })
	return b.Pairs[k], flipped
}
