package pointsto

import (
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
