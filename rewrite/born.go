package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// born numbers the objects of synchronisation in a struct that is made here, &T{} or new(T). Other
// objects get their numbers when they are first used, and a search does not know then whether two
// whole steps of two executions have used one object.
func (ch *channels) born(n ast.Expr) {
	if !ch.In.Births {
		return
	}
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if _, ok := ast.Unparen(n.X).(*ast.CompositeLit); !ok || n.Op != token.AND {
			return
		}
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); !ok || id.Name != "new" || !ch.Universe("new", n.Pos()) {
			return
		}
	}
	ptr, ok := types.Unalias(ch.In.Info.TypeOf(n)).(*types.Pointer)
	if !ok || !synchronises(ptr.Elem(), 0) {
		return
	}
	ch.Open(n, ch.Hooked("Born"))
	ch.Close(n, ")")
}

// synchronises reports whether a struct has an object of package sync, or an atomic variable.
func synchronises(t types.Type, depth int) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 8 {
		return false
	}
	for v := range s.Fields() {
		if named, ok := types.Unalias(v.Type()).(*types.Named); ok && named.Obj().Pkg() != nil {
			if path := named.Obj().Pkg().Path(); path == "sync" || path == unit.AtomicPath {
				return true
			}
		}
		if synchronises(v.Type(), depth+1) {
			return true
		}
	}
	return false
}
