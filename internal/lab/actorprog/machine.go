package actorprog

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Machine runs a program. It implements explore.Executor, transdpor.Tasks and stable.View.
type Machine struct {
	p      *Program
	model  int32 // trace.Bag or trace.Pairs
	actors []*Self
	ops    []trace.Op
	posts  []int32                  // messages sent, of each
	kinds  map[trace.Message]string // of all messages sent
	births []int32                  // events before each was made
	boxes  [][]letter
	x      trace.Execution
	state  trace.State
	Order  []string // the kinds of the messages taken in the last execution
}

type letter struct {
	name trace.Message
	msg  Msg
}

// New returns a machine for p, under a delivery model.
func New(p *Program, model int32) *Machine { return &Machine{p: p, model: model} }

// Execute implements explore.Executor.
func (m *Machine) Execute(c trace.Chooser, _ bool) *trace.Execution {
	m.actors, m.ops, m.posts, m.boxes, m.Order = nil, nil, nil, nil, nil
	m.x, m.kinds = trace.Execution{Events: m.x.Events[:0]}, map[trace.Message]string{}
	m.state = trace.State{Last: -1}
	m.add("", "0")
	m.p.Main(m.actors[0])
	m.declare(0)
	for m.step(c) {
	}
	for i, a := range m.actors {
		p := trace.Proc{Path: a.path, Parent: a.parent, Born: m.births[i],
			Ended:   m.state.Procs[i] == nil,
			Pending: m.ops[i]}
		m.x.Procs = append(m.x.Procs, p)
		if !p.Ended && m.x.End == trace.Quiet {
			m.x.Blocked = append(m.x.Blocked, int32(i))
		}
	}
	m.x.MainDone = true
	return &m.x
}

func (m *Machine) add(class, path string, refs ...int32) int32 {
	id := int32(len(m.actors))
	a := newSelf(id, class, path, refs)
	a.spawn = func(parent *Self, class string, refs ...int32) int32 {
		parent.kids++
		child := m.add(class, fmt.Sprintf("%s.%d", parent.path, parent.kids-1), refs...)
		m.actors[child].parent = parent.ID
		return child
	}
	m.actors, m.posts, m.boxes = append(m.actors, a), append(m.posts, 0), append(m.boxes, nil)
	m.ops, m.state.Procs = append(m.ops, trace.Op{}), append(m.state.Procs, nil)
	m.births = append(m.births[:id], int32(len(m.x.Events)))
	if class != "" {
		m.declare(id)
	}
	return id
}

// declare says what actor i does next.
func (m *Machine) declare(i int32) {
	switch a := m.actors[i]; {
	case len(a.sends) > 0:
		m.ops[i] = trace.Op{Kind: trace.Send, Obj: a.sends[0].to, Cap: m.model}
	case a.class == "" || a.over:
		m.ops[i], m.state.Procs[i] = trace.Op{}, nil
		return
	default:
		m.ops[i] = trace.Op{Kind: trace.Recv, Obj: i, Cap: m.model}
	}
	for k := range m.ops { // which may have moved
		if m.state.Procs[k] != nil {
			m.state.Procs[k] = &m.ops[k]
		}
	}
	m.state.Procs[i] = &m.ops[i]
}

// step makes one choice; false when there is none left.
func (m *Machine) step(c trace.Chooser) bool {
	m.state.Alts = nil
	for i, op := range m.state.Procs {
		switch {
		case op == nil:
		case op.Kind == trace.Send:
			m.state.Alts = append(m.state.Alts, trace.Alt{Proc: int32(i), Partner: -1})
		default:
			m.deliveries(int32(i))
		}
	}
	if len(m.state.Alts) == 0 {
		m.x.End = trace.Quiet
		return false
	}
	m.state.Depth, m.state.Events = len(m.x.Events), m.x.Events
	m.state.Objects = math.MaxInt32 // all are as old as the program
	i := c.Choose(&m.state)
	if i < 0 {
		m.x.End = trace.Cut
		return false
	}
	m.apply(m.state.Alts[i])
	return true
}

