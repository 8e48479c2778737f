package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Edge is a call of the call graph.
type Edge struct {
	Caller *Instance
	Site   ssa.CallInstruction
	Callee *Instance

	// Site calls the library, which calls Callee; it may have been given that by an earlier call
	Library bool
}

type edgeKey struct {
	caller *Instance
	site   ssa.CallInstruction
	callee *Instance
}

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
		g.rule(g.value(c.Value), &invokeRule{g.in, site})
	} else {
		g.rule(g.value(c.Value), &callRule{g.in, site})
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

// hasBody reports whether fn can be analysed. The bodies of a source package are built when the
// first of them is needed. The bodies of calls of C say nothing: C writes the results.
func (a *contexts) hasBody(fn *ssa.Function) bool {
	if isCgo(fn) || !a.inSource(fn) {
		return false
	}
	if fn.Blocks == nil && fn.Pkg != nil && a.types.source[fn.Pkg.Pkg] && !a.built[fn.Pkg] {
		a.built[fn.Pkg] = true
		fn.Pkg.Build()
	}
	return fn.Blocks != nil
}

// inSource reports whether fn is declared in a source package, or made for types and values: a
// wrapper.
func (a *contexts) inSource(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg == nil || a.types.source[fn.Pkg.Pkg]
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

// receive passes what an interface holds as the receiver.
func (a *analysis) receive(callee *Instance, recv *Object) {
	if recv.tag == none {
		return
	}
	p := callee.Func.Params[0]
	if direct(recv.Type) {
		a.insert(callee.regs[p], recv.tag)
	} else if n := callee.regs[p]; n != 0 {
		(&loadRule{typ: a.types.layout(p.Type()), to: n}).apply(a, recv.tag)
	}
}

// link passes arguments and results between a call and what it calls.
func (a *analysis) link(in *Instance, site ssa.CallInstruction, callee *Instance) {
	if !a.calls(Edge{Caller: in, Site: site, Callee: callee}) {
		return
	}
	c, params := site.Common(), callee.Func.Params
	if c.IsInvoke() {
		params = params[1:]
	}
	for i, v := range c.Args {
		if i < len(params) {
			a.copy(in.regs[v], callee.regs[params[i]], params[i].Type())
		}
	}
	if v := site.Value(); v != nil && callee.results != 0 {
		a.copy(callee.results, in.regs[v], v.Type())
	}
}

// calls adds an edge to the call graph; false if it is there.
func (a *analysis) calls(e Edge) bool {
	key := edgeKey{e.Caller, e.Site, e.Callee}
	if a.edgesOf[key] {
		return false
	}
	a.edgesOf[key] = true
	e.Caller.calls = append(e.Caller.calls, e)
	a.reach(e.Callee)
	return true
}

// methodKey is a method of a type.
type methodKey struct {
	typ  int
	name string
	pkg  *types.Package // if it is not exported
}

// method returns the function that implements m for t, or nil if t has no such method.
func (a *contexts) method(t types.Type, m *types.Func) *ssa.Function {
	key := methodKey{typ: a.types.id(t), name: m.Name()}
	if !m.Exported() {
		key.pkg = m.Pkg()
	}
	fn, ok := a.methods[key]
	if !ok {
		if sel := a.Program.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name()); sel != nil {
			fn = a.Program.MethodValue(sel)
		}
		a.methods[key] = fn
	}
	return fn
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
		g.list(g.in, site, Unsafe, "unsafe."+name)
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
