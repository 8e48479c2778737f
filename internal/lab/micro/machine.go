package micro

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Machine runs a program. It implements explore.Executor.
type Machine struct {
	MaxSteps int // 0: no bound

	p       *Program
	objects []object
	procs   []*process
	pool    []*process
	x       trace.Execution
	state   trace.State
	scene   primitive.Scene[int]
	log     int32 // the object of the log
	ended   bool
}

// object is the state of any object.
type object struct {
	primitive.Object[int]
	mail    []trace.Message // of a mailbox: the name of each value in Buf
	entries [4]int          // of a map, by key; 0: there is none
	stream  stream.State
}

type process struct {
	code    int // index in Program.Procs
	pc      int
	op      trace.Op
	val     int   // to be sent by a plain send
	cases   []int // to be sent by the cases of a select
	caseOps []trace.Case
	seen    []int // observed
	sum     int   // of what has been received and not observed yet
	group   int32 // of the receives that add up; 0: none is under way
	path    string
	kids    int
	posts   int32 // messages put into mailboxes
	parent  int32
	twin    int32 // see trace.Proc
	moved   bool  // it has had an event
	parted  bool  // it had none when it started another process
	born    int32
	ended   bool
	inside  bool       // it has done nothing but inner operations since it has entered
	pending trace.Kind // a second operation of the same statement: WWait, OnceDone
	panics  string     // the text of a panic that it has not recovered; empty: there is none
	exits   bool       // it is about to end the program
	status  int        // with this exit status
}

// New returns a machine for p.
func New(p *Program) *Machine {
	m := &Machine{p: p, log: int32(len(p.Objects))}
	m.scene.Object = func(obj int32) *primitive.Object[int] { return &m.object(obj).Object }
	m.scene.Mail = m.mail
	m.scene.Shut = m.shut
	return m
}

// Execute implements explore.Executor.
func (m *Machine) Execute(c trace.Chooser, _ bool) *trace.Execution {
	m.reset()
	for i := range m.p.Procs {
		if !m.p.Procs[i].Spawned {
			m.spawn(-1, i, fmt.Sprint(i))
		}
	}
	for !m.ended && m.step(c) {
	}
	m.summarise()
	return &m.x
}

func (m *Machine) reset() {
	if m.objects == nil {
		m.objects = make([]object, len(m.p.Objects))
	}
	for i := range m.objects {
		o := &m.objects[i]
		o.Reset()
		o.stream.Reset()
		o.mail, o.entries = o.mail[:0], [4]int{}
	}
	m.procs = m.procs[:0]
	m.state.Last, m.state.Procs, m.state.Twins, m.ended = -1, m.state.Procs[:0], m.state.Twins[:0],
		false
	m.x = trace.Execution{Events: m.x.Events[:0], Procs: m.x.Procs[:0], Blocked: m.x.Blocked[:0],
		Log: m.x.Log[:0], Inner: m.x.Inner[:0]}
}

var paths = map[string][]string{} // interned paths of children

func childPath(parent string, n int) string {
	for len(paths[parent]) <= n {
		paths[parent] = append(paths[parent], fmt.Sprintf("%s.%d", parent, len(paths[parent])))
	}
	return paths[parent][n]
}

func (m *Machine) spawn(parent int32, code int, path string) {
	i := len(m.procs)
	if i == len(m.pool) {
		m.pool = append(m.pool, &process{})
	}
	q := m.pool[i]
	m.procs = append(m.procs, q)
	*q = process{code: code, path: path, parent: parent, born: int32(len(m.x.Events)),
		cases: q.cases[:0], caseOps: q.caseOps[:0], seen: q.seen[:0]}
	m.state.Procs = append(m.state.Procs, nil)
	q.twin = m.twinOf(q, i)
	q.inside = parent >= 0 && m.p.Procs[code].Inner
	m.state.Twins = append(m.state.Twins, q.twin)
	m.run(int32(i))
}

// twinOf is trace.Proc.Twin of q, process i: those of one parent that run the same code are twins.
func (m *Machine) twinOf(q *process, i int) int32 {
	for k := i - 1; k >= 0 && q.parent >= 0; k-- {
		if p := m.procs[k]; p.parent == q.parent && p.code == q.code {
			if p.parted {
				return 0
			}
			return int32(k) + 1
		}
	}
	return 0
}

