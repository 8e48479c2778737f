package effects

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// summary is what a function may do, whoever calls it.
type summary struct {
	fn     *ssa.Function // nil: it stands for several functions, which it calls
	phase  phase         // the part of it that counts
	open   set           // depends on the caller
	closed set           // does not; of the function itself, not of what it calls
	calls  []invocation
	called []caller
	index  int       // among all summaries
	next   []edge    // calls, when they are all known
	sums   []sum     // closed, likewise
	taking []Receipt // where fn receives, likewise
	done   bool      // next, sums and taking are known
}

// caller is a place that calls a function.
type caller struct {
	in *summary
	by invocation
}

// invocation is a way from one function to another.
type invocation struct {
	to      *summary
	site    ssa.CallInstruction
	depth   int
	spawned bool // to starts a goroutine
	direct  bool // the closure that is called is made by the caller, for this call
	args    bool // the callee gets the arguments of the call
}

// maxOpen bounds the effects of one function that depend on its callers. Further effects lose that
// part (close), which is less precise.
const maxOpen = 100

// summaries are what functions may do.
type summaries struct {
	*reader
	prog       *ssa.Program
	types      *Types
	starts     map[*ssa.Function]map[ssa.Instruction]bool
	byFunction map[part]*summary
	groups     map[string]*summary // that call all of several functions
	order      []*summary
	doings     map[ssa.Instruction]doing // of calls
	waiting    map[*ssa.Function]bool    // whether it may wait, where that has been asked
	count      int                       // of summaries
}

func newSummaries(r *reader, c Config) *summaries {
	return &summaries{
		reader: r, prog: c.Program, types: c.Types,
		starts:     map[*ssa.Function]map[ssa.Instruction]bool{},
		byFunction: map[part]*summary{}, groups: map[string]*summary{},
		doings: map[ssa.Instruction]doing{}, waiting: map[*ssa.Function]bool{},
	}
}

// summary returns fn's summary, which may still grow.
func (a *summaries) summary(fn *ssa.Function, of phase) *summary {
	key := part{fn, of}
	s := a.byFunction[key]
	if s == nil {
		s = a.newSummary(fn, of)
		a.byFunction[key] = s
		a.order = append(a.order, s)
		a.scan(s)
	}
	return s
}

func (a *summaries) newSummary(fn *ssa.Function, of phase) *summary {
	a.count++
	return &summary{fn: fn, phase: of, index: a.count - 1}
}

// part is a function, or a part of it.
type part struct {
	fn *ssa.Function
	of phase
}

// scan finds the effects of s itself, and its calls.
func (a *summaries) scan(s *summary) {
	f := flow{}
	depths := map[*ssa.BasicBlock]int{}
	var r remainder
	if s.phase == rest {
		r = a.rest(s.fn)
	}
	for _, b := range s.fn.Blocks {
		for _, instr := range b.Instrs {
			if s.phase == start && !a.starts[s.fn][instr] {
				continue
			}
			if _, known := depths[b]; !known {
				depths[b] = f.depth(b)
			}
			calls, effects := a.does(instr)
			if s.phase == rest {
				calls, effects = a.only(r, instr, calls, effects)
			}
			for _, c := range calls {
				c.depth += depths[b]
				s.call(c)
			}
			for _, e := range effects {
				if e, ok := a.settle(e, s.own); ok {
					s.add(e, depths[b])
				}
			}
		}
	}
}

// doing is the effects and calls of an instruction.
type doing struct {
	calls   []invocation
	effects []Effect
}

// does returns the effects and calls of instr itself. Those of calls are remembered: they are asked
// for several times, and cost something.
func (a *summaries) does(instr ssa.Instruction) ([]invocation, []Effect) {
	if _, ok := instr.(ssa.CallInstruction); !ok {
		return a.doesNow(instr)
	}
	d, known := a.doings[instr]
	if !known {
		calls, effects := a.doesNow(instr)
		d = doing{slices.Clip(calls), slices.Clip(effects)}
		a.doings[instr] = d
	}
	return d.calls, d.effects
}

func (a *summaries) doesNow(instr ssa.Instruction) ([]invocation, []Effect) {
	effects := a.direct(instr)
	var calls []invocation
	var more []Effect
	switch i := instr.(type) {
	case *ssa.RunDefers, *ssa.Panic: // a function that panics has no RunDefers where it does
		calls, more = a.deferred(instr.Parent())
	case ssa.CallInstruction:
		calls, more = a.calls(i)
	}
	return calls, append(effects, more...)
}

