package pointsto

import "golang.org/x/tools/go/ssa"

// callGraph has the calls, and the functions with which the program begins.
type callGraph struct {
	bags
	edgesOf map[edgeKey]bool
	entries []*Instance
}

type edgeKey struct {
	caller *Instance
	site   ssa.CallInstruction
	callee *Instance
}

func (a *callGraph) init() { a.edgesOf = map[edgeKey]bool{} }

// receive passes what an interface holds as the receiver.
func (a *callGraph) receive(callee *Instance, recv *Object) {
	if recv.tag == none {
		return
	}
	p := callee.Func.Params[0]
	if direct(recv.Type) {
		a.insert(callee.regs[p], recv.tag)
	} else if n := callee.regs[p]; n != 0 {
		(&loadRule{a: &a.bags, typ: a.types.layout(p.Type()), to: n}).apply(recv.tag)
	}
}

// link passes arguments and results between a call and what it calls.
func (a *callGraph) link(in *Instance, site ssa.CallInstruction, callee *Instance) {
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
func (a *callGraph) calls(e Edge) bool {
	key := edgeKey{e.Caller, e.Site, e.Callee}
	if a.edgesOf[key] {
		return false
	}
	a.edgesOf[key] = true
	e.Caller.calls = append(e.Caller.calls, e)
	a.reach(e.Callee)
	return true
}

func (a *callGraph) start(in *Instance) {
	a.entries = append(a.entries, in)
	a.reach(in)
}
