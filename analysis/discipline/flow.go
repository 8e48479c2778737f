package discipline

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// flow tells which channels of a package may be one. It is a unification of everything that may be
// equal, one node per struct field for all instances (B. Steensgaard, Points-to Analysis in Almost
// Linear Time, POPL 1996), over one package, open where values go to or come from code that is not
// seen.
//
// Deviations: a function value has a node per parameter and result; containers and arrays have one
// content.
type flow struct {
	code   *code
	nodes  map[ssa.Value]*node
	fields map[*types.Var]*node
	bodies map[*ssa.Function]*node // which have the results of functions
	values map[*ssa.Function]bool  // functions that are used as values, or by way of an interface
	all    []*node
}

// node is a set of values that may be equal.
type node struct {
	parent  *node // nil for the representative, which alone has what follows
	content *node // what its pointers, channels and containers hold
	params  []*node
	results []*node
	open    bool // code that is not seen may hold one of the values
	channel *channel
}

// channel is what is done with the channels of one node.
type channel struct {
	open  bool
	makes []*ssa.MakeChan
	ops   [3][]*op // by kind
}

// capacity returns the buffer size of all of the channels; ok is false if it is not one known
// number.
func (c *channel) capacity() (n int64, ok bool) {
	for i, m := range c.makes {
		size, constant := m.Size.(*ssa.Const)
		if !constant || i > 0 && size.Int64() != n {
			return 0, false
		}
		n = size.Int64()
	}
	return n, len(c.makes) > 0
}

func newFlow(c *code) *flow {
	f := &flow{code: c, nodes: map[ssa.Value]*node{}, fields: map[*types.Var]*node{}, bodies: map[*ssa.Function]*node{},
		values: map[*ssa.Function]bool{}}
	for _, fn := range c.funcs {
		f.boundary(fn)
	}
	c.each(f.instr)
	f.closeOpen()
	f.collect()
	return f
}

// of returns the channels that v may be one of.
func (f *flow) of(v ssa.Value) *channel { return f.find(f.node(v)).channelInfo() }

func (n *node) channelInfo() *channel {
	if n.channel == nil {
		n.channel = &channel{open: n.open}
	}
	return n.channel
}

// collect puts operations and makes to their channels.
func (f *flow) collect() {
	for _, o := range f.code.ops {
		ch := f.of(o.ch)
		ch.ops[o.kind] = append(ch.ops[o.kind], o)
	}
	f.code.each(func(i ssa.Instruction) {
		if m, ok := i.(*ssa.MakeChan); ok {
			ch := f.of(m)
			ch.makes = append(ch.makes, m)
		}
	})
}

func (f *flow) fresh() *node {
	n := &node{}
	f.all = append(f.all, n)
	return n
}

func (f *flow) node(v ssa.Value) *node {
	if n := f.nodes[v]; n != nil {
		return n
	}
	n := f.fresh()
	f.nodes[v] = n
	switch v := v.(type) {
	case *ssa.Global:
		if v.Pkg == nil || v.Pkg.Pkg != f.code.pass.Pkg || v.Object() != nil && v.Object().Exported() && f.code.pass.Pkg.Name() != "main" {
			n.open = true
		}
	case *ssa.Function:
		f.value(n, v)
	}
	return n
}

func (f *flow) find(n *node) *node {
	for n.parent != nil {
		if n.parent.parent != nil {
			n.parent = n.parent.parent
		}
		n = n.parent
	}
	return n
}

func (f *flow) contentOf(n *node) *node {
	n = f.find(n)
	if n.content == nil {
		n.content = f.fresh()
	}
	return n.content
}

// unify makes a and b one, and what they hold.
func (f *flow) unify(a, b *node) {
	a, b = f.find(a), f.find(b)
	if a == b {
		return
	}
	b.parent = a
	a.open = a.open || b.open
	content, params, results := a.content, a.params, a.results
	a.content = cmp.Or(a.content, b.content)
	a.params, a.results = longer(params, b.params), longer(results, b.results)
	if content != nil && b.content != nil {
		f.unify(content, b.content)
	}
	f.unifyAll(params, b.params)
	f.unifyAll(results, b.results)
}

func longer(a, b []*node) []*node {
	if len(b) > len(a) {
		return b
	}
	return a
}

func (f *flow) unifyAll(a, b []*node) {
	for i := range min(len(a), len(b)) {
		f.unify(a[i], b[i])
	}
}