// run lets process i go on to its next visible operation.
func (m *Machine) run(i int32) {
	for !m.ended {
		q := m.procs[i]
		code := m.p.Procs[q.code].Code
		if q.group > 0 && (q.pc >= len(code) || code[q.pc].Group != q.group) {
			q.seen, q.sum, q.group = append(q.seen, q.sum), 0, 0
		}
		if q.exits || q.pc >= len(code) && q.panics != "" {
			q.op = trace.Op{Kind: trace.Stop, Obj: -1}
			m.state.Procs[i] = &q.op
			return
		}
		if q.pc >= len(code) {
			q.ended, q.op, m.state.Procs[i] = true, trace.Op{}, nil
			return
		}
		s := &code[q.pc]
		if s.Kind != trace.None {
			m.declare(q, s)
			q.op.Side, q.inside = s.Side, q.inside && s.Side.IsInside()
			if s.Side.IsInside() && !q.inside {
				q.op.Side = trace.Inner
			}
			m.state.Procs[i] = &q.op
			return
		}
		q.pc++
		m.local(i, s)
	}
}

func (m *Machine) local(i int32, s *Stmt) {
	q := m.procs[i]
	switch s.Word {
	case "panic":
		m.panics(q, s.Text)
	case "recover":
		q.seen, q.panics = append(q.seen, truth(q.panics != "")), ""
	case "exit":
		q.exits, q.status = true, s.N
	case "go":
		q.kids++
		if !q.moved {
			q.parted, q.twin, m.state.Twins[i] = true, 0, 0
		}
		m.spawn(i, s.Skip, childPath(q.path, q.kids-1))
	case "if":
		if len(q.seen) == 0 || q.seen[len(q.seen)-1] != s.N {
			q.pc += s.Skip
		}
	}
}

// panics makes q panic with a text: it goes on at its next "defer".
func (m *Machine) panics(q *process, text string) {
	code := m.p.Procs[q.code].Code
	for q.pc < len(code) && code[q.pc].Word != "defer" {
		q.pc++
	}
	q.panics, q.pending = text, trace.None
}

// stop ends the execution because of what process i has come to.
func (m *Machine) stop(i int32) {
	if q := m.procs[i]; q.exits {
		m.ended, m.x.End, m.x.ExitCode = true, trace.Exited, q.status
	} else {
		m.crash(i, q.panics)
	}
}

func (m *Machine) crash(i int32, text string) {
	m.ended, m.x.End, m.x.Crash = true, trace.Crashed, &trace.Crash{Proc: i, Text: text}
}

func (m *Machine) declare(q *process, s *Stmt) {
	q.op = trace.Op{Kind: s.Kind, Obj: s.Obj, N: int32(s.N), Default: s.Default}
	switch {
	case s.Kind.OfStream():
		q.op.Cap = s.Cap
	case q.pending != trace.None:
		q.op.Kind = q.pending
	case s.Kind == trace.Log:
		q.op.Obj = m.log
	case s.Kind == trace.Select:
		q.cases, q.caseOps = q.cases[:0], q.caseOps[:0]
		for j := range s.Cases {
			c := &s.Cases[j]
			q.cases = append(q.cases, q.value(c))
			q.caseOps = append(q.caseOps, trace.Case{Kind: c.Kind, Obj: c.Obj, Cap: m.capOf(c.Obj)})
		}
		q.op.Cases = q.caseOps
	case s.Kind == trace.WgAdd:
		q.op.Cap = m.capOf(s.Obj)
	default:
		q.val, q.op.N = q.value(s), 0
		q.op.Cap = m.capOf(s.Obj)
		switch s.Kind {
		case trace.Send:
			q.op.N = int32(q.val) + 2 // what a process observes is at least -1
		case trace.Recv:
			q.op.N = s.Group
		case trace.AtomicUpdate:
			q.op.N, q.op.Cap = s.Blind, s.Key
		case trace.AtomicLoad:
			q.op.Cap = s.Key
		case trace.AtomicStore:
			if q.op.N = trace.Sealed; m.p.Objects[s.Obj].Type == "flag" {
				q.op.N, q.op.Cap = 0, trace.ValueKey(uint64(q.val))
			}
		}
	}
}

