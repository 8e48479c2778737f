package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// enter calls what begins the program: initialisers, entries, and the API that unknown code uses.
func (a *analysis) enter() {
	seen := map[*ssa.Package]bool{}
	for _, fn := range a.Entries {
		a.initialise(fn.Pkg, seen)
	}
	for _, p := range a.Exported {
		a.initialise(p, seen)
	}
	for _, fn := range a.Entries {
		a.entry(fn)
	}
	for _, p := range a.Exported {
		a.export(p)
	}
	if len(a.Exported) > 0 {
		a.rule(a.contents(a.outside.first), &escapeRule{a})
	}
}

// initialise runs the initialiser of p, which calls those of its imports.
func (a *analysis) initialise(p *ssa.Package, seen map[*ssa.Package]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	if fn := p.Func("init"); fn != nil && a.hasBody(fn) {
		a.start(a.instance(fn, nil))
	}
}

// entry calls a test, whose parameter the library makes, or main.
func (a *analysis) entry(fn *ssa.Function) {
	if !a.hasBody(fn) {
		return
	}
	in := a.instance(fn, nil)
	a.start(in)
	for _, p := range fn.Params {
		o := a.newBag(&Object{Kind: Library, Type: p.Type(), Value: p, In: in},
			packageOfType(p.Type()), 0)
		a.contents(o.first)
		a.insert(in.regs[p], o.first)
	}
}

func packageOfType(t types.Type) *types.Package {
	if n, ok := types.Unalias(kernel.Deref(t)).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// export calls the exported functions and methods of p with what unknown code may have.
func (a *analysis) export(p *ssa.Package) {
	for _, name := range p.Pkg.Scope().Names() {
		switch obj := p.Pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			if fn := p.Func(name); fn != nil && obj.Exported() && fn.TypeParams().Len() == 0 {
				a.exported(fn)
			}
		case *types.TypeName:
			a.exportMethods(obj.Type())
		case *types.Var:
			if g, ok := p.Members[name].(*ssa.Global); ok && obj.Exported() {
				o := a.packageLevel(g)
				a.share(o.first, o.Type)
			}
		}
	}
}

func (a *analysis) exportMethods(t types.Type) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
		return
	}
	for m := range n.Methods() {
		if fn := a.Program.FuncValue(m); fn != nil && m.Exported() {
			a.exported(fn)
		}
	}
}

// exported is a function that unknown code may call at any time, any number of times.
func (a *analysis) exported(fn *ssa.Function) {
	if !a.hasBody(fn) {
		return
	}
	in := a.instance(fn, nil)
	a.foreigners[in] = true
	a.start(in)
	a.foreign(in)
}

// foreign passes what unknown code has to a function, and gives it the results.
func (a *analysis) foreign(in *Instance) {
	for _, p := range in.Func.Params {
		a.deliver(a.outside.first, in.regs[p], p.Type())
	}
	a.copyInto(in.results, in.Func.Signature.Results(), a.outside.first)
}

// escapeRule is what unknown code may do with what it gets: call functions and exported methods,
// read and write exported fields and the elements of containers.
type escapeRule struct{ a *analysis }

func (r *escapeRule) apply(o cell) {
	a := r.a
	switch obj := a.cells.of(o); {
	case a.cells.leaf[o] == bag:
		if obj != a.outside {
			a.unify(a.contents(a.outside.first), a.contents(o))
		}
	case obj.Kind == tagged:
		a.insert(a.contents(a.outside.first), obj.tag)
		a.escapeMethods(obj)
	case obj.Kind == Closure:
		a.escapeCall(obj.closure)
	case obj.Kind == Func:
		if fn := obj.Value.(*ssa.Function); a.hasBody(fn) {
			a.escapeCall(a.instance(fn, nil))
		}
	default:
		a.shareAll(o, obj)
	}
}

func (a *analysis) escapeCall(in *Instance) {
	if !a.foreigners[in] {
		a.foreigners[in] = true
		a.start(in)
		a.foreign(in)
	}
}

// escapeMethods calls the exported methods of what an interface holds.
func (a *analysis) escapeMethods(obj *Object) {
	set := a.Program.MethodSets.MethodSet(obj.Type)
	for i := range set.Len() {
		m := set.At(i).Obj().(*types.Func)
		if !m.Exported() {
			continue
		}
		if fn := a.method(obj.Type, m); fn != nil && a.hasBody(fn) {
			in := a.instance(fn, nil)
			a.receive(in, obj)
			a.escapeCall(in)
		}
	}
}

// shareAll: the part of an object that begins at o is in unknown hands.
func (a *bags) shareAll(o cell, obj *Object) {
	switch obj.Kind {
	case Array, Map, Chan:
		for i := range obj.layout.leaves {
			a.shareCell(obj.first+cell(i), obj.layout.leaves[i])
		}
	case Heap, Global, Unknown, Box:
		a.share(o, a.types.outermost(obj.Type, int(o-obj.first)))
	}
}

