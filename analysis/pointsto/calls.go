package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call makes the constraints of a call, go or defer.
func (g *generator) call(site ssa.CallInstruction) {
	c := site.Common()
	g.prepare(site)
	switch fn := c.Value.(type) {
	case *ssa.Builtin:
		g.builtin(site, fn.Name(), c.Args)
		return
	case *ssa.Function:
		g.callFunc(g.in, site, fn)
		return
	case *ssa.MakeClosure:
		g.link(g.in, site, g.closure(fn).closure)
		return
	}
	if c.IsInvoke() {
		g.rule(g.value(c.Value), &invokeRule{g.analysis, g.in, site})
	} else {
		g.rule(g.value(c.Value), &callRule{g.analysis, g.in, site})
	}
}

// prepare makes the nodes of what a call passes and returns.
func (g *generator) prepare(site ssa.CallInstruction) {
	for _, v := range site.Common().Args {
		g.value(v)
	}
	if v := site.Value(); v != nil {
		g.value(v)
	}
}

// builtin makes the constraints of the builtins that move addresses.
func (g *generator) builtin(site ssa.CallInstruction, name string, args []ssa.Value) {
	switch v := site.Value(); name {
	case "append":
		g.append(v, args)
	case "copy":
		g.copyElements(args[0], args[1])
	case "close":
		g.value(args[0])
	case "recover":
		if v != nil {
			g.edge(g.panics, g.value(v))
		}
	case "panic":
		g.edge(g.value(args[0]), g.panics)
	case "min", "max", "ssa:wrapnilchk":
		if v != nil && len(g.types.layout(v.Type()).refs) > 0 {
			g.copy(g.value(args[0]), g.value(v), v.Type())
		}
	case "Add", "Slice", "String", "StringData", "SliceData":
		if v != nil && len(g.types.layout(v.Type()).refs) > 0 && g.value(args[0]) != 0 {
			g.copy(g.value(args[0]), g.value(v), v.Type())
		}
	}
}

// append: the result is the first argument's array, in which the second's elements are put, too, or
// a new one.
func (g *generator) append(v *ssa.Call, args []ssa.Value) {
	if v == nil {
		return
	}
	dst, l := g.value(v), g.elements(v.Type())
	g.edge(g.value(args[0]), dst)
	made := g.object(g.in, v, Array, v.Type(), l)
	g.insert(dst, made.first)
	if len(l.refs) == 0 {
		return
	}
	old := g.newNodes(len(l.refs))
	g.load(address{node: g.value(args[0])}, old, l)
	g.storeAs(address{cell: made.first}, old, l)
	if len(args) > 1 && g.value(args[1]) != 0 {
		added := g.newNodes(len(l.refs))
		g.load(address{node: g.value(args[1])}, added, l)
		g.storeAs(address{node: dst}, added, l)
	}
}

func (g *generator) copyElements(dst, src ssa.Value) {
	l := g.elements(dst.Type())
	if len(l.refs) == 0 || g.value(src) == 0 {
		return
	}
	moved := g.newNodes(len(l.refs))
	g.load(address{node: g.value(src)}, moved, l)
	g.storeAs(address{node: g.value(dst)}, moved, l)
}

// invokeRule is a call of an interface's method.
type invokeRule struct {
	a    *analysis
	in   *Instance
	site ssa.CallInstruction
}

func (r *invokeRule) apply(o cell) {
	a := r.a
	obj := a.cells.of(o)
	switch {
	case a.cells.leaf[o] == bag:
		a.bagCall(r.in, r.site, o)
		a.invokeParts(r, o)
	case obj.Kind == tagged:
		if fn := a.method(obj.Type, r.site.Common().Method); fn != nil {
			a.callMethod(r.in, r.site, fn, obj)
		}
	}
}

// invokeParts is a call of the methods of what a bag holds. The library calls the methods of
// errors.
func (a *analysis) invokeParts(r *invokeRule, o cell) {
	t := r.site.Common().Value.Type()
	if types.Identical(t, errorType) {
		return
	}
	if key := (invokeKey{r.in, r.site, a.partOf(o, t)}); !a.invoked[key] {
		a.invoked[key] = true
		a.rule(key.part, r)
	}
}

// callRule is a call of a function value. Functions of another signature got there by way of
// package unsafe.
type callRule struct {
	a    *analysis
	in   *Instance
	site ssa.CallInstruction
}

func (r *callRule) apply(o cell) {
	a := r.a
	switch obj := a.cells.of(o); {
	case (obj.Kind == Func || obj.Kind == Closure) &&
		a.types.id(obj.Type) != a.types.id(r.site.Common().Signature()):
	case obj.Kind == Func:
		a.callFunc(r.in, r.site, obj.Value.(*ssa.Function))
	case obj.Kind == Closure:
		a.link(r.in, r.site, obj.closure)
	case a.cells.leaf[o] == bag:
		a.bagCall(r.in, r.site, o)
	}
}

// callFunc is a call of a function that is not a closure.
func (a *analysis) callFunc(in *Instance, site ssa.CallInstruction, fn *ssa.Function) {
	if !a.hasBody(fn) {
		if fn.Synthetic != "package initializer" {
			a.libraryFunc(in, site, fn)
		}
		return
	}
	a.link(in, site, a.callee(in, site, fn))
}

// callMethod is a call of a method of what an interface holds.
func (a *analysis) callMethod(in *Instance, site ssa.CallInstruction, fn *ssa.Function,
	recv *Object) {
	if !a.hasBody(fn) {
		if recv.tag != none && a.cells.leaf[recv.tag] == bag {
			a.bagCall(in, site, recv.tag)
		} else {
			a.libraryFunc(in, site, fn)
		}
		return
	}
	callee := a.callee(in, site, fn)
	a.receive(callee, recv)
	a.link(in, site, callee)
}
