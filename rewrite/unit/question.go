package unit

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Declared reports whether e denotes a declared function, perhaps instantiated: nothing has to be
// evaluated.
func (f *File) Declared(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.Declared(e.X)
	case *ast.IndexListExpr:
		return f.Declared(e.X)
	case *ast.SelectorExpr:
		return f.In.Info.Selections[e] == nil && f.Declared(e.Sel)
	case *ast.Ident:
		_, ok := f.In.Info.Uses[e].(*types.Func)
		return ok
	}
	return false
}

// AskedContext returns x of a call of x.Done() or x.Err(), where x is a context.Context; nil if the
// call is no such question.
func (f *File) AskedContext(call *ast.CallExpr) (x ast.Expr) {
	sel, is := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !is || sel.Sel.Name != "Done" && sel.Sel.Name != "Err" ||
		!IsContext(f.In.Info.TypeOf(sel.X)) {
		return nil
	}
	return ast.Unparen(sel.X)
}

// IsContext reports whether t is context.Context.
func IsContext(t types.Type) bool {
	return t != nil && types.TypeString(types.Unalias(t), nil) == "context.Context"
}

// UntypedValue reports whether e is an untyped expression, given that it is not constant or part of
// one that is not: comparisons, and shifts of untyped constants.
func (f *File) UntypedValue(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && f.UntypedValue(e.X)
	case *ast.BinaryExpr:
		return f.untypedBinary(e)
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return untypedConst(f.In.Info.Uses[e])
	case *ast.SelectorExpr:
		return untypedConst(f.In.Info.Uses[e.Sel])
	}
	return false
}

func (f *File) untypedBinary(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	case token.SHL, token.SHR:
		return f.UntypedValue(e.X)
	}
	return f.UntypedValue(e.X) && f.UntypedValue(e.Y)
}

func untypedConst(obj types.Object) bool {
	c, ok := obj.(*types.Const)
	if !ok {
		return false
	}
	b, ok := c.Type().(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// Is reports whether e is a use of v.
func (f *File) Is(e ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && f.In.Info.Uses[id] == v
}

// Receive returns e as a receive expression, or nil.
func Receive(e ast.Expr) *ast.UnaryExpr {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u
	}
	return nil
}

// IsBlank reports whether e is the blank identifier.
func IsBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

const AtomicPath = "sync/atomic"

// AtomicFunction reports whether fn is a function of package sync/atomic that is to be rewritten.
// Package hook has them under the same names.
func (f *File) AtomicFunction(fn *types.Func) bool {
	return !f.In.PlainAtomics && fn.Pkg().Path() == AtomicPath && fn.Signature().Recv() == nil
}

// StructOf returns the struct type that t is or points to.
func StructOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// AtomicType returns the name of the type of package sync/atomic that obj is a method of, or "".
func AtomicType(obj types.Object) string {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != AtomicPath || fn.Signature().Recv() == nil {
		return ""
	}
	p, ok := fn.Signature().Recv().Type().(*types.Pointer)
	if !ok {
		return ""
	}
	named, ok := p.Elem().(*types.Named)
	if !ok {
		return ""
	}
	return named.Obj().Name()
}

// IsMapType reports whether t is a map, and no type parameter that may be one.
func IsMapType(t types.Type) bool {
	_, is := t.Underlying().(*types.Map)
	return is && !IsTypeParam(t)
}

// IsArray reports whether the values of t are arrays.
func IsArray(t types.Type) bool {
	_, is := t.Underlying().(*types.Array)
	return is
}

// IsPointer reports whether the values of t are pointers.
func IsPointer(t types.Type) bool {
	_, is := t.Underlying().(*types.Pointer)
	return is
}

// IsSlice reports whether the values of t are slices, and t is no type parameter.
func IsSlice(t types.Type) bool {
	_, is := t.Underlying().(*types.Slice)
	return is && !IsTypeParam(t)
}
