package discipline

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call ties the arguments and results of a call to the parameters and results of what it may run.
func (f *Flow) call(i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtin(i, b.Name())
		return
	}
	result, _ := i.(*ssa.Call)
	switch fn := f.code.Static(c); {
	case fn != nil:
		for k, p := range fn.Params {
			f.same(p, c.Args[k])
		}
		f.results(result, func(k int) *node { return f.resultsOf(f.body(fn), k) })
		if m, ok := c.Value.(*ssa.MakeClosure); ok {
			f.node(m)
		}
	case c.IsInvoke():
		f.invoke(c, result)
	case c.StaticCallee() != nil:
		f.outside(c, result)
	default:
		n := f.node(c.Value)
		for k, a := range c.Args {
			f.pass(a, f.paramsOf(n, k))
		}
		f.results(result, func(k int) *node { return f.resultsOf(n, k) })
	}
}

// body returns the node that has the results of fn. It is not the node of fn's value, which may be
// one of many.
func (f *Flow) body(fn *ssa.Function) *node {
	n := f.bodies[fn]
	if n == nil {
		n = f.fresh()
		f.bodies[fn] = n
	}
	return n
}

func (f *Flow) pass(a ssa.Value, to *node) {
	if carries(a.Type()) {
		f.unify(to, f.node(a))
	}
}

// results ties the results of a call, if they are used.
func (f *Flow) results(call *ssa.Call, of func(k int) *node) {
	if call == nil {
		return
	}
	if t, ok := call.Type().(*types.Tuple); ok {
		for k := range t.Len() {
			f.unify(f.resultsOf(f.node(call), k), of(k))
		}
		return
	}
	if carries(call.Type()) {
		f.unify(f.node(call), of(0))
	}
}

func (f *Flow) returned(r *ssa.Return) {
	n := f.body(r.Parent())
	for k, v := range r.Results {
		if carries(v.Type()) {
			f.unify(f.resultsOf(n, k), f.node(v))
		}
	}
}

// invoke ties an interface call to the methods of the package that it may run. Others may run as
// well, unless the interface cannot be implemented elsewhere.
func (f *Flow) invoke(c *ssa.CallCommon, result *ssa.Call) {
	for _, fn := range f.code.implementations(c) {
		f.values[fn] = true
		f.same(fn.Params[0], c.Value)
		for k, a := range c.Args {
			f.same(fn.Params[k+1], a)
		}
		f.results(result, func(k int) *node { return f.resultsOf(f.body(fn), k) })
	}
	if c.Method.Exported() {
		f.outside(c, result)
	}
}

// outside opens what a call hands to, and gets from, code that is not seen.
func (f *Flow) outside(c *ssa.CallCommon, result *ssa.Call) {
	use := f.code.channelUse(c)
	for i, a := range c.Args {
		if c.Signature().Recv() != nil && !c.IsInvoke() {
			i--
		}
		if use == nil || i < 0 || i >= len(use.Params) || argumentOf(c, i) == nil ||
			use.Params[i]&Retains != 0 {
			f.open(a)
		}
	}
	f.results(result, func(int) *node { return &node{open: true} })
}

func (f *Flow) builtin(i ssa.CallInstruction, name string) {
	args := i.Common().Args
	v, ok := i.(*ssa.Call)
	if !ok {
		return
	}
	switch name {
	case "append":
		f.same(v, args[0])
		f.same(args[0], args[1])
	case "copy":
		f.same(args[0], args[1])
	case "min", "max", "recover", "ssa:wrapnilchk":
		for _, a := range args {
			f.same(v, a)
		}
	}
}

// closure ties the variables of a function literal to what it captures, and its value to its
// signature.
func (f *Flow) closure(m *ssa.MakeClosure) {
	fn := m.Fn.(*ssa.Function)
	if inner := f.code.Canon(fn); inner != nil {
		for k, v := range inner.FreeVars {
			f.same(v, m.Bindings[k])
		}
		if onlyCalled(m) {
			return
		}
		f.values[inner] = true
		f.signature(f.node(m), inner, 0)
		return
	}
	if obj, ok := fn.Object().(*types.Func); ok { // a bound method
		if target := f.code.Canon(fn.Prog.FuncValue(obj)); target != nil {
			f.values[target] = true
			f.same(target.Params[0], m.Bindings[0])
			f.signature(f.node(m), target, 1)
			return
		}
	}
	for _, b := range m.Bindings {
		f.open(b)
	}
}

// onlyCalled reports whether the function value is called, started or deferred on the spot, and
// nothing else.
func onlyCalled(m *ssa.MakeClosure) bool {
	for _, ref := range *m.Referrers() {
		if call, ok := ref.(ssa.CallInstruction); !ok || call.Common().Value != m {
			return false
		}
	}
	return true
}

// value ties the node of a function that is used as a value to its signature.
func (f *Flow) value(n *node, fn *ssa.Function) {
	if inner := f.code.Canon(fn); inner != nil {
		f.values[inner] = true
		f.signature(n, inner, 0)
	}
}

func (f *Flow) signature(n *node, fn *ssa.Function, skip int) {
	for k, p := range fn.Params[skip:] {
		f.pass(p, f.paramsOf(n, k))
	}
	body := f.body(fn)
	for k := range fn.Signature.Results().Len() {
		f.unify(f.resultsOf(n, k), f.resultsOf(body, k))
	}
}
