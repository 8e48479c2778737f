package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// readableName names the function that c calls as a reader of the package would: "server",
// "http.Serve", "(*Server).loop", and "TestX.func@27" for a literal on line 27.
func (f *file) readableName(c *ast.CallExpr) string {
	e := ast.Unparen(c.Fun)
	switch fun := e.(type) {
	case *ast.FuncLit:
		return fmt.Sprintf("%s.func@%d", f.declName(), f.In.Fset.Position(fun.Pos()).Line)
	case *ast.SelectorExpr:
		if s := f.In.Info.Selections[fun]; s != nil && s.Kind() != types.FieldVal {
			return f.methodName(s.Obj().(*types.Func))
		}
	case *ast.IndexExpr:
		if f.Declared(fun) {
			e = fun.X
		}
	case *ast.IndexListExpr:
		e = fun.X
	}
	return strings.Join(strings.Fields(types.ExprString(e)), " ")
}

// declName names the function around the statement that is being rewritten.
func (f *file) declName() string {
	if f.decl == nil {
		return "init"
	}
	if fn, ok := f.In.Info.Defs[f.decl.Name].(*types.Func); ok {
		return f.methodName(fn)
	}
	return f.decl.Name.Name
}

// methodName names a declared function or method.
func (f *file) methodName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	return f.typeName(recv.Type()) + "." + fn.Name()
}

// typeName names the type of a receiver, without its type arguments.
func (f *file) typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return "(*" + f.typeName(t.Elem()) + ")"
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && p != f.In.Types {
			return p.Name() + "." + t.Obj().Name()
		}
		return t.Obj().Name()
	}
	return t.String()
}
