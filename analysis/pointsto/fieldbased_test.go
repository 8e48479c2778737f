package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// fieldFlow is what channels are compared with: a flow of channels by fields over a call graph,
// after N. Heintze, O. Tardieu: Ultra-fast Aliasing Analysis using CLA: A Million Lines of C Code
// in a Second. PLDI 2001, sect. 2, as VTA does it for types. A field of a struct type is one
// variable for all objects. So are the elements of all containers of a type, and the targets of all
// pointers of a type that are not resolved at once. Without contexts.
type fieldFlow struct {
	graph *callgraph.Graph
	to    map[any][]any // edges
	sites map[any]map[*ssa.MakeChan]bool
	types typeutil.Map // to their representatives
}

// The variables, beside registers (ssa.Value).
type (
	fieldVar struct {
		of    types.Type
		index int
	}
	elemVar struct {
		of  types.Type
		key bool
	}
	behindVar struct{ of types.Type }
	insideVar struct{ of ssa.Value } // of a local variable, a package-level one, or a captured one
	resultVar struct {
		of    *ssa.Function
		index int
	}
)

// flowOf solves the flow in functions.
func flowOf(graph *callgraph.Graph, functions []*ssa.Function) *fieldFlow {
	f := &fieldFlow{graph: graph, to: map[any][]any{}, sites: map[any]map[*ssa.MakeChan]bool{}}
	var made []*ssa.MakeChan
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if m, ok := instr.(*ssa.MakeChan); ok {
					made = append(made, m)
				}
				f.instruction(instr)
			}
		}
	}
	for _, m := range made {
		f.spread(m)
	}
	return f
}

// spread gives a site to all that it flows to.
func (f *fieldFlow) spread(m *ssa.MakeChan) {
	for work := []any{ssa.Value(m)}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if f.sites[x] == nil {
			f.sites[x] = map[*ssa.MakeChan]bool{}
		}
		if !f.sites[x][m] {
			f.sites[x][m] = true
			work = append(work, f.to[x]...)
		}
	}
}

func (f *fieldFlow) edge(from, to any) { f.to[from] = append(f.to[from], to) }

func (f *fieldFlow) both(x, y any) {
	f.edge(x, y)
	f.edge(y, x)
}

// same returns one type for all that are identical.
func (f *fieldFlow) same(t types.Type) types.Type {
	if r := f.types.At(t); r != nil {
		return r.(types.Type)
	}
	f.types.Set(t, t)
	return t
}

// at is the variable at an address.
func (f *fieldFlow) at(addr ssa.Value) any {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return fieldVar{f.same(kernel.Deref(a.X.Type())), a.Field}
	case *ssa.IndexAddr:
		return elemVar{f.same(kernel.Deref(a.Type())), false}
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return insideVar{a}
	}
	return behindVar{f.same(kernel.Deref(addr.Type()))}
}