// settle decides whether e, an effect of an instruction, is an access to an object that its
// function has made itself, as far as made says so. Then nobody else can notice e: to get at the
// object, others first read a variable that leads to it.
func (a *summaries) settle(e Effect, made func(ssa.Instruction) bool) (_ Effect, ok bool) {
	pointer := e.Pointer
	e.Pointer = nil
	return e, pointer == nil || a.keepNew || !isFresh(a.origin(pointer), made, map[ssa.Value]bool{})
}

// own reports whether an instruction is the function's. Another function made the variables that a
// closure has captured, perhaps before the task.
func (s *summary) own(i ssa.Instruction) bool { return i.Parent() == s.fn }

// call notes that s calls others.
func (s *summary) call(c invocation) {
	s.calls = append(s.calls, c)
	c.to.called = append(c.to.called, caller{s, c})
}

// add adds an effect of s, and reports whether the callers of s may have a new effect by it.
func (s *summary) add(e Effect, depth int) bool {
	if !e.isOpen() {
		s.closed.add(e, depth)
		return false
	}
	if len(s.open.list) >= maxOpen {
		if !s.open.has(e) {
			s.closed.add(e.close(), depth)
			return false
		}
	}
	return s.open.add(e, depth)
}

// close takes out of e what depends on the caller.
func (e Effect) close() Effect {
	e.Base = nil
	for _, r := range []*Ref{&e.Key, &e.Value, &e.Chan} {
		if open(*r) {
			*r = Ref{}
		}
	}
	return e
}

// solve passes the effects of functions to their callers, to a fixed point, for calls may be
// recursive.
func (a *summaries) solve() {
	type news struct {
		s *summary
		e Effect
	}
	var work []news
	for _, s := range a.order {
		for _, e := range s.open.list {
			work = append(work, news{s, e})
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range n.s.called {
			if e, ok := a.substitute(n.e, c.by, c.in.fn, c.in.own); ok &&
				c.in.add(e, n.s.open.depth[n.s.open.at(n.e)]+c.by.depth) {
				work = append(work, news{c.in, e})
			}
		}
	}
}

// substitute expresses e, an effect of what c calls, in terms of the function in which the call is.
// ok is false if e cannot be noticed there.
func (a *summaries) substitute(e Effect, c invocation, in *ssa.Function,
	made func(ssa.Instruction) bool) (_ Effect, ok bool) {
	if c.spawned {
		if e.Kind != Send {
			return e, false
		}
		e.Spawned = true
	}
	if e.Base != nil {
		arg := c.argument(e.Base)
		e.Base = nil
		if arg != nil {
			origin := a.origin(arg)
			if !a.keepNew && isFresh(origin, made, map[ssa.Value]bool{}) {
				return e, false
			}
			e.Base, _ = origin.(*ssa.Parameter)
		}
	}
	if p, ok := e.Chan.Root.(*ssa.Parameter); ok && e.Kind == Send && e.Chan.Path == "" {
		if arg := c.argument(p); arg != nil {
			e.Via = arg
		}
	}
	for _, r := range []*Ref{&e.Key, &e.Value, &e.Chan} {
		*r = a.substituted(*r, c, in)
	}
	return e, true
}

func (a *tracer) substituted(r Ref, c invocation, in *ssa.Function) Ref {
	if !open(r) {
		return r
	}
	if p, ok := r.Root.(*ssa.Parameter); ok && p.Parent() == c.to.fn {
		if arg := c.argument(p); arg != nil {
			return a.ref(arg).join(r.Path)
		}
		return Ref{}
	}
	if c.direct && isOf(r.Root, in) {
		return r
	}
	return Ref{}
}

// isOf reports whether v is a value of fn or of a function around it.
func isOf(v ssa.Value, fn *ssa.Function) bool {
	parent := v.Parent()
	for ; fn != nil; fn = fn.Parent() {
		if fn == parent {
			return true
		}
	}
	return false
}

// argument returns what the call passes for p, or nil.
func (c invocation) argument(p *ssa.Parameter) ssa.Value {
	if !c.args || p.Parent() != c.to.fn {
		return nil
	}
	i := slices.Index(c.to.fn.Params, p)
	common := c.site.Common()
	if common.IsInvoke() {
		if i == 0 {
			return nil // the method may have been promoted, or the value copied
		}
		i--
	}
	if i < 0 || i >= len(common.Args) {
		return nil
	}
	return common.Args[i]
}