// share lets unknown code read and write the exported fields of a t at o.
func (a *bags) share(o cell, t types.Type) {
	l := a.types.layout(t)
	for _, k := range a.exportedLeaves(t, 0, nil) {
		if at := a.cells.at(o, k); at != none {
			a.shareCell(at, l.leaves[k])
		}
	}
}

func (a *bags) shareCell(at cell, f leaf) {
	if f.kind == scalar || a.shared[at] {
		return
	}
	a.shared[at] = true
	out := a.contents(a.outside.first)
	a.edge(a.contents(at), out)
	a.take(a.outside.first, f.typ, a.contents(at))
}

// exportedLeaves adds the leaves of a t that code of other packages can name.
func (a *objects) exportedLeaves(t types.Type, off int, out []int) []int {
	s, ok := t.Underlying().(*types.Struct)
	if ok && !a.types.libraryStruct(t) {
		for i := range s.NumFields() {
			if f := s.Field(i); f.Exported() {
				out = a.exportedLeaves(f.Type(), off+a.types.layout(t).fields[i], out)
			}
		}
		return out
	}
	if x, ok := t.Underlying().(*types.Array); ok {
		return a.exportedLeaves(x.Elem(), off, out)
	}
	for i, f := range a.types.layout(t).leaves {
		if f.kind != scalar {
			out = append(out, off+i)
		}
	}
	return out
}

// unknown returns the t of unknown code that the library could not make: a pointer to a struct of
// the program, or an implementation of an interface. Without an exported API, unknown code is
// reflection: it has no methods and functions of its own.
func (a *bags) unknown(t types.Type) cell {
	switch x := t.Underlying().(type) {
	case *types.Interface:
		for m := range x.Methods() {
			if !m.Exported() || len(a.Exported) == 0 {
				return none
			}
		}
		return a.outside.first
	case *types.Pointer:
		if a.types.libraryMakes(t) {
			return a.outside.first
		}
		return a.unknownObject(x.Elem()).first
	case *types.Slice, *types.Map, *types.Chan:
		return a.unknownContainer(t).first
	case *types.Signature:
		if len(a.Exported) == 0 {
			return none
		}
	}
	return a.outside.first
}

// unknownObject is all objects of type t that unknown code makes.
func (a *bags) unknownObject(t types.Type) *Object {
	return a.unknownOnce(t, Unknown, a.types.layout(t), func(o *Object) { a.fill(o.first, t) })
}

// unknownContainer is all slices, maps or channels of type t that unknown code makes.
func (a *bags) unknownContainer(t types.Type) *Object {
	kind, l := Array, a.elements(t)
	switch x := t.Underlying().(type) {
	case *types.Map:
		kind, l = Map, a.mapLayout(t)
	case *types.Chan:
		kind, l = Chan, a.types.layout(x.Elem())
	}
	return a.unknownOnce(t, kind, l, func(o *Object) {
		for i, f := range l.leaves {
			if f.kind != scalar {
				a.take(a.outside.first, f.typ, a.contents(o.first+cell(i)))
			}
		}
	})
}

func (a *bags) unknownOnce(t types.Type, kind Kind, l *layout, fill func(*Object)) *Object {
	key := [2]int{a.types.id(t), int(kind)}
	o := a.unknownOf[key]
	if o == nil {
		o = a.newObject(&Object{Kind: kind, Type: t}, l)
		a.unknownOf[key] = o
		fill(o)
	}
	return o
}

// fill puts what unknown code makes into the exported fields of the t at o.
func (a *bags) fill(o cell, t types.Type) {
	l := a.types.layout(t)
	for _, k := range a.exportedLeaves(t, 0, nil) {
		if at := a.cells.at(o, k); at != none {
			a.take(a.outside.first, l.leaves[k].typ, a.contents(at))
		}
	}
}

// decode is fill by a decoder, which follows the pointers that it finds.
func (a *bags) decode(o cell, t types.Type) {
	if a.decoded[o] || a.types.libraryStruct(t) {
		return
	}
	a.decoded[o] = true
	a.fill(o, t)
	l := a.types.layout(t)
	for _, k := range a.exportedLeaves(t, 0, nil) {
		if p, ok := l.leaves[k].typ.Underlying().(*types.Pointer); ok {
			if at := a.cells.at(o, k); at != none {
				a.rule(a.contents(at), &decodeRule{a, p.Elem()})
			}
		}
	}
}

func (r *decodeRule) apply(o cell) {
	a := r.a
	switch obj := a.cells.of(o); {
	case obj.Kind == tagged:
		if p, ok := obj.Type.Underlying().(*types.Pointer); ok && obj.tag != none {
			(&decodeRule{a, p.Elem()}).apply(obj.tag)
		}
	case a.cells.leaf[o] != bag && !types.IsInterface(r.typ):
		a.decode(o, r.typ)
	}
}
