package machine

import (
	"fmt"
	"go/token"
	"strconv"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Proc is a process.
type Proc struct {
	ID       int32
	Name     string
	Parent   *Proc
	Pos      token.Pos // of the go statement
	Outsider bool
	Ended    bool
	// Waits is true if one of the cases of its select is foreign, so that it may go on at any time.
	Waits bool

	path  string
	born  int32
	kids  int
	stack []*frame

	op       trace.Op
	pos      token.Pos
	casePos  []token.Pos
	value    Value   // to be sent
	values   []Value // to be sent by the cases of a select
	then     func(ev *trace.Event, which int, got Value, ok bool)
	decision *Decision
	second   trace.Kind // the next operation of the same statement
	todo     []func()   // what it does before it goes on with its code
	uses     *Object    // that it acts on when its code has ended; nil: none

	panicking *Failure
	exiting   bool // runtime.Goexit
	recovered bool
}

// frame is a call.
type frame struct {
	fn     *skeleton.Func
	regs   []Value
	block  int
	pc     int
	prev   int
	dst    int // the register of the caller that gets the result
	defers []*call
	visits map[int]int
	pos    token.Pos // of the call
	// deferred is set for a call that the frame below has deferred; it is to go on unwinding when
	// that returns.
	deferred  bool
	unwinding bool
	results   Value
	done      func(result Value) // of a call by the machine itself
	unwound   func()             // instead of done, if a panic or Goexit ends the call; may be nil
}

// call is a call that is about to be made.
type call struct {
	in   *skeleton.Instr
	args []Value
	fn   Value // who is called, if that is a value
	dst  int
	pos  token.Pos
}

// spawn makes a process without code.
func (m *Machine) spawn(parent *Proc, name string, pos token.Pos) *Proc {
	p := &Proc{ID: int32(len(m.Procs)), Name: name, Parent: parent, Pos: pos,
		path: strconv.Itoa(len(m.Procs)), born: int32(len(m.x.Events))}
	if parent != nil {
		p.path = fmt.Sprintf("%s.%d", parent.path, parent.kids)
		parent.kids++
	}
	m.Procs = append(m.Procs, p)
	m.state.Procs = append(m.state.Procs, nil)
	return p
}

// where names the function that p is in.
func (p *Proc) where() string {
	if len(p.stack) == 0 {
		return p.Name
	}
	return p.top().fn.Name
}

// Where returns the name of the function that p is in.
func (p *Proc) Where() string { return p.where() }

// At is where p is.
func (p *Proc) At() token.Pos { return p.pos }

// Calls lists the calls that p is in, outermost first: where each was made.
func (p *Proc) Calls() []token.Pos {
	var out []token.Pos
	for _, f := range p.stack[min(1, len(p.stack)):] {
		out = append(out, f.pos)
	}
	return out
}

func (p *Proc) top() *frame { return p.stack[len(p.stack)-1] }

// declare makes op what p does next; then is called when it is done.
func (m *Machine) declare(p *Proc, op trace.Op, pos token.Pos, then func(ev *trace.Event,
	which int, got Value, ok bool)) {
	p.op, p.pos, p.then = op, pos, then
	m.state.Procs[p.ID] = &p.op
}

// clear ends what p has declared.
func (p *Proc) clear() {
	p.op, p.then, p.decision, p.value, p.values, p.casePos = trace.Op{}, nil, nil, nil, nil, nil
	p.Waits, p.second = false, trace.None
}

// resume tells p what its operation did.
func (m *Machine) resume(p *Proc, ev *trace.Event, which int, got Value, ok bool) {
	if p.second != trace.None && p.op.Kind == trace.WLock {
		p.op.Kind, p.second = p.second, trace.None
		return
	}
	then := p.then
	second := p.second
	p.clear()
	p.second = second
	m.state.Procs[p.ID] = nil
	if then != nil {
		then(ev, which, got, ok)
	}
	p.second = trace.None
}

// advance lets p go on to its next visible operation.
func (m *Machine) advance(p *Proc) {
	for !m.ended && m.Over == "" && p.op.Kind == trace.None && !p.Ended {
		switch {
		case len(p.todo) > 0:
			do := p.todo[0]
			p.todo = p.todo[1:]
			do()
		case len(p.stack) == 0:
			m.endOf(p)
		default:
			m.instrs++
			if m.instrs > m.Instrs {
				m.unfinished("an execution takes too long")
				return
			}
			m.run(p, p.top())
		}
	}
}

// Ran is how many instructions the last execution ran.
func (m *Machine) Ran() int { return m.instrs }

func (m *Machine) endOf(p *Proc) {
	if p.panicking != nil && !p.exiting {
		m.crash(p.panicking)
		return
	}
	p.Ended = true
	m.state.Procs[p.ID] = nil
}

// push enters a function.
func (m *Machine) push(p *Proc, fn *skeleton.Func, args, free []Value, dst int,
	pos token.Pos) *frame {
	f := &frame{fn: fn, regs: make([]Value, fn.Regs), dst: dst, prev: -1, pos: pos}
	copy(f.regs, args)
	copy(f.regs[fn.Params:], free)
	p.stack = append(p.stack, f)
	if len(p.stack) > m.Depth {
		m.unfinished("calls are too deep")
	}
	return f
}

// leave returns from the top frame of p with a result.
func (m *Machine) leave(p *Proc, result Value) {
	f := p.top()
	p.stack = p.stack[:len(p.stack)-1]
	switch {
	case f.done != nil:
		f.done(result)
	case len(p.stack) == 0:
		switch {
		case p.Parent != nil:
		case p.ID == 0 && m.Then != nil && !m.gone:
			m.goOn(p, result)
		default:
			m.share(result)
		}
	case f.deferred && p.top().unwinding:
		m.unwind(p)
	default:
		p.top().set(f.dst, result)
	}
}

func (f *frame) set(dst int, v Value) {
	if dst >= 0 {
		f.regs[dst] = v
	}
}

// panics makes p panic, or exit.
func (m *Machine) panics(p *Proc, f *Failure) {
	p.panicking, p.recovered = f, false
	m.unwind(p)
}

// unwind runs what is deferred, frame by frame.
func (m *Machine) unwind(p *Proc) {
	for len(p.stack) > 0 {
		f := p.top()
		f.unwinding = true
		if n := len(f.defers); n > 0 {
			d := f.defers[n-1]
			f.defers = f.defers[:n-1]
			m.invokeDeferred(p, d)
			return
		}
		if p.recovered {
			p.panicking, p.recovered, f.unwinding = nil, false, false
			if f.fn.Recover >= 0 {
				m.jump(f, f.fn.Recover)
				return
			}
			m.leave(p, zeroResults(f.fn))
			return
		}
		if f.unwound != nil {
			p.stack = p.stack[:len(p.stack)-1]
			p.todo = append(p.todo, f.unwound, func() { m.unwind(p) })
			return
		}
		p.stack = p.stack[:len(p.stack)-1]
	}
}

func zeroResults(fn *skeleton.Func) Value {
	r := fn.Sig.Results()
	if r.Len() == 1 {
		return zero(r.At(0).Type())
	}
	return zero(r)
}

// jump goes to the beginning of a block.
func (m *Machine) jump(f *frame, to int) {
	f.prev, f.block, f.pc = f.block, to, 0
	b := &f.fn.Blocks[to]
	if len(b.Phis) == 0 {
		return
	}
	edge := -1
	for i, q := range b.Preds {
		if q == f.prev {
			edge = i
		}
	}
	vals := make([]Value, len(b.Phis))
	for i, phi := range b.Phis {
		if edge >= 0 {
			vals[i] = m.get(f, phi.Edges[edge])
		}
	}
	for i, phi := range b.Phis {
		f.regs[phi.Dst] = vals[i]
	}
}

// get reads an operand.
func (m *Machine) get(f *frame, a skeleton.Arg) Value {
	if a >= 0 {
		if v := f.regs[a]; v != nil {
			return v
		}
		return Nil{}
	}
	if a == skeleton.NoArg {
		return nil
	}
	consts := m.consts[f.fn]
	if consts == nil {
		consts = make([]Value, len(f.fn.Consts))
		m.consts[f.fn] = consts
	}
	i := ^int(a)
	if consts[i] == nil {
		consts[i] = m.constantOf(&f.fn.Consts[i])
	}
	return consts[i]
}

// invokeDeferred makes a deferred call of a frame that unwinds. Unwinding goes on when it returns:
// see leave; one that the machine makes itself has no frame.
func (m *Machine) invokeDeferred(p *Proc, d *call) {
	depth := len(p.stack)
	m.call(p, d, true)
	if len(p.stack) == depth {
		p.todo = append(p.todo, func() { m.unwind(p) })
	}
}

// Born is the number of events that had been done when p was started.
func (p *Proc) Born() int { return int(p.born) }
