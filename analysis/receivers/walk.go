package receivers

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
)

const (
	maxDepth = 8 // of the calls below a root that are followed
	unled    = 3 // of those that are followed without a message
)

// walk follows the messages of one root.
type walk struct {
	p    *program
	home *load.Package // of the root

	reached  []*visit // in the order in which they were reached
	visits   map[*ssa.Function]*visit
	message  map[ssa.Value]bool  // may be a message, or a part of one
	fields   map[*types.Var]bool // may hold one
	carriers map[*types.TypeName]bool
	returns  map[*ssa.Function]bool // those that return a message
	hits     hits
	takes    bool // a take has been seen
	changed  bool
}

// visit is a function that the root runs.
type visit struct {
	fn     *ssa.Function
	depth  int
	looped bool // called in a loop
	within hits // the calls of interfaces' methods by which it was reached
	cycles map[*ssa.BasicBlock]int
}

// hit is a call that is given a message, by way of an interface or of a function value.
type hit struct {
	call   ssa.CallInstruction
	iface  *types.Named // nil for a function value
	method *types.Func
	in     *visit
}

type hits []*hit

func (p *program) walk(root *ssa.Function) *walk {
	w := &walk{p: p, home: p.of(root), visits: map[*ssa.Function]*visit{},
		message: map[ssa.Value]bool{}, fields: map[*types.Var]bool{},
		carriers: map[*types.TypeName]bool{}, returns: map[*ssa.Function]bool{}}
	if w.home == nil || root.Blocks == nil {
		return w
	}
	w.enter(root, &visit{depth: -1}, false, nil)
	for w.changed = true; w.changed; {
		w.changed = false
		for i := 0; i < len(w.reached); i++ {
			w.look(w.reached[i])
		}
	}
	return w
}

// handed returns the calls that hand messages over to receivers. If one interface is called on the
// way to another, the one that more types implement is that of the receivers. Functions are
// receivers if such a type is made of one, or if there are no such types.
func (w *walk) handed() (out []*hit) {
	if !w.takes {
		return nil
	}
	left := map[*types.Named]bool{} // interfaces that are none of receivers
	for _, h := range w.hits {
		for _, around := range h.in.within {
			switch {
			case h.iface == nil || h.iface == around.iface:
			case w.p.count(h.iface) < w.p.count(around.iface):
				left[h.iface] = true
			default:
				left[around.iface] = true
			}
		}
	}
	kept := func(h *hit) bool { return h.iface != nil && !left[h.iface] }
	types := slices.ContainsFunc(w.hits, kept)
	for _, h := range w.hits {
		of := func(by *hit) bool { return kept(by) && by.method.Name() == h.in.fn.Name() }
		if kept(h) || h.iface == nil && (!types || slices.ContainsFunc(h.in.within, of)) {
			out = append(out, h)
		}
	}
	return out
}

// count returns how many types of the main modules have the methods of iface.
func (p *program) count(iface *types.Named) (n int) {
	for _, t := range p.own {
		if implements(t, iface.Underlying().(*types.Interface)) {
			n++
		}
	}
	return n
}

// enter notes that from calls fn: in a loop or not, and as an implementation of what by calls.
func (w *walk) enter(fn *ssa.Function, from *visit, looped bool, by *hit) {
	v := w.visits[fn]
	switch {
	case from.depth >= maxDepth || fn.Blocks == nil:
		return
	case v == nil:
		v = &visit{fn: fn, depth: from.depth + 1, looped: looped, cycles: kernel.Cycles(fn)}
		w.visits[fn] = v
		w.reached = append(w.reached, v)
		w.changed = true
	case looped && !v.looped:
		v.looped, w.changed = true, true
	}
	v.comes(w, from.within)
	if by != nil {
		v.comes(w, hits{by})
	}
}

func (v *visit) comes(w *walk, by hits) {
	for _, h := range by {
		if !slices.Contains(v.within, h) {
			v.within, w.changed = append(v.within, h), true
		}
	}
}

// mark notes that v may be a message.
func (w *walk) mark(v ssa.Value) {
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		return
	}
	if !w.message[v] {
		w.message[v], w.changed = true, true
	}
}

func (w *walk) look(v *visit) {
	for _, b := range v.fn.Blocks {
		for _, i := range b.Instrs {
			w.instruction(v, i, v.looped || v.cycles[b] != 0)
		}
	}
}

func (w *walk) instruction(v *visit, instr ssa.Instruction, looped bool) {
	switch i := instr.(type) {
	case *ssa.Store:
		if w.message[i.Val] {
			w.store(i.Addr)
		}
	case *ssa.Return:
		if !w.returns[v.fn] && slices.ContainsFunc(i.Results, w.isMessage) {
			w.returns[v.fn], w.changed = true, true
		}
	case *ssa.MakeClosure:
		for n, b := range i.Bindings {
			if w.message[b] {
				w.mark(i.Fn.(*ssa.Function).FreeVars[n])
			}
		}
	case *ssa.Select:
		if looped && i.Blocking {
			w.take(i)
		}
	case ssa.CallInstruction:
		w.call(v, i, looped)
	case *ssa.UnOp:
		if i.Op == token.ARROW && looped {
			w.take(i)
		}
		if f, ok := i.X.(*ssa.FieldAddr); ok && w.fields[field(f)] {
			w.mark(i)
		}
		w.copy(i)
	case *ssa.IndexAddr:
		if looped && cutsOff(i) {
			w.take(i)
		}
		w.copy(i)
	case ssa.Value:
		w.copy(i)
	}
}

func (w *walk) take(v ssa.Value) {
	w.takes = true
	w.mark(v)
}

func (w *walk) isMessage(v ssa.Value) bool { return w.message[v] }