// leaks reports whether the address of a variable is used for more than to load, store, and
// capture.
func leaks(addr ssa.Value) bool {
	if addr.Referrers() == nil {
		return false
	}
	for _, ref := range *addr.Referrers() {
		switch r := ref.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef, *ssa.MakeClosure:
		case *ssa.Store:
			if r.Val == addr {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// instruction is a flat switch over the instructions through which channels flow.
func (f *fieldFlow) instruction(instr ssa.Instruction) {
	if v, ok := instr.(ssa.Value); ok {
		switch v.(type) {
		case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr:
			if leaks(v) {
				f.both(f.at(v), behindVar{f.same(kernel.Deref(v.Type()))})
			}
		}
	}
	switch x := instr.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			f.edge(e, ssa.Value(x))
		}
	case *ssa.ChangeType:
		f.edge(x.X, ssa.Value(x))
	case *ssa.ChangeInterface:
		f.edge(x.X, ssa.Value(x))
	case *ssa.MakeInterface:
		f.edge(x.X, ssa.Value(x))
	case *ssa.TypeAssert:
		f.edge(x.X, ssa.Value(x))
	case *ssa.Slice:
		f.edge(x.X, ssa.Value(x))
	case *ssa.Field:
		f.edge(fieldVar{f.same(x.X.Type()), x.Field}, ssa.Value(x))
	case *ssa.Index:
		f.edge(elemVar{f.same(x.Type()), false}, ssa.Value(x))
	case *ssa.Extract:
		f.extract(x)
	case *ssa.UnOp:
		f.unary(x)
	case *ssa.Store:
		f.edge(x.Val, f.at(x.Addr))
	case *ssa.MapUpdate:
		f.edge(x.Key, elemVar{f.same(x.Key.Type()), true})
		f.edge(x.Value, elemVar{f.same(x.Value.Type()), false})
	case *ssa.Lookup:
		if m, ok := x.X.Type().Underlying().(*types.Map); ok {
			f.edge(elemVar{f.same(m.Elem()), false}, ssa.Value(x))
		}
	case *ssa.Send:
		f.edge(x.X, elemVar{f.same(x.X.Type()), false})
	case *ssa.Select:
		for _, st := range x.States {
			if st.Send != nil {
				f.edge(st.Send, elemVar{f.same(st.Send.Type()), false})
			}
		}
	case *ssa.MakeClosure:
		for i, b := range x.Bindings {
			v := x.Fn.(*ssa.Function).FreeVars[i]
			f.edge(b, ssa.Value(v))
			if _, ok := b.Type().Underlying().(*types.Pointer); ok {
				f.both(f.at(b), insideVar{v})
			}
		}
	case *ssa.Return:
		for i, v := range x.Results {
			f.edge(v, resultVar{x.Parent(), i})
		}
	case ssa.CallInstruction:
		f.call(x)
	}
}

func (f *fieldFlow) unary(x *ssa.UnOp) {
	switch x.Op {
	case token.MUL:
		f.edge(f.at(x.X), ssa.Value(x))
	case token.ARROW:
		f.edge(elemVar{f.same(x.X.Type().Underlying().(*types.Chan).Elem()), false}, ssa.Value(x))
	}
}

// extract takes a value out of a tuple: the results of a call, of a select or a range, or a value
// and ok.
func (f *fieldFlow) extract(x *ssa.Extract) {
	switch t := x.Tuple.(type) {
	case *ssa.Call:
		for _, callee := range f.callees(t) {
			f.edge(resultVar{callee, x.Index}, ssa.Value(x))
		}
	case *ssa.Select, *ssa.Next:
		f.edge(elemVar{f.same(x.Type()), false}, ssa.Value(x))
		f.edge(elemVar{f.same(x.Type()), true}, ssa.Value(x))
	default:
		f.edge(x.Tuple, ssa.Value(x))
	}
}

func (f *fieldFlow) call(site ssa.CallInstruction) {
	c := site.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtin(site, b.Name())
		return
	}
	for _, callee := range f.callees(site) {
		params := callee.Params
		if c.IsInvoke() && len(params) > 0 {
			f.edge(c.Value, ssa.Value(params[0]))
			params = params[1:]
		}
		for i, arg := range c.Args {
			if i < len(params) {
				f.edge(arg, ssa.Value(params[i]))
			}
		}
		if v := site.Value(); v != nil && callee.Signature.Results().Len() == 1 {
			f.edge(resultVar{callee, 0}, ssa.Value(v))
		}
	}
}

// builtin: elements are by type, so append and copy move nothing.
func (f *fieldFlow) builtin(site ssa.CallInstruction, name string) {
	if v := site.Value(); v != nil && name == "append" {
		f.edge(site.Common().Args[0], ssa.Value(v))
	}
}

func (f *fieldFlow) callees(site ssa.CallInstruction) []*ssa.Function {
	var out []*ssa.Function
	if n := f.graph.Nodes[site.Parent()]; n != nil {
		for _, e := range n.Out {
			if e.Site == site {
				out = append(out, e.Callee.Func)
			}
		}
	}
	return out
}
