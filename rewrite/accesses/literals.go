package accesses

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Literals tells package hook that each function whose code is in the file does what the file says,
// if the file has function literals in generic functions: by their names alone, these cannot be
// told from what the compiler makes of a function of another package, or of a method, that is used
// as a value.
func Literals(f *unit.File) {
	if f.Announces() && hasGenericLiterals(f.Syntax) && !makesValues(f) {
		f.AtEnd("; func init() { " + f.Hooked("Literals") + ") }")
	}
}

// hasGenericLiterals reports whether a file has function literals in generic functions.
func hasGenericLiterals(file *ast.File) (has bool) {
	for _, d := range file.Decls {
		fn, is := d.(*ast.FuncDecl)
		if !is || fn.Body == nil || !isGeneric(fn) {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			_, is := n.(*ast.FuncLit)
			has = has || is
			return !has
		})
	}
	return has
}

// isGeneric reports whether fn, or the type of its receiver, has type parameters.
func isGeneric(fn *ast.FuncDecl) (is bool) {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Type.TypeParams != nil
	}
	switch t := ast.Unparen(fn.Recv.List[0].Type).(type) {
	case *ast.StarExpr:
		ast.Inspect(t, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.IndexExpr, *ast.IndexListExpr:
				is = true
			}
			return true
		})
	case *ast.IndexExpr, *ast.IndexListExpr:
		is = true
	}
	return is
}

// makesValues reports whether the file uses as a value a function of another package, or a method.
func makesValues(f *unit.File) (makes bool) {
	called := map[*ast.Ident]bool{}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fun := ast.Unparen(n.Fun)
			switch i := fun.(type) {
			case *ast.IndexExpr:
				fun = i.X
			case *ast.IndexListExpr:
				fun = i.X
			}
			if id := unit.LastIdent(fun); id != nil {
				called[id] = true
			}
		case *ast.Ident:
			fn, is := f.In.Info.Uses[n].(*types.Func)
			makes = makes || is && !called[n] &&
				(fn.Pkg() != f.In.Types || fn.Signature().Recv() != nil)
		}
		return !makes
	})
	return makes
}