func (m *Machine) capOf(obj int32) int32 {
	if obj < 0 {
		return 0
	}
	return m.p.Objects[obj].Cap
}

func (q *process) value(s *Stmt) int {
	if s.Last && len(q.seen) > 0 {
		return q.seen[len(q.seen)-1]
	}
	return s.N
}

// step makes and applies one choice; false when there is none left.
func (m *Machine) step(c trace.Chooser) bool {
	m.scene.Ops = m.state.Procs
	m.alternatives()
	switch {
	case len(m.state.Alts) == 0:
		m.x.End = trace.Quiet
		return false
	case m.MaxSteps > 0 && len(m.x.Events) >= m.MaxSteps:
		m.x.End = trace.Steps
		for _, a := range m.state.Alts {
			m.x.Enabled = append(m.x.Enabled, a.Proc)
		}
		return false
	}
	m.state.Depth, m.state.Events = len(m.x.Events), m.x.Events
	m.state.Objects = math.MaxInt32 // all are as old as the program
	m.atOnce()
	i := c.Choose(&m.state)
	if i < 0 {
		m.x.End = trace.Cut
		return false
	}
	m.apply(m.state.Alts[i])
	return true
}

func (m *Machine) summarise() {
	for i := range m.procs {
		q := m.procs[i]
		m.x.Procs = append(m.x.Procs, trace.Proc{Path: q.path, Name: m.p.Procs[q.code].Name,
			Parent: q.parent, Born: q.born, Ended: q.ended, Twin: q.twin, Pending: q.op})
		if !q.ended && m.x.End == trace.Quiet {
			m.x.Blocked = append(m.x.Blocked, int32(i))
		}
	}
	m.x.MainDone = m.procs[0].ended
}

// Observed describes all that the last execution let its processes see, and how it ended. In which
// order they were started nobody sees.
func (m *Machine) Observed() string {
	var b strings.Builder
	for _, q := range slices.SortedFunc(slices.Values(m.procs), func(a, b *process) int {
		return strings.Compare(a.path, b.path)
	}) {
		fmt.Fprintf(&b, "%s%v", q.path, q.seen)
		if !q.ended {
			b.WriteString("!")
		}
		b.WriteString(" ")
	}
	if m.x.Crash != nil {
		fmt.Fprintf(&b, "panic %s", m.x.Crash.Text)
	}
	fmt.Fprint(&b, m.x.Log, m.x.ExitCode)
	return b.String()
}

// Look identifies the present state, the numbers of all that there is included. See revisit.Look.
func (m *Machine) Look() (state [16]byte, why string) {
	h := fnv.New128a()
	for i := range m.objects {
		o := m.objects[i]
		var mail []string
		for k, name := range o.mail {
			mail = append(mail, fmt.Sprint(name, o.Buf[k]))
		}
		if slices.Sort(mail); len(mail) > 0 {
			o.Buf, o.mail = nil, nil
		}
		fmt.Fprintln(h, o, mail)
	}
	for i, q := range m.procs {
		fmt.Fprintln(h, q.code, q.pc, m.state.Procs[i] != nil, q.op.Kind, q.seen, q.sum, q.group,
			q.path,
			q.kids, q.posts, q.ended, q.pending, q.panics, q.exits, q.status)
	}
	fmt.Fprintln(h, m.x.Log)
	h.Sum(state[:0])
	return state, ""
}

// Unnamed is Observed without the identity of twins: the observations of twins, and of processes
// that they have started, are listed in no order.
func (m *Machine) Unnamed() string {
	var b strings.Builder
	b.WriteString(m.family(-1))
	if m.x.Crash != nil {
		fmt.Fprintf(&b, "%s: panic %s", m.p.Procs[m.procs[m.x.Crash.Proc].code].Name,
			m.x.Crash.Text)
	}
	fmt.Fprint(&b, m.x.Log, m.x.ExitCode)
	return b.String()
}

// family describes what the processes that parent has started, and those that they have, saw.
func (m *Machine) family(parent int32) string {
	var list []string
	for i, q := range m.procs {
		if q.parent == parent {
			list = append(list, fmt.Sprint(m.p.Procs[q.code].Name, q.seen, q.ended,
				m.family(int32(i))))
		}
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}
