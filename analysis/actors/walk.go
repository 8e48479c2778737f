package actors

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// walk finds the code that one task runs. The fields of the first group say where the task ends,
// the others are one search and its result.
type walk struct {
	p          *tasks
	g          *Goroutine
	receives   map[ssa.Instruction]bool // at which the next task begins
	leads      map[*ssa.Function]bool   // g's functions that receive, or that call one that does
	pass, fail []test
	via        []token.Pos
	whole      *ssa.Function // what a call of the message itself runs, or nil
	message    func(ssa.Value) bool

	barred  map[edge]bool
	entered map[point]bool
	work    []point
	reached map[ssa.Instruction]bool
	ended   map[*ssa.Function]bool // the end of that function is reached
	into    map[ssa.CallInstruction]*ssa.Function
	calls   []*ssa.Call              // the keys of into, in the order they were reached
	fns     []*ssa.Function          // in the order they were reached
	next    map[ssa.Instruction]bool // of receives: those that are reached
}

func (p *tasks) newWalk(g *Goroutine) *walk {
	w := &walk{p: p, g: g,
		receives: map[ssa.Instruction]bool{}, leads: map[*ssa.Function]bool{},
		barred:  map[edge]bool{},
		entered: map[point]bool{}, reached: map[ssa.Instruction]bool{},
		next:  map[ssa.Instruction]bool{},
		ended: map[*ssa.Function]bool{}, into: map[ssa.CallInstruction]*ssa.Function{}}
	for _, r := range g.Receives {
		w.receives[r.Instr] = true
		if sel, ok := r.Instr.(*ssa.Select); ok {
			if at, ok := caseEdge(sel, r.state()); ok {
				w.barred[at] = true
			}
		}
		for x := r.run; x != nil; x = x.caller {
			w.leads[x.fn] = true
		}
	}
	return w
}

// startCode returns what g runs before it first receives.
func (p *tasks) startCode(g *Goroutine) Code {
	w := p.newWalk(g)
	w.enter(point{g.Root.Blocks[0], 0})
	return w.run()
}

// code fills in what h's tasks run in g.
func (p *tasks) code(g *Goroutine, r *Receive, h *Handler) {
	open, closed := closedEdges(r)
	h.Code = p.taskCode(g, r, h.task, closed)
	h.Round = p.round(g, r, h.task, closed)
	if len(closed) > 0 {
		h.Closed = p.taskCode(g, r, h.task, open)
	}
}

// taskCode returns what a task of r runs when it does not leave blocks by way of the barred edges.
func (p *tasks) taskCode(g *Goroutine, r *Receive, t task, barred []edge) Code {
	w := p.newWalk(g)
	w.pass, w.fail, w.via, w.whole = t.pass, t.fail, t.via, t.root
	w.message = func(v ssa.Value) bool { return p.isFrom(v, r) }
	for _, e := range barred {
		w.barred[e] = true
	}
	w.reach(r.Instr)
	if sel, ok := r.Instr.(*ssa.Select); ok {
		if at, ok := caseEdge(sel, r.state()); ok {
			w.enter(point{at.from.Succs[at.succ], 0})
			return w.runFrom(r)
		}
	}
	w.enter(after(r.Instr))
	return w.runFrom(r)
}

func (w *walk) runFrom(r *Receive) Code {
	code := w.run()
	code.Same = len(w.next) == 1 && w.next[r.Instr]
	return code
}

// isFrom reports whether v is the message that r received.
func (p *tasks) isFrom(v ssa.Value, r *Receive) bool {
	at, tuple := r.result()
	for _, o := range edgesOf(v) {
		if x, ok := o.(*ssa.Extract); ok && tuple && x.Index == at {
			o = x.Tuple
		}
		if o != r.Instr.(ssa.Value) {
			return false
		}
	}
	return true
}

func edgesOf(v ssa.Value) []ssa.Value {
	if phi, ok := v.(*ssa.Phi); ok {
		return kernel.PhiEdges(phi)
	}
	return []ssa.Value{v}
}

func (w *walk) run() Code {
	for len(w.work) > 0 {
		at := w.work[0]
		w.work = w.work[1:]
		w.step(at)
	}
	return w.result()
}

func (w *walk) enter(at point) {
	if !w.entered[at] {
		w.entered[at] = true
		w.work = append(w.work, at)
	}
}

func (w *walk) reach(i ssa.Instruction) {
	if fn := i.Parent(); !slices.Contains(w.fns, fn) {
		w.fns = append(w.fns, fn)
	}
	w.reached[i] = true
}

// step walks from at to the end of its block.
func (w *walk) step(at point) {
	for _, instr := range at.b.Instrs[at.i:] {
		if w.receives[instr] {
			w.next[instr] = true
			if _, ok := instr.(*ssa.Select); !ok {
				return
			}
		}
		w.reach(instr)
		switch i := instr.(type) {
		case *ssa.Select:
			w.exhaust(i)
		case *ssa.Call:
			if w.call(i) {
				return
			}
		case *ssa.If:
			w.decide(i)
		case *ssa.Return:
			w.end(i.Parent())
		}
	}
	for i, s := range at.b.Succs {
		if !w.barred[edge{at.b, i}] {
			w.enter(point{s, 0})
		}
	}
}

// exhaust bars the way to the panic that go/ssa puts after the last case of a select without
// default.
func (w *walk) exhaust(sel *ssa.Select) {
	if at, ok := caseEdge(sel, len(sel.States)-1); ok && sel.Blocking {
		w.barred[edge{at.from, 1}] = true
	}
}

