package blocking

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// edge is a lock that a root function asks for while it has another one.
type edge struct {
	root       *ssa.Function
	held, want taking
	answers    map[string]int // the decisions that lead there, by name
	started    bool           // it is asked for by a goroutine that the function has started
}

// taking is a lock of others that a function takes, or a channel or group that it waits for, or
// that somebody waits for until the function does something. In an edge, held is the zero value if
// the function has nothing before.
type taking struct {
	field types.Object // the field or variable that it is
	path  string       // its name in the machine
	made  bool         // the function has made it
	base  *heap.Sym    // the pointer to what has the field; nil: a variable
	read  bool
	pos   token.Pos
	waits trace.Kind // what it waits to do: Send, Recv or WgWait; None: it takes a lock
	owes  trace.Kind // what others wait for, which do Send, Recv or WgWait; None: it has a lock
}

// maxEdges bounds the edges of one root function.
const maxEdges = 200

// without returns a list without the first lock that is t's. It leaves the list as it is.
func without(list []taking, t taking) []taking {
	i := slices.IndexFunc(list,
		func(h taking) bool { return h.path == t.path && h.field == t.field })
	if i < 0 {
		return list
	}
	return append(list[:i:i], list[i+1:]...)
}

// noteEdges notes which locks an execution takes, and which it has by then. The locks of an
// execution that was cut short count, too.
func (s *scope) noteEdges(m *machine.Machine, x *trace.Execution) {
	held, taken := map[int32][]taking{}, map[int32][]taking{}
	notes := 0
	for i, e := range x.Events {
		for ; notes < len(m.Notes) && m.Notes[notes].Event <= i; notes++ {
			s.passed(m, m.Notes[notes], held, taken)
		}
		o := m.Steps[i].Obj
		if o == nil || o.Field == nil {
			continue
		}
		t := taking{made: !o.Foreign, field: o.Field, path: o.Path, base: o.Base,
			read: e.Kind == trace.RLock, pos: m.Steps[i].Pos}
		switch e.Kind {
		case trace.Lock, trace.WLock, trace.RLock:
			s.addEdge(taking{}, t, m, i)
			s.addEdges(held[e.Proc], t, m, i)
			held[e.Proc] = append(held[e.Proc], t)
			taken[e.Proc] = append(taken[e.Proc], t)
		case trace.WgWait:
			t.waits = trace.WgWait
			s.addEdges(held[e.Proc], t, m, i)
		case trace.WgAdd:
			if e.Op.N < 0 {
				s.owing(taken[e.Proc], t, trace.WgWait, m, i)
			}
		case trace.Close:
			s.owing(taken[e.Proc], t, trace.Recv, m, i)
		case trace.Unlock, trace.WUnlock, trace.RUnlock:
			held[e.Proc] = without(held[e.Proc], t)
		}
	}
	for _, n := range m.Notes[notes:] {
		s.passed(m, n, held, taken)
	}
}

// passed looks at an operation on a channel or group of others.
func (s *scope) passed(m *machine.Machine, n machine.Note, held, taken map[int32][]taking) {
	t := taking{field: n.Field, path: n.Path, base: n.Base, pos: n.Pos}
	switch n.Kind {
	case trace.Send, trace.Recv:
		t.waits = n.Kind
		s.addEdges(held[n.Proc.ID], t, m, n.Event)
	case trace.WgAdd:
		s.owing(taken[n.Proc.ID], t, trace.WgWait, m, n.Event)
	case trace.Close:
		s.owing(taken[n.Proc.ID], t, trace.Recv, m, n.Event)
	}
	if n.Proc.ID == 0 && n.Kind != trace.WgAdd && n.Kind != trace.Close {
		s.used(t)
	}
}

// used notes that the root function communicates on a channel of others.
func (s *scope) used(t taking) {
	if !slices.ContainsFunc(s.uses, func(u taking) bool { return u.field == t.field }) {
		s.uses = append(s.uses, t)
	}
}

// owing notes that a process, before it does what others wait for, takes locks.
func (s *scope) owing(taken []taking, t taking, owes trace.Kind, m *machine.Machine, n int) {
	t.owes = owes
	for _, lock := range taken {
		s.addEdge(t, lock, m, n)
	}
}

// addEdges notes an edge for each lock that a process has.
func (s *scope) addEdges(held []taking, want taking, m *machine.Machine, n int) {
	for _, h := range held {
		s.addEdge(h, want, m, n)
	}
}

// addEdge notes an edge, with the decisions before event n.
func (s *scope) addEdge(held, want taking, m *machine.Machine, n int) {
	at := [2]token.Pos{held.pos, want.pos}
	if s.seen[at] || len(s.edges) >= maxEdges {
		return
	}
	if s.seen == nil {
		s.seen = map[[2]token.Pos]bool{}
	}
	s.seen[at] = true
	answers := map[string]int{}
	for _, st := range m.Steps[:n] {
		if st.Decision != nil {
			answers[st.Decision.Name] = st.Decision.Answer(st.Choice)
		}
	}
	started := n < len(m.Steps) && m.Steps[n].Proc.ID != 0
	s.edges = append(s.edges, edge{s.root, held, want, answers, started})
}

// answersAs are the answers of a function that runs as root number n.
func (e *edge) answersAs(n int) map[string]int {
	if n == 0 {
		return maps.Clone(e.answers)
	}
	out := map[string]int{}
	for name, choice := range e.answers {
		out[machine.DecisionOf(n, name)] = choice
	}
	return out
}
