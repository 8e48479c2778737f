package machine

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Proc is a process.
type Proc struct {
	heap.Process
	Site token.Pos // of the go statement, or of the call in this package that comes to it
	// Waits is true if one of the cases of its select is foreign, so that it may go on at any time.
	Waits bool
	// Rounds is true if it goes round to its select again and again until that has a case.
	Rounds bool

	m     *Machine
	path  string
	born  int32
	kids  int
	waits int // see heap.Moment
	stack []*frame
	under []*skeleton.Func // what was under way where it and its parents were started

	op       trace.Op
	casePos  []token.Pos
	value    heap.Value   // to be sent
	values   []heap.Value // to be sent by the cases of a select
	then     func(ev *trace.Event, which int, got heap.Value, ok bool)
	decision *Decision
	second   trace.Kind   // the next operation of the same statement
	todo     []func()     // what it does before it goes on with its code
	uses     []heap.Value // that it acts on when its code has ended

	// p has last taken cases of the select polled, one after another, and has done nothing else. in
	// are the calls in which that was, and of its channels. by has the numbers of these cases: the
	// default (-1), a timer, or a closed channel.
	polled *skeleton.Instr
	in     []*frame
	of     []int32
	by     []int

	panicking *Failure
	exiting   bool // runtime.Goexit
	recovered bool
}

// spawn makes a process without code.
func (m *Machine) spawn(parent *Proc, name string, pos token.Pos) *Proc {
	p := &Proc{Process: heap.Process{ID: int32(len(m.Procs)), Name: name, Pos: pos}, m: m,
		path: strconv.Itoa(len(m.Procs)), born: int32(len(m.x.Events)), Site: pos}
	if parent != nil {
		p.Parent, p.Site = &parent.Process, here(parent, pos)
		p.path = fmt.Sprintf("%s.%d", parent.path, parent.kids)
		p.under = slices.Clip(parent.under)
		for _, f := range parent.stack {
			p.under = append(p.under, f.fn)
		}
		parent.kids++
	}
	m.Procs = append(m.Procs, p)
	m.state.Procs = append(m.state.Procs, nil)
	return p
}

// Where returns the name of the function that p is in.
func (p *Proc) Where() string {
	if len(p.stack) == 0 {
		return p.Name
	}
	return p.top().fn.Name
}

// Call is a call that is under way.
type Call struct {
	From, To string // functions
	Pos      token.Pos
	Foreign  bool // another package makes it
}

// Calls lists the calls that p is in, outermost first.
func (p *Proc) Calls() []Call {
	var out []Call
	for i := 1; i < len(p.stack); i++ {
		f, by := p.stack[i], p.stack[i-1].fn
		out = append(out, Call{by.Name, f.fn.Name, f.pos, by.Foreign})
	}
	return out
}

func (p *Proc) top() *frame { return p.stack[len(p.stack)-1] }

// declare makes op what p does next; then is called when it is done.
func (p *Proc) declare(op trace.Op, pos token.Pos, then func(ev *trace.Event,
	which int, got heap.Value, ok bool)) {
	p.op, p.At, p.Call, p.then = op, pos, here(p, pos), then
	p.polled = nil
	p.m.state.Procs[p.ID] = &p.op
}

// comesBack reports whether p is in the calls in which it has polled. One of a helper may be a new
// call at the same place of the same caller.
func comesBack(p *Proc) bool {
	return p.stack[0] == p.in[0] && slices.EqualFunc(p.stack, p.in, func(a, b *frame) bool {
		return a == b || a.fn == b.fn && a.pos == b.pos
	})
}

// channels are those of the cases of op, but for the ones of timers, which may be new each time.
func (m *Machine) channels(op trace.Op) (of []int32) {
	for _, c := range op.Cases {
		if !m.times(c) {
			of = append(of, c.Obj)
		}
	}
	return of
}

