package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// readableName names the function that c calls as a reader of the package would: "server",
// "http.Serve", "(*Server).loop", and "TestX.func@27" for a literal on line 27.
func (p *pass) readableName(c *ast.CallExpr) string {
	e := ast.Unparen(c.Fun)
	switch fun := e.(type) {
	case *ast.FuncLit:
		return fmt.Sprintf("%s.func@%d", p.declName(), p.In.Fset.Position(fun.Pos()).Line)
	case *ast.SelectorExpr:
		if s := p.In.Info.Selections[fun]; s != nil && s.Kind() != types.FieldVal {
			return p.methodName(s.Obj().(*types.Func))
		}
	case *ast.IndexExpr:
		if p.Declared(fun) {
			e = fun.X
		}
	case *ast.IndexListExpr:
		e = fun.X
	}
	return strings.Join(strings.Fields(types.ExprString(e)), " ")
}

// declName names the function around the statement that is being rewritten.
func (p *pass) declName() string {
	if p.decl == nil {
		return "init"
	}
	if fn, ok := p.In.Info.Defs[p.decl.Name].(*types.Func); ok {
		return p.methodName(fn)
	}
	return p.decl.Name.Name
}

// methodName names a declared function or method.
func (p *pass) methodName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	return p.typeName(recv.Type()) + "." + fn.Name()
}

// typeName names the type of a receiver, without its type arguments.
func (p *pass) typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return "(*" + p.typeName(t.Elem()) + ")"
	case *types.Named:
		if in := t.Obj().Pkg(); in != nil && in != p.In.Types {
			return in.Name() + "." + t.Obj().Name()
		}
		return t.Obj().Name()
	}
	return t.String()
}