func (m *Machine) deliveries(i int32) {
	var senders []int32
	for _, l := range m.boxes[i] {
		if m.model == trace.Bag || !slices.Contains(senders, l.name.Sender) {
			m.state.Alts = append(m.state.Alts, trace.Alt{Proc: i, Partner: -1, Takes: l.name})
		}
		senders = append(senders, l.name.Sender)
	}
}

func (m *Machine) apply(a trace.Alt) {
	q := m.actors[a.Proc]
	e := trace.Event{Alt: a, Op: m.ops[a.Proc], Kind: m.ops[a.Proc].Kind, Obj: m.ops[a.Proc].Obj,
		Cap: m.model}
	m.state.Last = a.Proc
	if e.Kind == trace.Send {
		m.posts[a.Proc]++
		e.Seq = m.posts[a.Proc]
		m.x.Events = append(m.x.Events, e)
		m.boxes[e.Obj] = append(m.boxes[e.Obj],
			letter{trace.Message{Sender: a.Proc, Number: e.Seq}, q.sends[0].msg})
		m.kinds[trace.Message{Sender: a.Proc, Number: e.Seq}] = q.sends[0].msg.Kind
		q.sends = q.sends[1:]
	} else {
		e.Seq = a.Takes.Number
		m.x.Events = append(m.x.Events, e)
		i := m.find(a.Proc, a.Takes)
		l := m.boxes[a.Proc][i]
		m.boxes[a.Proc] = slices.Delete(m.boxes[a.Proc], i, i+1)
		m.Order = append(m.Order, l.msg.Kind)
		m.p.run(q, l.msg)
	}
	m.declare(a.Proc)
}

func (m *Machine) find(box int32, name trace.Message) int {
	return slices.IndexFunc(m.boxes[box], func(l letter) bool { return l.name == name })
}

// Look identifies the present state, the numbers of all that there is included. See revisit.Look.
func (m *Machine) Look() (state [16]byte, why string) {
	h := fnv.New128a()
	for i, a := range m.actors {
		fmt.Fprintln(h, a.path, a.class, a.N, a.R, a.kids, a.sends, m.posts[i])
		letters := slices.Clone(m.boxes[i])
		slices.SortFunc(letters, func(a, b letter) int {
			return cmp.Or(cmp.Compare(a.name.Sender, b.name.Sender),
				cmp.Compare(a.name.Number, b.name.Number))
		})
		fmt.Fprintln(h, letters)
	}
	h.Sum(state[:0])
	return state, ""
}

// Final describes all actors at the end of the last execution.
func (m *Machine) Final() string { return describe(m.actors) }

// Independent implements transdpor.Tasks.
func (m *Machine) Independent(_ *trace.State, a, b trace.Alt) (why handlers.Why, ok bool) {
	return why, m.p.Independent(m.model, m.actors[a.Proc].class, m.Kind(a), m.Kind(b))
}

// Kind returns the kind of the message that a takes.
func (m *Machine) Kind(a trace.Alt) string { return m.kinds[a.Takes] }

// Class implements stable.View.
func (m *Machine) Class(p int32) string { return m.actors[p].class }

// At implements stable.View.
func (m *Machine) At(*trace.State) {}

// Targets implements stable.View.
func (m *Machine) Targets(p int32, name trace.Message) []facts.Target {
	return []facts.Target{{Actor: m.actors[p].class, Handler: m.boxes[p][m.find(p, name)].msg.Kind}}
}

// Carries implements stable.View.
func (m *Machine) Carries(name trace.Message, a int32) bool {
	for _, box := range m.boxes {
		for _, l := range box {
			if l.name == name {
				return l.msg.Ref == a
			}
		}
	}
	return true
}

// Holds implements stable.View.
func (m *Machine) Holds(p, a int32) bool { return slices.Contains(m.actors[p].R[:], a) }

// Told implements stable.View.
func (m *Machine) Told(_, _ int32) bool { return true }