// poll declares op, a select with a default, or with cases of timers or closed channels. A process
// may come back to it by one of these in the same calls, with nothing done in between. Then it goes
// round in this way until another case is ready: it waits, and op leaves out these ways. A closed
// channel is always ready: with one, the default is no way, either.
func poll(p *Proc, i *skeleton.Instr, op trace.Op, then func(ev *trace.Event, which int,
	got heap.Value, ok bool)) {
	var by []int
	in, of := slices.Clone(p.stack), p.m.channels(op)
	if p.polled == i && comesBack(p) && slices.Equal(p.of, of) {
		by = p.by
	}
	rounds := len(by) > 0 && slices.ContainsFunc(op.Cases,
		func(c trace.Case) bool { return c.Obj >= 0 && !p.m.times(c) })
	for _, which := range by {
		switch {
		case rounds && which < 0:
			op.Default = false
		case rounds:
			op.Default = op.Default && p.m.times(op.Cases[which])
			op.Cases[which].Obj = -1
		}
	}
	p.declare(op, i.Pos, func(ev *trace.Event, which int, got heap.Value, ok bool) {
		if which < 0 || op.Cases[which].Kind == trace.Recv && !ok || p.m.times(op.Cases[which]) {
			p.polled, p.in, p.of, p.by = i, in, of, append(slices.Clip(by), which)
		}
		then(ev, which, got, ok)
	})
	p.Rounds = rounds
}

// times reports whether a case receives from a timer.
func (m *Machine) times(c trace.Case) bool {
	if c.Kind != trace.Recv || c.Obj < 0 {
		return false
	}
	o := m.heap.Objects[c.Obj]
	return o.Ticks || o.Timed && !o.Again
}

// clear ends what p has declared.
func (p *Proc) clear() {
	p.op, p.then, p.decision, p.value, p.values, p.casePos = trace.Op{}, nil, nil, nil, nil, nil
	p.Waits, p.Rounds, p.second = false, false, trace.None
}

// advance lets p go on to its next visible operation.
func (p *Proc) advance() {
	p.m.heap.Now = heap.Moment{Proc: p.ID, Waits: p.waits}
	for !p.m.ended && p.m.Over == "" && p.op.Kind == trace.None && !p.Ended {
		switch {
		case len(p.todo) > 0:
			do := p.todo[0]
			p.todo = p.todo[1:]
			do()
		case len(p.stack) == 0:
			p.finish()
		default:
			p.m.instrs++
			if p.m.instrs > p.m.Instrs {
				p.m.unfinished("an execution takes too long")
				return
			}
			p.top().run()
		}
	}
}

// finish ends p, whose code has ended.
func (p *Proc) finish() {
	if p.panicking != nil && !p.exiting {
		p.m.crash(p.panicking)
		return
	}
	p.Ended = true
	p.m.state.Procs[p.ID] = nil
}

// push enters a function.
func (p *Proc) push(fn *skeleton.Func, args, free []heap.Value, dst int,
	pos token.Pos) *frame {
	f := &frame{p: p, h: p.m.heap, fn: fn, regs: make([]heap.Value, fn.Regs), dst: dst, prev: -1,
		pos: pos}
	copy(f.regs, args)
	copy(f.regs[fn.Params:], free)
	f.deep = depth(p, fn) >= maxDepth
	p.stack = append(p.stack, f)
	if len(p.stack) > p.m.Depth {
		p.m.unfinished("calls are too deep")
	}
	return f
}

// maxDepth is how often a function calls or starts itself before the search looks for the end of
// that first.
const maxDepth = 2

// depth counts the calls of fn that are under way, or were where p and its parents were started.
func depth(p *Proc, fn *skeleton.Func) (n int) {
	for _, f := range p.stack {
		if f.fn == fn {
			n++
		}
	}
	for _, u := range p.under {
		if u == fn {
			n++
		}
	}
	return n
}