// field returns the node of a field of all instances of a struct.
func (f *flow) field(t types.Type, i int) *node {
	s, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return f.fresh()
	}
	v := s.Field(i).Origin()
	n := f.fields[v]
	if n == nil {
		n = f.fresh()
		n.open = f.visible(t, v)
		f.fields[v] = n
	}
	return n
}

// visible reports whether other packages can name field v of t.
func (f *flow) visible(t types.Type, v *types.Var) bool {
	if v.Pkg() != f.code.pass.Pkg {
		return true
	}
	if !v.Exported() || f.code.pass.Pkg.Name() == "main" {
		return false
	}
	named, ok := types.Unalias(deref(t)).(*types.Named)
	return !ok || named.Obj().Exported()
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// boundary opens the parameters and results of functions that others may call.
func (f *flow) boundary(fn *ssa.Function) {
	if !f.code.exported(fn) {
		return
	}
	for _, p := range fn.Params {
		f.node(p).open = true
	}
	eachOf(fn, func(i ssa.Instruction) {
		if r, ok := i.(*ssa.Return); ok {
			for _, v := range r.Results {
				f.open(v)
			}
		}
	})
}

func (f *flow) open(v ssa.Value) {
	if carries(v.Type()) {
		f.find(f.node(v)).open = true
	}
}

// carries reports whether a value of type t can lead to a channel.
func carries(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Kind() == types.UnsafePointer
}

func (f *flow) same(a, b ssa.Value) {
	if carries(a.Type()) && carries(b.Type()) {
		f.unify(f.node(a), f.node(b))
	}
}

func (f *flow) holds(container, x ssa.Value) {
	if carries(x.Type()) {
		f.unify(f.contentOf(f.node(container)), f.node(x))
	}
}

// instr adds what one instruction makes equal.
func (f *flow) instr(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.FieldAddr:
		f.unify(f.contentOf(f.node(i)), f.field(i.X.Type(), i.Field))
	case *ssa.Field:
		f.unify(f.node(i), f.field(i.X.Type(), i.Field))
	case *ssa.UnOp:
		if i.Op == token.MUL || i.Op == token.ARROW {
			f.loaded(i)
		}
	case *ssa.Store:
		f.holds(i.Addr, i.Val)
	case *ssa.IndexAddr:
		f.unify(f.contentOf(f.node(i)), f.contentOf(f.node(i.X)))
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
			if o.msg != nil {
				f.holds(o.ch, o.msg)
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

func (f *flow) converted(instr ssa.Instruction) {
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
			if v := extracted(i, 0); v != nil {
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
func (f *flow) sameFields(t, u types.Type) {
	a, ok := deref(t).Underlying().(*types.Struct)
	b, ok2 := deref(u).Underlying().(*types.Struct)
	if !ok || !ok2 || a.NumFields() != b.NumFields() {
		return
	}
	for i := range a.NumFields() {
		f.unify(f.field(t, i), f.field(u, i))
	}
}

func (f *flow) loaded(i *ssa.UnOp) {
	if i.CommaOk {
		if v := extracted(i, 0); v != nil {
			f.holds(i.X, v)
		}
		return
	}
	f.holds(i.X, i)
}

func (f *flow) loadedTuple(v, from ssa.Value, commaOk bool) {
	if commaOk {
		v = extracted(v, 0)
	}
	if v != nil {
		f.holds(from, v)
	}
}

func (f *flow) extract(i *ssa.Extract) {
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

// resultsOf returns a node for one of several results, which are kept at the node of the call.
func (f *flow) resultsOf(n *node, i int) *node {
	n = f.find(n)
	for len(n.results) <= i {
		n.results = append(n.results, f.fresh())
	}
	return n.results[i]
}

func (f *flow) paramsOf(n *node, i int) *node {
	n = f.find(n)
	for len(n.params) <= i {
		n.params = append(n.params, f.fresh())
	}
	return n.params[i]
}

// closeOpen opens what open values hold, and what is passed to open functions.
func (f *flow) closeOpen() {
	var work []*node
	for _, n := range f.all {
		if n = f.find(n); n.open {
			work = append(work, n)
		}
	}
	seen := map[*node]bool{}
	for len(work) > 0 {
		n := f.find(work[len(work)-1])
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n], n.open = true, true
		work = append(work, slices.Concat(n.params, n.results)...)
		if n.content != nil {
			work = append(work, n.content)
		}
	}
}