func field(f *ssa.FieldAddr) *types.Var { return kernel.FieldVar(f.X.Type(), f.Field).Origin() }

// copy marks v if it is a part, or a copy, of a message.
func (w *walk) copy(v ssa.Value) {
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.Extract:
		from = []ssa.Value{v.Tuple}
	case *ssa.TypeAssert:
		from = []ssa.Value{v.X}
	case *ssa.Phi:
		from = v.Edges
	case *ssa.Field:
		from = []ssa.Value{v.X}
	case *ssa.FieldAddr:
		from = []ssa.Value{v.X}
	case *ssa.IndexAddr:
		from = []ssa.Value{v.X}
	case *ssa.Index:
		from = []ssa.Value{v.X}
	case *ssa.Slice:
		from = []ssa.Value{v.X}
	case *ssa.Range:
		from = []ssa.Value{v.X}
	case *ssa.Next:
		from = []ssa.Value{v.Iter}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			from = []ssa.Value{v.X}
		}
	default:
		if x := kernel.Converted(v); x != nil {
			from = []ssa.Value{x}
		}
	}
	if slices.ContainsFunc(from, w.isMessage) {
		w.mark(v)
	}
}

// store notes that a message is put into what addr points to.
func (w *walk) store(addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		if f := field(a); !w.fields[f] {
			w.fields[f], w.changed = true, true
		}
		if n, ok := kernel.Deref(a.X.Type()).(*types.Named); ok && !w.carriers[n.Obj()] {
			w.carriers[n.Obj()], w.changed = true, true
		}
	case *ssa.IndexAddr:
		w.store(a.X)
	case *ssa.Alloc, *ssa.FreeVar:
		w.mark(a)
	}
}

// carries reports whether v is a message, or holds one.
func (w *walk) carries(v ssa.Value) bool {
	if w.message[v] {
		return true
	}
	if x := kernel.Converted(v); x != nil {
		v = x
	}
	n, ok := kernel.Deref(v.Type()).(*types.Named)
	return ok && w.carriers[n.Obj()]
}

// call follows a call, or notes that it hands a message over.
func (w *walk) call(v *visit, call ssa.CallInstruction, looped bool) {
	c := call.Common()
	given := slices.ContainsFunc(c.Args, w.carries)
	if _, ok := call.(*ssa.Call); !ok || !given && v.depth >= unled {
		return // what is deferred is not done with a message, but after a panic
	}
	var by *hit
	if looped && slices.ContainsFunc(fixed(c), w.carries) {
		switch {
		case c.IsInvoke() && w.mayReceive(c):
			by = w.hit(v, call, c)
		case isHandlerValue(c):
			w.hit(v, call, c)
		}
	}
	for _, fn := range w.callees(c, given) {
		w.enter(fn, v, looped, by)
		w.pass(c, fn)
	}
	if val := call.Value(); val != nil && w.returnsMessage(c, given) {
		w.mark(val)
	}
	if val := call.Value(); val != nil && looped && w.isTake(c, val, given) {
		w.take(val)
	}
}

// fixed returns the arguments of c without those of a variadic parameter: logged values are not
// handed over.
func fixed(c *ssa.CallCommon) []ssa.Value {
	if n := len(c.Args); n > 0 && c.Signature().Variadic() {
		return c.Args[:n-1]
	}
	return c.Args
}

// pass marks the parameters of fn that c gives messages.
func (w *walk) pass(c *ssa.CallCommon, fn *ssa.Function) {
	shift := 0
	if c.IsInvoke() {
		shift = 1
	}
	for i, a := range c.Args {
		if i+shift >= len(fn.Params) {
			return
		}
		to := fn.Params[i+shift]
		if w.message[a] || types.IsInterface(to.Type()) && w.carries(a) {
			w.mark(to)
		}
	}
}

func (w *walk) returnsMessage(c *ssa.CallCommon, given bool) bool {
	return slices.ContainsFunc(w.callees(c, given),
		func(fn *ssa.Function) bool { return w.returns[fn] })
}

// hit notes the call once.
func (w *walk) hit(in *visit, call ssa.CallInstruction, c *ssa.CallCommon) *hit {
	for _, h := range w.hits {
		if h.call == call {
			return h
		}
	}
	h := &hit{call: call, method: c.Method, in: in}
	h.iface, _ = c.Value.Type().(*types.Named)
	if !c.IsInvoke() {
		h.iface = nil
	}
	w.hits = append(w.hits, h)
	w.changed = true
	return h
}

// callees returns the functions of the root's module that c runs. A message is followed into the
// implementations beside the interface only: others may be receivers.
func (w *walk) callees(c *ssa.CallCommon, given bool) (out []*ssa.Function) {
	if !c.IsInvoke() {
		if fn := w.p.canon(c.StaticCallee()); fn != nil && w.atHome(fn) {
			return []*ssa.Function{fn}
		}
		return nil
	}
	iface, ok := c.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for _, n := range w.p.implementing(iface) {
		fn := w.p.method(n, c.Method)
		if fn == nil || slices.Contains(out, fn) || !w.atHome(fn) || w.inTest(fn) {
			continue
		}
		if !given || c.Method.Pkg().Path() == fn.Pkg.Pkg.Path() {
			out = append(out, fn)
		}
	}
	return out
}

// atHome reports whether fn is of the root's module.
func (w *walk) atHome(fn *ssa.Function) bool {
	q := w.p.of(fn)
	switch {
	case q == nil:
		return false
	case q == w.home || q.Main && w.home.Main:
		return true
	}
	return q.Module != nil && w.home.Module != nil && q.Module.Path == w.home.Module.Path
}

func (w *walk) inTest(fn *ssa.Function) bool {
	return isTestFile(w.p.l.Place(fn.Pos()).Filename)
}
