package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Variables of the standard library that the program assigns to, or takes the address of, are put
// back before each execution:
//
//	http.DefaultClient.Timeout = 3     func init() { _rehearse.Setting(func() func() { p := &http.DefaultClient.Timeout; v := *p; return func() { *p = v } }) }
//
// That is the variable itself, and nothing that it leads to.

// outside notes the variables of the library that n assigns to.
func (f *file) outside(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.outsideVar(n.Lhs...)
		}
	case *ast.IncDecStmt:
		f.outsideVar(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.outsideVar(n.X)
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			f.outsideVar(n.Key, n.Value)
		}
	}
}

func (f *file) outsideVar(list ...ast.Expr) {
	for _, e := range list {
		if e == nil || f.In.Library == nil || f.IsCgo() || !f.isLibraryVar(e) {
			continue
		}
		if text := types.ExprString(ast.Unparen(e)); !slices.Contains(f.settings, text) {
			f.settings = append(f.settings, text)
		}
	}
}

// isLibraryVar reports whether e is a package-level variable of the library, or a field below it,
// by selectors alone.
func (f *file) isLibraryVar(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		if name, ok := f.In.Info.Uses[id].(*types.PkgName); ok {
			v, is := f.In.Info.Uses[sel.Sel].(*types.Var)
			return is && v.Pkg() == name.Imported() && f.In.Library(v.Pkg().Path())
		}
	}
	s := f.In.Info.Selections[sel]
	return s != nil && s.Kind() == types.FieldVal && f.isLibraryVar(sel.X)
}

// putBack makes package hook put them back.
func (f *file) putBack() {
	for _, text := range f.settings {
		f.AtEnd("; func init() { " + f.Hooked("Setting") + "func() func() { p := &" + text +
			"; v := *p; return func() { *p = v } }) }")
	}
}
