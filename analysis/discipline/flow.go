package discipline

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Flow tells which channels of a package may be one. It is a unification of everything that may be
// equal, one node per struct field for all instances (B. Steensgaard, Points-to Analysis in Almost
// Linear Time, POPL 1996), over one package, open where values go to or come from code that is not
// seen.
//
// Deviations: a function value has a node per parameter and result; containers and arrays have one
// content.
type Flow struct {
	code   *Index
	nodes  map[ssa.Value]*node
	fields map[*types.Var]*node
	bodies map[*ssa.Function]*node // which have the results of functions
	values map[*ssa.Function]bool  // functions that are used as values, or by way of an interface
	classes
}

// Channel is what is done with the channels of one node.
type Channel struct {
	Open  bool
	Makes []*ssa.MakeChan
	Ops   [3][]*Op // by kind
}

// Capacity returns the buffer size of all of the channels; ok is false if it is not one known
// number.
func (c *Channel) Capacity() (n int64, ok bool) {
	for i, m := range c.Makes {
		size, constant := m.Size.(*ssa.Const)
		if !constant || i > 0 && size.Int64() != n {
			return 0, false
		}
		n = size.Int64()
	}
	return n, len(c.Makes) > 0
}

func newFlow(c *Index) *Flow {
	f := &Flow{code: c, nodes: map[ssa.Value]*node{}, fields: map[*types.Var]*node{},
		bodies: map[*ssa.Function]*node{},
		values: map[*ssa.Function]bool{}}
	for _, fn := range c.funcs {
		f.boundary(fn)
	}
	c.Each(f.instr)
	f.closeOpen()
	f.collect()
	return f
}

// Of returns the channels that v may be one of.
func (f *Flow) Of(v ssa.Value) *Channel { return f.find(f.node(v)).channelInfo() }

// Value reports whether the package uses fn as a value.
func (f *Flow) Value(fn *ssa.Function) bool { return f.values[fn] }

func (n *node) channelInfo() *Channel {
	if n.channel == nil {
		n.channel = &Channel{Open: n.open}
	}
	return n.channel
}

// collect puts operations and makes to their channels.
func (f *Flow) collect() {
	for _, o := range f.code.Ops {
		ch := f.Of(o.Ch)
		ch.Ops[o.Kind] = append(ch.Ops[o.Kind], o)
	}
	f.code.Each(func(i ssa.Instruction) {
		if m, ok := i.(*ssa.MakeChan); ok {
			ch := f.Of(m)
			ch.Makes = append(ch.Makes, m)
		}
	})
}

func (f *Flow) node(v ssa.Value) *node {
	if n := f.nodes[v]; n != nil {
		return n
	}
	n := f.fresh()
	f.nodes[v] = n
	switch v := v.(type) {
	case *ssa.Global:
		if v.Pkg == nil || v.Pkg.Pkg != f.code.Pass.Pkg ||
			v.Object() != nil && v.Object().Exported() && f.code.Pass.Pkg.Name() != "main" {
			n.open = true
		}
	case *ssa.Function:
		f.value(n, v)
	}
	return n
}

// field returns the node of a field of all instances of a struct.
func (f *Flow) field(t types.Type, i int) *node {
	s, ok := kernel.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return f.fresh()
	}
	v := s.Field(i).Origin()
	n := f.fields[v]
	if n == nil {
		n = f.fresh()
		n.open = f.Visible(t, v)
		f.fields[v] = n
	}
	return n
}

// Visible reports whether other packages can name field v of t.
func (f *Flow) Visible(t types.Type, v *types.Var) bool {
	if v.Pkg() != f.code.Pass.Pkg {
		return true
	}
	if !v.Exported() || f.code.Pass.Pkg.Name() == "main" {
		return false
	}
	named, ok := types.Unalias(kernel.Deref(t)).(*types.Named)
	return !ok || named.Obj().Exported()
}

// boundary opens the parameters and results of functions that others may call.
func (f *Flow) boundary(fn *ssa.Function) {
	if !f.code.Exported(fn) {
		return
	}
	for _, p := range fn.Params {
		f.node(p).open = true
	}
	for i := range kernel.All(fn) {
		if r, ok := i.(*ssa.Return); ok {
			for _, v := range r.Results {
				f.open(v)
			}
		}
	}
}

