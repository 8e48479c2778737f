package pointsto

import (
	"golang.org/x/tools/go/ssa"
)

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