// call enters the callee of c where only a part of it belongs to the task. It reports whether the
// walk goes on there, and after the call only if the callee returns.
func (w *walk) call(c *ssa.Call) bool {
	fn := w.callee(c)
	switch {
	case fn != nil && (w.leads[fn] || slices.Contains(w.via, c.Pos())):
		w.enter(point{fn.Blocks[0], 0})
	case w.whole != nil && w.message(c.Call.Value):
		fn = w.whole
		w.enter(point{fn.Blocks[0], 0})
	default:
		return false
	}
	w.into[c] = fn
	w.calls = append(w.calls, c)
	if w.ended[fn] {
		w.enter(after(c))
	}
	return true
}

func (w *walk) callee(c *ssa.Call) *ssa.Function { return w.p.calleeIn(w.g, c) }

// end goes on after the calls of fn, which has returned. If fn leads to the receive, it was called
// before the task began.
func (w *walk) end(fn *ssa.Function) {
	if w.ended[fn] {
		return
	}
	w.ended[fn] = true
	for _, c := range w.calls {
		if w.into[c] == fn {
			w.enter(after(c))
		}
	}
	if !w.leads[fn] {
		return
	}
	for _, r := range w.g.runs {
		for _, call := range kernel.Calls(r.fn) {
			if c, ok := call.(*ssa.Call); ok && w.leads[r.fn] &&
				slices.Contains(w.p.calleesIn(w.g, c), fn) {
				w.enter(after(c))
			}
		}
	}
}

// after returns the point after instr.
func after(instr ssa.Instruction) point {
	return point{instr.Block(), slices.Index(instr.Block().Instrs, instr) + 1}
}

// decide bars the way that i does not go for messages of the task's kind.
func (w *walk) decide(i *ssa.If) {
	t, ok := testOf(i.Cond)
	switch {
	case !ok:
	case slices.Contains(w.pass, t):
		w.barred[edge{i.Block(), 1}] = true
	case slices.Contains(w.fail, t):
		w.barred[edge{i.Block(), 0}] = true
	}
}

// testOf returns the test of a switch that cond is the result of.
func testOf(cond ssa.Value) (test, bool) {
	switch c := cond.(type) {
	case *ssa.BinOp:
		return test{pos: c.Pos()}, c.Op == token.EQL
	case *ssa.Extract:
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 {
			return test{a.Pos(), types.TypeString(a.AssertedType, nil)}, true
		}
	}
	return test{}, false
}

func (w *walk) result() Code {
	code := Code{Into: map[ssa.CallInstruction]*Region{}, Ends: len(w.next) == 0}
	byFn := map[*ssa.Function]*Region{}
	for _, fn := range w.fns {
		r := &Region{Fn: fn}
		for i := range kernel.All(fn) {
			if w.reached[i] {
				r.Instrs = append(r.Instrs, i)
			}
		}
		byFn[fn] = r
		code.Regions = append(code.Regions, r)
	}
	for _, c := range w.calls {
		fn := w.into[c]
		if byFn[fn] == nil { // nothing of it before it receives
			byFn[fn] = &Region{Fn: fn}
		}
		code.Into[c] = byFn[fn]
	}
	return code
}

// closedEdges returns where the code after r branches on whether it got a message: the ways that it
// takes with a message, and those that it takes when the mailbox is closed.
func closedEdges(r *Receive) (open, closed []edge) {
	i, tuple := r.result()
	v, ok := r.Instr.(ssa.Value)
	if !ok || !tuple {
		return nil, nil
	}
	if i > 1 { // of a select
		i = 2
	}
	for _, ref := range *v.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 1 {
			open, closed = branches(x, r, open, closed)
		}
	}
	return open, closed
}

// branches adds the branches on got, or on its negation, that follow r.
func branches(got ssa.Value, r *Receive, open, closed []edge) (_, _ []edge) {
	for _, use := range *got.Referrers() {
		switch use := use.(type) {
		case *ssa.If:
			if r.reaches(use.Block()) {
				open, closed = append(open, edge{use.Block(), 0}),
					append(closed, edge{use.Block(), 1})
			}
		case *ssa.UnOp:
			if use.Op == token.NOT {
				closed, open = branches(use, r, closed, open)
			}
		}
	}
	return open, closed
}

// reaches reports whether b runs only after r: of the cases of a select, all share one result.
func (r *Receive) reaches(b *ssa.BasicBlock) bool {
	sel, ok := r.Instr.(*ssa.Select)
	if !ok {
		return true
	}
	at, ok := caseEdge(sel, r.state())
	return ok && at.from.Succs[at.succ].Dominates(b)
}

// state returns which state of its select r is.
func (r *Receive) state() int {
	for i, st := range r.Instr.(*ssa.Select).States {
		if st.Pos == r.Pos {
			return i
		}
	}
	return -1
}

// caseEdge returns the way to the case of state i of sel: the code after a select compares its
// index with each case's number.
func caseEdge(sel *ssa.Select, i int) (edge, bool) {
	for _, ref := range *sel.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, use := range *x.Referrers() {
			cmp, ok := use.(*ssa.BinOp)
			if !ok {
				continue
			}
			c, ok := cmp.Y.(*ssa.Const)
			branch, isIf := kernel.Last(cmp.Block()).(*ssa.If)
			if ok && isIf && branch.Cond == cmp && c.Int64() == int64(i) {
				return edge{cmp.Block(), 0}, true
			}
		}
	}
	return edge{}, false
}
