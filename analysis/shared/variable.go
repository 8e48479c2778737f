package shared

import "go/ast"

// IsVariable reports whether e names a variable, or a field of one.
func IsVariable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return IsVariable(e.X)
	}
	return false
}