func (f *Flow) open(v ssa.Value) {
	if carries(v.Type()) {
		f.find(f.node(v)).open = true
	}
}

// carries reports whether a value of type t can lead to a channel.
func carries(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Kind() == types.UnsafePointer
}

func (f *Flow) same(a, b ssa.Value) {
	if carries(a.Type()) && carries(b.Type()) {
		f.unify(f.node(a), f.node(b))
	}
}

func (f *Flow) holds(container, x ssa.Value) {
	if carries(x.Type()) {
		f.unify(f.contentOf(f.node(container)), f.node(x))
	}
}

// instr adds what one instruction makes equal.
func (f *Flow) instr(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.FieldAddr:
		if carries(kernel.Deref(i.Type())) {
			f.unify(f.contentOf(f.node(i)), f.field(i.X.Type(), i.Field))
		}
	case *ssa.Field:
		if carries(i.Type()) {
			f.unify(f.node(i), f.field(i.X.Type(), i.Field))
		}
	case *ssa.UnOp:
		if i.Op == token.MUL || i.Op == token.ARROW {
			f.loaded(i)
		}
	case *ssa.Store:
		f.holds(i.Addr, i.Val)
	case *ssa.IndexAddr:
		if carries(kernel.Deref(i.Type())) {
			f.unify(f.contentOf(f.node(i)), f.contentOf(f.node(i.X)))
		}
	case *ssa.Index:
		f.holds(i.X, i)
	case *ssa.Lookup:
		f.loadedTuple(i, i.X, i.CommaOk)
	case *ssa.MapUpdate:
		f.holds(i.Map, i.Value)
		f.holds(i.Map, i.Key)
	case *ssa.Send:
		f.holds(i.Chan, i.X)
	case *ssa.Select:
		for _, o := range cases(i) {
			if o.Msg != nil {
				f.holds(o.Ch, o.Msg)
			}
		}
	case *ssa.Phi:
		for _, e := range i.Edges {
			f.same(i, e)
		}
	case *ssa.Extract:
		f.extract(i)
	case *ssa.MakeClosure:
		f.closure(i)
	case *ssa.Return:
		f.returned(i)
	case ssa.CallInstruction:
		f.call(i)
	default:
		f.converted(instr)
	}
}

func (f *Flow) converted(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.ChangeType:
		f.same(i, i.X)
		f.sameFields(i.Type(), i.X.Type())
	case *ssa.Convert:
		f.same(i, i.X)
	case *ssa.ChangeInterface:
		f.same(i, i.X)
	case *ssa.MakeInterface:
		f.same(i, i.X)
	case *ssa.TypeAssert:
		if i.CommaOk {
			if v := kernel.Extracted(i, 0); v != nil {
				f.same(v, i.X)
			}
		} else {
			f.same(i, i.X)
		}
	case *ssa.Slice:
		f.same(i, i.X)
	case *ssa.SliceToArrayPointer:
		f.same(i, i.X)
	case *ssa.MultiConvert:
		f.same(i, i.X)
	}
}

// sameFields ties the fields of two struct types, where one is converted into the other.
func (f *Flow) sameFields(t, u types.Type) {
	a, ok := kernel.Deref(t).Underlying().(*types.Struct)
	b, ok2 := kernel.Deref(u).Underlying().(*types.Struct)
	if !ok || !ok2 || a.NumFields() != b.NumFields() {
		return
	}
	for i := range a.NumFields() {
		f.unify(f.field(t, i), f.field(u, i))
	}
}

func (f *Flow) loaded(i *ssa.UnOp) {
	if i.CommaOk {
		if v := kernel.Extracted(i, 0); v != nil {
			f.holds(i.X, v)
		}
		return
	}
	f.holds(i.X, i)
}

func (f *Flow) loadedTuple(v, from ssa.Value, commaOk bool) {
	if commaOk {
		v = kernel.Extracted(v, 0)
	}
	if v != nil {
		f.holds(from, v)
	}
}

func (f *Flow) extract(i *ssa.Extract) {
	switch t := i.Tuple.(type) {
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && i.Index > 0 {
			f.holds(r.X, i)
		}
	case *ssa.Call:
		if n := f.resultsOf(f.node(t), i.Index); carries(i.Type()) {
			f.unify(f.node(i), n)
		}
	}
}