// leave returns from the top frame of p with a result.
func (p *Proc) leave(result heap.Value) {
	f := p.top()
	p.stack = p.stack[:len(p.stack)-1]
	switch {
	case f.done != nil:
		f.done(result)
	case len(p.stack) == 0:
		switch {
		case p.Parent != nil:
		case p.ID == 0 && p.m.Then != nil && !p.m.gone:
			p.goOn(result)
		default:
			p.m.heap.Share(result)
		}
	case f.deferred && p.top().unwinding:
		p.unwind()
	default:
		p.top().set(f.dst, result)
	}
}

// panics makes p panic, or exit.
func (p *Proc) panics(f *Failure) {
	p.panicking, p.recovered = f, false
	p.unwind()
}

// unwind runs what is deferred, frame by frame.
func (p *Proc) unwind() {
	for len(p.stack) > 0 {
		f := p.top()
		f.unwinding = true
		if n := len(f.defers); n > 0 {
			d := f.defers[n-1]
			f.defers = f.defers[:n-1]
			p.invokeDeferred(d)
			return
		}
		if p.recovered {
			p.panicking, p.recovered, f.unwinding = nil, false, false
			p.m.leftAt(f)
			if f.fn.Recover >= 0 {
				f.jump(f.fn.Recover)
				return
			}
			p.leave(zeroResults(f.fn))
			return
		}
		if f.unwound != nil {
			p.stack = p.stack[:len(p.stack)-1]
			p.todo = append(p.todo, f.unwound, p.unwind)
			return
		}
		p.stack = p.stack[:len(p.stack)-1]
	}
}

// leftAt notes where the root function was when a panic came that it has recovered.
func (m *Machine) leftAt(f *frame) {
	if f.p.Parent == nil && len(f.p.stack) == 1 && f.pc > 0 {
		m.Left, m.Saved = f.fn.Blocks[f.block].Instrs[f.pc-1].Pos, true
	}
}

func zeroResults(fn *skeleton.Func) heap.Value {
	r := fn.Sig.Results()
	if r.Len() == 1 {
		return heap.Zero(r.At(0).Type())
	}
	return heap.Zero(r)
}

// invokeDeferred makes a deferred call of a frame that unwinds. Unwinding goes on when it returns:
// see leave; one that the machine makes itself has no frame.
func (p *Proc) invokeDeferred(d *call) {
	depth := len(p.stack)
	d.make(true)
	if len(p.stack) == depth {
		p.todo = append(p.todo, p.unwind)
	}
}

// Born is the number of events that had been done when p was started.
func (p *Proc) Born() int { return int(p.born) }

// failure is a panic of p here and now.
func (p *Proc) failure(text string, pos token.Pos) *Failure {
	return &Failure{Proc: p, Text: text, Pos: pos, Site: here(p, pos), Event: len(p.m.x.Events)}
}

// fault makes p panic: it follows nil, or has an index out of range.
func (p *Proc) fault(i *skeleton.Instr) {
	p.panics(p.failure("invalid memory address", i.Pos))
}

// gap notes that others may have moved while p waited, or called what is not seen.
func gap(p *Proc) {
	p.waits++
	p.m.heap.Now = heap.Moment{Proc: p.ID, Waits: p.waits}
}

// note remembers an operation on what others have made.
func (p *Proc) note(kind trace.Kind, o *heap.Object, pos token.Pos) {
	p.polled = nil
	gap(p)
	if o.Field != nil {
		p.m.Notes = append(p.m.Notes,
			Note{p, kind, o.Field, o.Path, o.Base, pos, len(p.m.x.Events)})
	}
}

// Operation is what p waits to do.
func (p *Proc) Operation() *trace.Op { return &p.op }

// Reaches adds to r what p can reach.
func (p *Proc) Reaches(r *heap.Reach) {
	r.All(p.uses)
	for _, f := range p.stack {
		r.All(f.regs)
		for _, d := range f.defers {
			r.Value(d.fn)
			r.All(d.args)
		}
	}
	r.Value(p.value)
	r.All(p.values)
}
