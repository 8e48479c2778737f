package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// isCounted reports whether s is a loop that ends after a number of iterations, and whose body does
// not mention the variable that counts them: for range n, or for i := 0; i < n; i++.
func isCounted(info *types.Info, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.RangeStmt:
		return s.Key == nil && hasLength(info.TypeOf(s.X))
	case *ast.ForStmt:
		v := counter(info, s)
		cond, is := ast.Unparen(s.Cond).(*ast.BinaryExpr)
		return v != nil && is && compares[cond.Op] && names(info, cond.X, v) &&
			fixed(info, cond.Y) && !mentions(info, s.Body, v)
	}
	return false
}

var compares = map[token.Token]bool{token.LSS: true, token.LEQ: true, token.GTR: true,
	token.GEQ: true, token.NEQ: true}

// hasLength reports whether the number of iterations of a range over a value of type t is known
// when the loop begins: the value itself, an integer, or the length of a slice.
func hasLength(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsInteger != 0
	case *types.Slice:
		return true
	}
	return false
}

// counter returns the only variable that s declares and counts up or down, an integer; nil if there
// is none.
func counter(info *types.Info, s *ast.ForStmt) types.Object {
	init, is := s.Init.(*ast.AssignStmt)
	if !is || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return nil
	}
	v := info.Defs[init.Lhs[0].(*ast.Ident)]
	post, is := s.Post.(*ast.IncDecStmt)
	if v == nil || !is || !names(info, post.X, v) {
		return nil
	}
	if b, is := v.Type().Underlying().(*types.Basic); !is || b.Info()&types.IsInteger == 0 {
		return nil
	}
	return v
}

func names(info *types.Info, e ast.Expr, v types.Object) bool {
	id, is := ast.Unparen(e).(*ast.Ident)
	return is && info.Uses[id] == v
}

// fixed reports whether e is a constant, a variable, or the length or the capacity of one: where
// processes share such a variable, its reads are announced.
func fixed(info *types.Info, e ast.Expr) bool {
	e = ast.Unparen(e)
	call, is := e.(*ast.CallExpr)
	if !is || info.Types[e].Value != nil {
		return IsVariable(e) || info.Types[e].Value != nil
	}
	id, is := ast.Unparen(call.Fun).(*ast.Ident)
	if !is || len(call.Args) != 1 || !IsVariable(call.Args[0]) {
		return false
	}
	_, is = info.Uses[id].(*types.Builtin)
	return is && (id.Name == "cap" || id.Name == "len" &&
		!kernel.Is[*types.Chan](info.TypeOf(call.Args[0])))
}

// mentions reports whether b names v.
func mentions(info *types.Info, b *ast.BlockStmt, v types.Object) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}
