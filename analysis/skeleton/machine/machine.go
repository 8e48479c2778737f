// Package machine runs skeletons: an explore.Executor whose processes have frames, whose variables
// live on a heap, and whose unknown values are symbols.
//
// Vocabulary: a decision is a branch on an unknown condition, which is an event of kind trace.Draw;
// an outsider is a process of the environment: a timer, or whoever ends a context. An execution
// that came to a bound is unfinished, and says why. The heap's words are in package heap.
//
// The parts: a Machine has the processes and takes one step after another (machine.go,
// event.go); a Proc has frames, and the operation that it waits to do (proc.go); a frame runs the
// instructions of a function (frame.go, run.go, branch.go, communicate.go); a call finds its
// callees (call.go, outside.go). Functions of libraries that operate are natives: locks.go,
// groups.go, timer.go, context.go, atomic.go; library.go has their table.
//
// Guarantees: the same choices give the same execution; one condition has one answer in an
// execution.
//
// LIMITS: reads and writes of variables happen together with the operation before them. Timers fire
// at any time, and contexts of callers end at any time; both happen sooner or later. Functions of
// the standard library are in a table of names; functions of other packages run if their code is
// known (skeleton.Code). An unknown function returns unknown values and keeps what it is given.
package machine

import (
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/primitive"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Config bounds executions, and says what they begin with.
type Config struct {
	Rounds int // of a loop without a known bound, at most
	// Even makes all such loops go round that often: unknown numbers are then equal.
	Even bool
	// loops over unseen functions end only by their bodies, if these may do that
	Endless bool
	Events  int // of an execution
	Instrs  int // that an execution runs
	Depth   int // of calls
	// Answers of decisions that are not to be tried otherwise, by Decision.Name: see
	// Decision.Answer. ^n is any but n.
	Answers map[string]int
	// Late makes outsiders move only when nobody else can.
	Late bool
	// Lasting makes contexts of the program's own types never end.
	Lasting bool
	// Roomy makes channels of which the capacity is not known have room for all.
	Roomy  bool
	Filled Filling // conditions on what code that is not seen has written
	// Beside are functions that are called at the same time as the root function, each by a process
	// of its own.
	Beside []*ssa.Function
	// Then is a method that the root process calls on what the root function returns; nil: none.
	Then *ssa.Function
	heap.World
}

// Note is an operation on a channel or group of others that was passed over.
type Note struct {
	Proc  *Proc
	Kind  trace.Kind // Send, Recv, Close, WgAdd of less than nothing, or Select: a case of one
	Field types.Object
	Path  string
	Base  *heap.Sym
	Pos   token.Pos
	Event int // how many events there were before
}

// Machine runs the function Root: it has the processes, and takes one step after another.
type Machine struct {
	Config
	Root *ssa.Function

	prog  *skeleton.Program
	heap  *heap.Heap
	x     trace.Execution
	state trace.State
	scene primitive.Scene[heap.Value]

	Procs  []*Proc
	Steps  []Step // one for each event
	Notes  []Note
	Over   string    // why the execution is unfinished; empty: it is not
	Scaled *Proc     // the process that has cut a counted loop short; nil: none has
	Crash  *Failure  // a panic that nobody has recovered
	Left   token.Pos // where the root function has returned, or made the call that has panicked
	Saved  bool      // it has recovered that panic
	// TestEnded is set if a test has failed, or was skipped.
	TestEnded bool
	Own       bool // there is a context of a type of the program
	Vague     bool // a number that was computed from unknown ones was decided by itself

	flights     map[flight]*heap.Object // guards, see flightDo
	decided     map[string]int          // how often a decision of a name has been made
	instrs      int
	ended, gone bool // gone: Then was called
}

// Failure is a panic that ended an execution.
type Failure struct {
	Proc  *Proc
	Text  string
	Pos   token.Pos
	Site  token.Pos // in the package at hand: see here
	Obj   *heap.Object
	Event int
}

// Leaves returns the return statement whose deferred calls the process was making; NoPos: none.
func (f *Failure) Leaves() token.Pos {
	if len(f.Proc.stack) == 0 {
		return token.NoPos
	}
	top := f.Proc.stack[len(f.Proc.stack)-1]
	left := top.fn.Blocks[top.block].Instrs[top.pc:]
	for _, i := range left {
		if i.Op == skeleton.Return && left[0].Op == skeleton.RunDefers {
			return i.Pos
		}
	}
	return token.NoPos
}

// Step says what an event was.
type Step struct {
	Proc       *Proc
	Func       string
	Pos        token.Pos
	Site       token.Pos // in the package at hand: see here
	Obj        *heap.Object
	Decision   *Decision // of a Draw
	Choice     int
	Partner    *Proc
	PartnerPos token.Pos
}

// New returns a machine that runs root.
func New(prog *skeleton.Program, root *ssa.Function, c Config) *Machine {
	m := &Machine{Config: c, Root: root, prog: prog, heap: heap.New(c.World, prog),
		decided: map[string]int{}, flights: map[flight]*heap.Object{}}
	m.scene.Object = func(obj int32) *primitive.Object[heap.Value] {
		return &m.heap.Objects[obj].Object
	}
	return m
}

// Objects are what processes of the last execution may have waited for, by number.
func (m *Machine) Objects() []*heap.Object { return m.heap.Objects }

// Ran is how many instructions the last execution ran.
func (m *Machine) Ran() int { return m.instrs }

// Execute implements explore.Executor.
func (m *Machine) Execute(c trace.Chooser, _ bool) *trace.Execution {
	m.reset()
	for i, fn := range append([]*ssa.Function{m.Root}, m.Beside...) {
		m.spawn(nil, m.prog.Func(fn).Name, fn.Pos()).enterRoot(fn, i)
	}
	for _, p := range m.Procs[:1+len(m.Beside)] {
		p.advance()
	}
	for !m.ended && m.step(c) {
	}
	m.summarise()
	return &m.x
}

func (m *Machine) reset() {
	m.heap.Reset()
	m.Procs, m.Steps, m.Notes = nil, nil, nil
	m.Left, m.Saved, m.Vague, m.TestEnded = token.NoPos, false, false, false
	m.Own = false
	m.Over, m.Scaled, m.Crash, m.ended, m.instrs, m.gone = "", nil, nil, false, 0, false
	clear(m.decided)
	clear(m.flights)
	m.state = trace.State{Last: -1, Alts: m.state.Alts[:0]}
	m.x = trace.Execution{}
}

// step makes and applies one choice; false when there is none left.
func (m *Machine) step(c trace.Chooser) bool {
	m.scene.Ops = m.state.Procs
	m.state.Alts = m.scene.Alternatives(m.state.Alts[:0])
	m.state.Alts = m.allowed(m.state.Alts)
	if m.heap.Impossible {
		m.unfinished(Contradicts)
	}
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
			if want, ok := m.Answers[p.decision.Name]; ok && p.decision.has(want) &&
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

func (m *Machine) crash(f *Failure) {
	m.Crash, m.ended, m.x.End = f, true, trace.Crashed
	m.x.Crash = &trace.Crash{Proc: f.Proc.ID, Text: f.Text}
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

// Reach begins with what code that is not seen can reach.
func (m *Machine) Reach() *heap.Reach {
	r := m.heap.NewReach()
	r.FromShared()
	return r
}
