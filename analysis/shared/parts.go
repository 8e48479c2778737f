package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// parts lists what is inside of a variable of type t: the fields of a struct, the elements of an
// array, and what is inside of these.
func parts(fset *token.FileSet, t types.Type) []key {
	var list []key
	each(t, func(f *types.Var) { list = append(list, at(fset, f.Origin().Pos())) },
		func(elem types.Type) { list = append(list, element(elem)) })
	return list
}

// each calls field and elem for the fields and the types of the elements that parts lists.
func each(t types.Type, field func(*types.Var), elem func(types.Type)) {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for v := range t.Fields() {
			field(v)
			each(v.Type(), field, elem)
		}
	case *types.Array:
		elem(t.Elem())
		each(t.Elem(), field, elem)
	}
}

// whole notes that the variable of type t that e denotes is touched with all its parts, if it is.
func (r *reader) whole(e ast.Expr, t types.Type) {
	if touched := r.partsOf(t); len(touched) > 0 && r.isWhole(e) {
		r.access(e, touched, r.kindOf(e))
	}
}

// access notes an access that begins with e, for later.
func (r *reader) access(e ast.Expr, touched []key, k kind) {
	root, inside := r.rootOf(r.fset, e)
	r.later = append(r.later, access{r.b, root, inside, touched, k})
}

// partsOf lists the parts of a variable of type t, and notes what pointers to them lead to.
func (r *reader) partsOf(t types.Type) []key {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
	default:
		return nil
	}
	each(t, func(f *types.Var) { r.targets[at(r.fset, f.Origin().Pos())] = target(f.Type()) },
		func(types.Type) {})
	return parts(r.fset, t)
}

// index notes the access to an element.
func (r *reader) index(n *ast.IndexExpr) {
	t := r.info.TypeOf(n.X)
	if t == nil || r.info.Types[n].IsType() || !r.info.Types[n].IsValue() {
		return
	}
	switch t := t.Underlying().(type) {
	case *types.Map:
		r.access(n, []key{mapped(t)}, r.kindOf(n))
		return
	case *types.Slice, *types.Array:
	case *types.Pointer:
		if !kernel.Is[*types.Array](t.Elem()) {
			return
		}
	default:
		return
	}
	r.access(n, []key{element(r.info.TypeOf(n))}, r.kindOf(n))
	r.whole(n, r.info.TypeOf(n))
}

// elements notes that the elements of e are touched, if it is a slice or a map.
func (r *reader) elements(e ast.Expr, k kind) {
	t := r.info.TypeOf(e)
	if t == nil {
		return
	}
	var touched []key
	switch t := t.Underlying().(type) {
	case *types.Map:
		touched = []key{mapped(t)}
	case *types.Slice:
		touched = append(r.partsOf(t.Elem()), element(t.Elem()))
	case *types.Pointer:
		if a, is := t.Elem().Underlying().(*types.Array); is {
			touched = append(r.partsOf(a.Elem()), element(a.Elem()))
		}
	}
	if touched == nil {
		return
	}
	root := key("")
	if v := Root(r.info, e); v != nil {
		root = at(r.fset, v.Pos())
	}
	r.later = append(r.later, access{r.b, root, true, touched, k | plainly})
}

func (r *reader) rangeOver(n *ast.RangeStmt) {
	r.elements(n.X, reads)
	if !r.isBodyOf(n, n.Body) {
		r.inCommon(n, r.b)
	}
}

// inCommon notes that each iteration of n writes the loop variables that all iterations share. b is
// the body that has the iterations.
func (r *reader) inCommon(n *ast.RangeStmt, b *body) {
	if n.Tok != token.DEFINE || r.perIteration {
		return
	}
	for _, e := range []ast.Expr{n.Key, n.Value} {
		id, is := e.(*ast.Ident)
		if !is {
			continue
		}
		if v, is := r.info.Defs[id].(*types.Var); is {
			b.touches[at(r.fset, v.Pos())] |= reads | writes | plainly | own
			b.touches[target(v.Type())] |= reads | writes | plainly
			r.later = append(r.later,
				access{b, at(r.fset, v.Pos()), false, r.partsOf(v.Type()),
					reads | writes | plainly})
		}
	}
}

