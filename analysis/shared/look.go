package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// passed notes that a function of the library looks at what its arguments lead to.
func (r *reader) passed(n *ast.CallExpr) {
	fn := r.function(n)
	if fn == nil {
		return
	}
	if usesStream(&r.outside, fn) {
		r.emits()
	}
	for i, e := range n.Args {
		k, looks := Looks(fn, i)
		if marshals, compares := Deep(fn, i); marshals || compares {
			r.reached(e, reads)
		}
		if writing, is := Given(fn, i); is {
			r.reached(e, kindOfLook(writing))
		}
		if !looks {
			if mayWrite(r.outside.paths, fn, i) && Watchable(r.info.TypeOf(e)) != nil {
				r.reached(e, reads|writes)
				if u, is := ast.Unparen(e).(*ast.UnaryExpr); is && u.Op == token.AND {
					changes(r, ast.Unparen(u.X), reads|writes|plainly)
				}
			}
			continue
		}
		r.elements(e, kindOfLook(k))
		if p, is := r.info.TypeOf(e).Underlying().(*types.Pointer); is {
			touched := append(r.partsOf(p.Elem()), target(p.Elem()), element(p.Elem()))
			r.later = append(r.later,
				access{b: r.b, touched: touched, kind: kindOfLook(k) | plainly})
		}
	}
}

// emits notes that some stream of the library is changed.
func (r *reader) emits() {
	r.later = append(r.later,
		access{b: r.b, touched: streams, kind: reads | writes | plainly})
}

// reached notes that every variable that e leads to is touched, as far as its type tells.
func (r *reader) reached(e ast.Expr, k kind) {
	r.elements(e, k)
	var touched []key
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			touched = append(append(touched, r.partsOf(u.Elem())...), target(u.Elem()),
				element(u.Elem()))
			visit(u.Elem())
		case *types.Slice:
			touched = append(append(touched, r.partsOf(u.Elem())...), element(u.Elem()))
			visit(u.Elem())
		case *types.Map:
			touched = append(touched, mapped(u))
			visit(u.Elem())
		case *types.Array:
			visit(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				visit(f.Type())
			}
		}
	}
	if t := r.info.TypeOf(e); t != nil {
		visit(t)
	}
	r.later = append(r.later, access{b: r.b, touched: touched, kind: k | plainly})
}

func kindOfLook(writing bool) kind {
	if writing {
		return reads | writes
	}
	return reads
}

// used notes that a method of the library changes its receiver, or reads it.
func (r *reader) used(n *ast.SelectorExpr, fn *types.Func) {
	if writing, is := MapMethod(fn); is {
		r.elements(n.X, kindOfLook(writing))
		return
	}
	writing, is := Unguarded(fn)
	if !is {
		return
	}
	t := fn.Signature().Recv().Type().(*types.Pointer).Elem()
	k := kindOfLook(writing) | plainly
	r.later = append(r.later,
		access{b: r.b, touched: append(r.partsOf(t), target(t), element(t)), kind: k})
	changes(r, ast.Unparen(n.X), k)
}

// changes notes that the variable that e denotes is touched as a whole.
func changes(r *reader, e ast.Expr, k kind) {
	switch x := e.(type) {
	case *ast.Ident:
		if v, ok := r.info.Uses[x].(*types.Var); ok && !kernel.Is[*types.Pointer](v.Type()) {
			r.access(x, []key{at(r.fset, v.Pos())}, k)
		}
	case *ast.SelectorExpr:
		if v, ok := r.info.Uses[x.Sel].(*types.Var); ok && !kernel.Is[*types.Pointer](v.Type()) {
			r.access(x, []key{at(r.fset, v.Origin().Pos())}, k)
		}
	}
}
