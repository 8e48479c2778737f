// Package machine runs skeletons: an explore.Executor whose processes have frames, whose variables
// live on a heap, and whose unknown values are symbols.
//
// Vocabulary: an owned object was made by the code under test, a foreign one was there before; a
// decision is a branch on an unknown condition, which is an event of kind trace.Draw; an outsider
// is a process of the environment: a timer, or whoever ends a context. An execution that came to a
// bound is unfinished, and says why.
//
// Guarantees: the same choices give the same execution; one condition has one answer in an
// execution.
//
// LIMITS: reads and writes of variables happen together with the operation before them. Timers fire
// at any time, and contexts of callers end at any time; both happen sooner or later. What other
// packages' functions do is a table of names (library.go); an unknown function returns unknown
// values and keeps what it is given.
package machine

import (
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Config bounds executions.
type Config struct {
	Rounds int // of a loop without a known bound
	Events int // of an execution
	Instrs int // that an execution runs
	Depth  int // of calls
	// Answers of decisions that are not to be tried otherwise, by Decision.Name: see
	// Decision.Answer. ^n is any but n.
	Answers map[string]int
	// Late makes outsiders move only when nobody else can.
	Late bool
	// Beside are functions that are called at the same time as the root function, each by a process
	// of its own.
	Beside []*ssa.Function
	// Then is a method that the root process calls on what the root function returns; nil: none.
	Then *ssa.Function
	// Same says which unknown values are another one, by name: see Param.
	Same map[string]string
	// Owed are channels and groups of others, by name, that the functions under test alone act on.
	Owed map[string]Owed
}

// Owed is a channel that somebody is to close, or to take from or send to, or a group of which
// somebody is to be done.
type Owed struct {
	Count int       // of the group
	At    token.Pos // where whoever owes it waits, so that nobody does it
}

// Note is an operation on a channel or group of others that was passed over.
type Note struct {
	Proc  *Proc
	Kind  trace.Kind // Send, Recv, Close, WgAdd of less than nothing, or Select: a case of one
	Field types.Object
	Path  string
	Base  *Sym
	Pos   token.Pos
	Event int // how many events there were before
}

// Machine runs the function Root. It is one receiver with more methods than others, since each
// instruction, and each function of a library, may read and change all of an execution: processes,
// heap, assumptions, what is shared. The files are named after what their instructions do.
type Machine struct {
	Config
	Root *ssa.Function

	prog  *skeleton.Program
	x     trace.Execution
	state trace.State
	scene primitive.Scene[Value]

	Procs   []*Proc
	Objects []*Object
	Steps   []Step // one for each event
	Notes   []Note
	Shared  []Value   // what code that is not seen may hold
	Over    string    // why the execution is unfinished; empty: it is not
	Scaled  *Proc     // the process that has cut a counted loop short; nil: none has
	Crash   *Failure  // a panic that nobody has recovered
	Left    token.Pos // where the root function has returned
	Vague   bool      // a number that was computed from unknown ones was decided by itself

	syms        int
	names       map[string]Value  // unknown values by name
	terms       map[string]string // names of what is computed from unknown values
	known       map[string]Value  // what they are, if that has been decided
	answers     map[string]bool   // of conditions
	low, high   map[string]int64  // bounds of unknown integers
	globals     map[*ssa.Global]*Cell
	globalOrder []*Cell
	consts      map[*skeleton.Func][]Value
	decided     map[string]int // how often a decision of a name has been made
	instrs      int
	ended, gone bool // gone: Then was called
}

// Failure is a panic that ended an execution.
type Failure struct {
	Proc  *Proc
	Text  string
	Pos   token.Pos
	Obj   *Object
	Event int
}

// Step says what an event was.
type Step struct {
	Proc       *Proc
	Func       string
	Pos        token.Pos
	Obj        *Object
	Decision   *Decision // of a Draw
	Choice     int
	Partner    *Proc
	PartnerPos token.Pos
}

// Decision is a choice that the code leaves open.
type Decision struct {
	Name string // the same in all executions that come to it in the same way
	Pos  token.Pos
	Text []string    // what each choice assumes; empty: nothing
	At   []token.Pos // where a choice goes on, if that is a case of a select
	Cond Value
	// Equates says of each choice that it takes an unknown value to be a certain one.
	Equates []bool
}

// Answer names a choice: by where it goes on, if the number of choices may differ.
func (d *Decision) Answer(choice int) int {
	if choice < len(d.At) {
		return int(d.At[choice])
	}
	return choice
}

// Object is a channel or sync object.
type Object struct {
	primitive.Object[Value]
	ID      int32
	Class   trace.Class
	Cap     int32
	Foreign bool
	Ticks   bool  // a ticker sends to it
	Timed   bool  // a timer or the end of a context does
	Again   bool  // that it is closed again is no mistake: it belongs to a context
	Maker   *Proc // of an owned one
	Pos     token.Pos
	Born    int    // how many events had been done
	Name    string // of a foreign one
	// Field is the field or package-level variable that a foreign one is, Path its name within the
	// execution, and Base the pointer to what has the field; nil or empty if there is none.
	Field   types.Object
	Path    string
	Base    *Sym
	Holders []Hold
	Wanders bool // who unlocks it is not who has locked it
	Elem    types.Type
}

// Hold is a lock that is held.
type Hold struct {
	Proc *Proc
	Pos  token.Pos
	Read bool
}

// New returns a machine that runs root.
func New(prog *skeleton.Program, root *ssa.Function, c Config) *Machine {
	m := &Machine{Config: c, Root: root, prog: prog, consts: map[*skeleton.Func][]Value{},
		names: map[string]Value{}, terms: map[string]string{}, known: map[string]Value{},
		answers: map[string]bool{}, low: map[string]int64{}, high: map[string]int64{},
		decided: map[string]int{}, globals: map[*ssa.Global]*Cell{}}
	m.scene.Object = func(obj int32) *primitive.Object[Value] { return &m.Objects[obj].Object }
	return m
}

// Execute implements explore.Executor.
func (m *Machine) Execute(c trace.Chooser, _ bool) *trace.Execution {
	m.reset()
	for i, fn := range append([]*ssa.Function{m.Root}, m.Beside...) {
		m.enterRoot(m.spawn(nil, m.prog.Func(fn).Name, fn.Pos()), fn, i)
	}
	for _, p := range m.Procs[:1+len(m.Beside)] {
		m.advance(p)
	}
	for !m.ended && m.step(c) {
	}
	m.summarise()
	return &m.x
}

func (m *Machine) reset() {
	m.Procs, m.Objects, m.Steps, m.Shared, m.Notes = nil, nil, nil, nil, nil
	m.Left, m.Vague = token.NoPos, false
	m.Over, m.Scaled, m.Crash, m.ended, m.instrs, m.syms = "", nil, nil, false, 0, 0
	m.gone = false
	clear(m.names)
	clear(m.known)
	clear(m.answers)
	clear(m.terms)
	clear(m.low)
	clear(m.high)
	clear(m.decided)
	clear(m.globals)
	clear(m.consts)
	m.globalOrder = nil
	m.state = trace.State{Last: -1, Alts: m.state.Alts[:0]}
	m.x = trace.Execution{}
}

// object makes an object.
func (m *Machine) object(class trace.Class, capacity int32, by *Proc, pos token.Pos) *Object {
	o := &Object{ID: int32(len(m.Objects)), Class: class, Cap: capacity, Maker: by, Pos: pos,
		Born: len(m.x.Events)}
	m.Objects = append(m.Objects, o)
	return o
}

// synced returns the sync object that c is.
func (m *Machine) synced(c *Cell, class trace.Class, p *Proc) *Object {
	if c.obj == nil {
		c.obj = m.object(class, 0, p, c.pos)
		c.obj.Foreign, c.obj.Name = c.name != "", c.why
		c.obj.Field, c.obj.Path, c.obj.Base = c.field, c.name, c.base
		c.obj.Count = m.Owed[c.name].Count
	}
	return c.obj
}

// channel returns the channel that v is: nil for the nil channel, and a foreign one if v is
// unknown.
func (m *Machine) channel(v Value) *Object {
	switch v := v.(type) {
	case *Object:
		return v
	case *Sym:
		if v.obj == nil {
			v.obj = m.object(trace.Channel, 0, nil, v.Pos)
			_, owed := m.Owed[v.Name]
			v.obj.Foreign = !owed
			v.obj.Field, v.obj.Path, v.obj.Base = v.Field, v.Name, v.In
		}
		return v.obj
	}
	return nil
}

// note remembers an operation on what others have made.
func (m *Machine) note(p *Proc, kind trace.Kind, o *Object, pos token.Pos) {
	if o.Field != nil {
		m.Notes = append(m.Notes, Note{p, kind, o.Field, o.Path, o.Base, pos, len(m.x.Events)})
	}
}

// step makes and applies one choice; false when there is none left.
func (m *Machine) step(c trace.Chooser) bool {
	m.scene.Ops = m.state.Procs
	m.state.Alts = m.scene.Alternatives(m.state.Alts[:0])
	m.state.Alts = m.allowed(m.state.Alts)
	switch {
	case m.Over != "":
		m.x.End = trace.Steps
		return false
	case len(m.state.Alts) == 0:
		m.x.End = trace.Quiet
		return false
	case len(m.x.Events) >= m.Events:
		m.unfinished("an execution has too many steps")
		m.x.End = trace.Steps
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

// allowed drops the alternatives that the configuration excludes.
func (m *Machine) allowed(alts []trace.Alt) []trace.Alt {
	others := false
	out := alts[:0]
	for _, a := range alts {
		p := m.Procs[a.Proc]
		if p.op.Kind == trace.Draw && p.decision != nil {
			is := p.decision.Answer(int(a.Case))
			if want, ok := m.Answers[p.decision.Name]; ok &&
				(want >= 0) != (want == is || ^want == is) {
				continue
			}
		}
		others = others || !p.Outsider
		out = append(out, a)
	}
	if !m.Late || !others {
		return out
	}
	inner := out[:0]
	for _, a := range out {
		if !m.Procs[a.Proc].Outsider {
			inner = append(inner, a)
		}
	}
	return inner
}

// unfinished ends the execution because of a bound.
func (m *Machine) unfinished(why string) {
	if m.Over == "" {
		m.Over = why
	}
}

// apply takes one alternative.
func (m *Machine) apply(a trace.Alt) {
	p := m.Procs[a.Proc]
	m.x.Events = append(m.x.Events, trace.Event{Alt: a, Op: p.op, Kind: p.op.Kind, Obj: p.op.Obj,
		Cap: p.op.Cap})
	ev := &m.x.Events[len(m.x.Events)-1]
	primitive.KeepCases(&ev.Op)
	m.state.Last = a.Proc
	st := Step{Proc: p, Func: p.where(), Pos: p.pos, Decision: p.decision, Choice: int(a.Case)}
	var got Value
	ok, text, value := false, "", p.value
	if p.op.Kind == trace.Select {
		if ev.Case < 0 {
			ev.Kind, ev.Obj = trace.Default, -1
		} else {
			c := ev.Op.Cases[ev.Case]
			ev.Kind, ev.Obj, ev.Cap = c.Kind, c.Obj, c.Cap
			value, st.Pos = p.values[ev.Case], p.casePos[ev.Case]
		}
	}
	var partner *Proc
	switch {
	case ev.Kind == trace.Default || ev.Kind.Hidden() || ev.Kind == trace.Yield:
	case a.Partner >= 0:
		partner = m.Procs[a.Partner]
		ev.PartnerOp = partner.op
		primitive.KeepCases(&ev.PartnerOp)
		st.Partner, st.PartnerPos = partner, partner.pos
		if partner.op.Kind == trace.Select {
			st.PartnerPos = partner.casePos[a.PartnerCase]
		}
	case primitive.IsComm(ev.Kind):
		got, ok, text = m.Objects[ev.Obj].Transfer(ev, value)
	default:
		text = m.sync(p, ev)
	}
	if ev.Obj >= 0 {
		st.Obj = m.Objects[ev.Obj]
	}
	m.Steps = append(m.Steps, st)
	if text != "" {
		m.fails(p, ev, text)
		return
	}
	m.resume(p, ev, int(a.Case), got, ok)
	if partner != nil {
		m.resume(partner, ev, int(a.PartnerCase), value, true)
	}
	m.advance(p)
	if partner != nil {
		m.advance(partner)
	}
}

// fails makes p panic because of what ev did.
func (m *Machine) fails(p *Proc, ev *trace.Event, text string) {
	f := &Failure{Proc: p, Text: text, Pos: m.Steps[len(m.Steps)-1].Pos,
		Obj: m.Steps[len(m.Steps)-1].Obj, Event: len(m.x.Events) - 1}
	p.clear()
	if primitive.Fatal(ev.Kind) {
		m.crash(f)
		return
	}
	m.panics(p, f)
	m.advance(p)
}

func (m *Machine) crash(f *Failure) {
	m.Crash, m.ended, m.x.End = f, true, trace.Crashed
	m.x.Crash = &trace.Crash{Proc: f.Proc.ID, Text: f.Text}
}

// sync does what is no communication, and notes who holds what.
func (m *Machine) sync(p *Proc, ev *trace.Event) (panics string) {
	if ev.Obj < 0 {
		return ""
	}
	o := m.Objects[ev.Obj]
	if ev.Kind == trace.Close && o.Again && o.Closed {
		ev.Closed = true
		return ""
	}
	ev.OK = ev.Kind == trace.AtomicUpdate
	second, text := o.Do(ev)
	p.second = second
	switch ev.Kind {
	case trace.Lock, trace.WLock, trace.RLock, trace.Once:
		if second != trace.WWait && (ev.Kind != trace.Once || second == trace.OnceDone) {
			o.hold(p, ev.Kind == trace.RLock)
		}
	case trace.TryLock, trace.WTryLock, trace.RTryLock:
		if ev.OK {
			o.hold(p, ev.Kind == trace.RTryLock)
		}
	case trace.WWait:
		o.hold(p, false)
	case trace.Unlock, trace.WUnlock, trace.RUnlock, trace.OnceDone:
		m.release(p, o, ev.Kind == trace.RUnlock, text != "")
	}
	return text
}

func (o *Object) hold(p *Proc, read bool) { o.Holders = append(o.Holders, Hold{p, p.pos, read}) }

// release notes that p has unlocked o. If p did not hold it, the lock wanders between processes.
func (m *Machine) release(p *Proc, o *Object, read, failed bool) {
	for i := len(o.Holders) - 1; i >= 0; i-- {
		if h := o.Holders[i]; h.Proc == p && h.Read == read {
			o.Holders = append(o.Holders[:i:i], o.Holders[i+1:]...)
			return
		}
	}
	if !failed {
		o.Foreign = true
		o.Wanders = true
		o.Holders = nil
	}
}

func (m *Machine) summarise() {
	for _, p := range m.Procs {
		parent := int32(-1)
		if p.Parent != nil {
			parent = p.Parent.ID
		}
		m.x.Procs = append(m.x.Procs, trace.Proc{Path: p.path, Name: p.Name, Parent: parent,
			Born: p.born, Ended: p.Ended, Pending: p.op})
		if !p.Ended && m.x.End == trace.Quiet {
			m.x.Blocked = append(m.x.Blocked, p.ID)
		}
	}
	m.x.MainDone = len(m.Procs) > 0 && m.Procs[0].Ended
}

// Operation is what p waits to do.
func (p *Proc) Operation() *trace.Op { return &p.op }