// call notes what predeclared functions do with elements.
func (r *reader) call(n *ast.CallExpr) {
	if r.info.Types[n.Fun].IsType() && len(n.Args) == 1 { // string(bytes), [2]byte(bytes)
		r.elements(n.Args[0], reads)
		return
	}
	r.atomic(n)
	r.passed(n)
	switch name := r.builtin(n); name {
	case "delete", "clear":
		r.elements(n.Args[0], reads|writes)
	case "len":
		if t := r.info.TypeOf(n.Args[0]); t != nil && kernel.Is[*types.Map](t) {
			r.elements(n.Args[0], reads)
		}
	case "append", "copy":
		r.elements(n.Args[0], reads|writes)
		for _, e := range n.Args[1:] {
			if name == "copy" || n.Ellipsis.IsValid() {
				r.elements(e, reads)
			}
		}
	}
}

// instantiate notes that generic code may touch variables of its type arguments.
func (r *reader) instantiate(id *ast.Ident) {
	args := r.info.Instances[id].TypeArgs
	for i := range args.Len() {
		t := args.At(i)
		if _, is := types.Unalias(t).(*types.TypeParam); is {
			continue
		}
		touched := append(r.partsOf(t), target(t), element(t))
		r.later = append(r.later, access{b: r.b, touched: touched, kind: reads | writes | plainly})
	}
}

// atomic notes how a function of package sync/atomic touches the variable that its argument points
// to, if the argument is no address in the source.
func (r *reader) atomic(n *ast.CallExpr) {
	fn := r.function(n)
	if fn == nil || !isAtomic(fn) || fn.Signature().Recv() != nil || len(n.Args) == 0 {
		return
	}
	p, is := r.info.TypeOf(n.Args[0]).Underlying().(*types.Pointer)
	if !is {
		return
	}
	r.touch(target(p.Elem()), atomically(fn))
	r.touch(element(p.Elem()), atomically(fn))
}

// give notes that the use e of v may give the slice or map in v another name.
func (r *reader) give(v *types.Var, e ast.Expr) {
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		if v.IsField() || !r.keeps(v, e) {
			r.given[at(r.fset, v.Pos())] = true
		}
	case *types.Pointer: // to an array
		r.given[at(r.fset, v.Pos())] = true
	}
}

// define notes that the initial slice or map of v has another name, unless it is new.
func (r *reader) define(v *types.Var, id *ast.Ident) {
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		if !r.definedNew(v, id) {
			r.given[at(r.fset, v.Pos())] = true
		}
	}
}

// copied notes that the receiver of a method is copied.
func (r *reader) copied(sel *types.Selection) {
	if sel == nil || sel.Kind() == types.MethodExpr || !sel.Indirect() && len(sel.Index()) == 1 {
		return // the type of the operand says it all
	}
	t := sel.Obj().(*types.Func).Signature().Recv().Type()
	r.later = append(r.later,
		access{b: r.b, touched: append(r.partsOf(t), target(t), element(t)), kind: reads | plainly})
}

// embedded notes the reads of embedded pointers and interfaces on the way to a field or method.
func (r *reader) embedded(sel *types.Selection) {
	t := sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		if p, is := t.Underlying().(*types.Pointer); is {
			t = p.Elem()
		}
		s, is := t.Underlying().(*types.Struct)
		if !is {
			return
		}
		f := s.Field(i)
		if t = f.Type(); kernel.Is[*types.Pointer](t) || types.IsInterface(t) {
			r.touch(at(r.fset, f.Origin().Pos()), reads|plainly)
		}
	}
}

// results notes that a return statement assigns to results that have names.
func (r *reader) results(n *ast.ReturnStmt) {
	var t *ast.FuncType
	switch f := r.from.(type) {
	case *ast.FuncDecl:
		t = f.Type
	case *ast.FuncLit:
		t = f.Type
	}
	if t == nil || t.Results == nil || len(n.Results) == 0 {
		return
	}
	for _, f := range t.Results.List {
		for _, id := range f.Names {
			if v := r.info.Defs[id]; v != nil {
				r.touch(at(r.fset, v.Pos()), reads|writes|plainly|own)
			}
		}
	}
}
