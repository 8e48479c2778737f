package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// facts answers what the types say of expressions, and which variables several processes may touch.
type facts struct {
	*unit.File
	*path
	lists map[ast.Expr]string // the uses of lists: see findLists
	given given
}

// given has the lists that calls give, in a declaration.
type given struct {
	uses  map[ast.Expr]bool // of variables that take them
	takes map[*ast.AssignStmt]taking
	gives bool // the function returns a list
}

// taking is a call whose result may be a list.
type taking struct {
	stmt *ast.AssignStmt
	id   *ast.Ident // the variable that takes the result
	fn   *types.Func
}

func (f *facts) objectOf(id *ast.Ident) *types.Var {
	v, _ := f.In.Info.Uses[id].(*types.Var)
	return v
}

// isShared reports whether several processes may touch the variable that e denotes, or a part of
// it.
func (f *facts) isShared(e ast.Expr) bool {
	e = ast.Unparen(e)
	t := f.In.Info.TypeOf(e)
	switch n := e.(type) {
	case *ast.Ident:
		v := f.objectOf(n)
		return v != nil && !v.IsField() && n.Name != "_" && (f.In.Shared.Var(v) || f.parts(t)) &&
			!f.isOwn(e)
	case *ast.SelectorExpr:
		v := f.objectOf(n.Sel)
		return v != nil && (f.In.Shared.Var(v) || f.parts(t) || f.inGeneric(n.X)) && !f.isOwn(e)
	case *ast.StarExpr:
		return unit.IsTypeParam(t) || f.In.Shared.Target(t) || f.parts(t)
	case *ast.IndexExpr:
		return f.elementShared(n.X)
	}
	return false
}

// localShared reports whether several processes may touch a variable of a function, or a part of
// it.
func (f *facts) localShared(v *types.Var) bool {
	return (f.In.Shared.Var(v) || f.parts(v.Type())) && !f.In.Shared.Own(v)
}

// inGeneric reports whether e is shared, and a variable whose type is a type parameter in generic
// code: that touches it as a whole.
func (f *facts) inGeneric(e ast.Expr) bool {
	v := f.named(ast.Unparen(e))
	return v != nil && unit.IsTypeParam(v.Origin().Type()) && f.In.Shared.Var(v)
}

// parts reports whether several processes may touch a part of a variable of type t.
func (f *facts) parts(t types.Type) bool { return isComposite(t) && f.In.Shared.Parts(t) }

// isOwn reports whether e is a part of a variable that nobody else can touch, even if that part is
// shared in other variables.
func (f *facts) isOwn(e ast.Expr) bool {
	root := shared.Root(f.In.Info, e)
	return root != nil && f.In.Shared.Own(root)
}

// named returns the variable that e names.
func (f *facts) named(e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.Ident:
		return f.objectOf(e)
	case *ast.SelectorExpr:
		return f.objectOf(e.Sel)
	}
	return nil
}

// elementShared reports whether several processes may touch an element of x, a slice, array, or
// pointer to one.
func (f *facts) elementShared(x ast.Expr) bool {
	x = ast.Unparen(x)
	t := elementOf(f.In.Info.TypeOf(x))
	v := f.named(x)
	switch {
	case t == nil:
		return false
	case v != nil && f.In.Shared.Var(v) && !f.isOwn(x):
		return true
	case unit.IsArray(f.In.Info.TypeOf(x)):
		return !f.isOwn(x) && (f.In.Shared.Element(t) || f.parts(t))
	}
	return !f.keeps(v) && (f.In.Shared.Element(t) || f.parts(t) || unit.IsTypeParam(t))
}

// mapShared reports whether several processes may touch the map x.
func (f *facts) mapShared(x ast.Expr) bool {
	t := f.In.Info.TypeOf(x)
	v := f.named(ast.Unparen(x))
	return t != nil && unit.IsMapType(t) &&
		(v != nil && f.In.Shared.Var(v) || !f.keeps(v) && f.In.Shared.Map(t))
}

// sliceShared reports whether x is a slice with elements that several processes may touch.
func (f *facts) sliceShared(x ast.Expr) bool {
	t := f.In.Info.TypeOf(x)
	return t != nil && unit.IsSlice(t) && f.elementShared(x)
}

// keeps reports whether v is a variable whose slice or map only its own goroutine can touch.
func (f *facts) keeps(v *types.Var) bool {
	return v != nil && !v.IsField() && f.In.Shared.Keeps(v)
}

// isBytes reports whether e is a slice of bytes whose elements several processes may touch.
func (f *facts) isBytes(e ast.Expr) bool {
	t := f.In.Info.TypeOf(e)
	if t == nil || !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
		return false
	}
	return f.sliceShared(e)
}

// all is the end of the name of the function that announces an access to e.
func (f *facts) all(e ast.Expr) string {
	if t := f.In.Info.TypeOf(e); isComposite(t) || unit.IsTypeParam(t) {
		return "All"
	}
	return ""
}

func (f *facts) allOf(id *ast.Ident) string {
	if t := f.In.Info.Defs[id].Type(); isComposite(t) || unit.IsTypeParam(t) {
		return "All"
	}
	return ""
}

// isComposite reports whether a variable of type t consists of others.
func isComposite(t types.Type) bool {
	if t == nil || unit.IsTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// elementOf returns the type of the elements of a slice, array, or pointer to one; nil if t is none
// of these.
func elementOf(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Pointer:
		if unit.IsArray(t.Elem()) {
			return elementOf(t.Elem())
		}
	}
	return nil
}

// means reports whether a name stands for v at a position.
func (f *facts) means(name string, pos token.Pos, v *types.Var) bool {
	scope := f.In.Types.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(name, pos)
	return obj == v
}

// mayWait reports whether the evaluation of an expression may call functions or receive, or looks
// at a channel's length, for which the compiler calls a function, too.
func (f *facts) mayWait(list []ast.Expr) bool {
	found := false
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || f.isCall(n)
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return !found
		})
	}
	return found
}

// isCall reports whether c calls a function when it is evaluated.
func (f *facts) isCall(c *ast.CallExpr) bool {
	if f.Builtin(c) == "len" {
		return unit.IsChan(f.In.Info.TypeOf(c.Args[0]))
	}
	fun := f.In.Info.Types[c.Fun]
	return !fun.IsType() && !fun.IsBuiltin()
}

// waits reports whether e itself is a call of a function, or a receive.
func (f *facts) waits(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return f.isCall(e)
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// topCalls returns the calls and receives in x that are in no other.
func (f *facts) topCalls(x ast.Expr) (list []ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		e, is := n.(ast.Expr)
		if is && f.waits(e) {
			list = append(list, e)
			return false
		}
		_, function := n.(*ast.FuncLit)
		return !function
	})
	return list
}

// escapes reports whether the address of v is taken in n, or a function literal there has v.
func (f *facts) escapes(v *types.Var, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			ast.Inspect(m.Body, func(k ast.Node) bool {
				id, is := k.(*ast.Ident)
				found = found || is && f.In.Info.Uses[id] == v
				return !found
			})
		case *ast.UnaryExpr:
			found = found || m.Op == token.AND && shared.Root(f.In.Info, m.X) == v
		}
		return !found
	})
	return found
}

func (f *facts) typeOf(n ast.Node) types.Type {
	if e, is := n.(ast.Expr); is {
		return f.In.Info.TypeOf(e)
	}
	return nil
}

func (f *facts) addressable(n ast.Node) bool {
	e, is := n.(ast.Expr)
	return is && f.In.Info.Types[e].Addressable()
}

func (f *facts) isMapLiteral(n ast.Node) bool {
	_, is := n.(*ast.CompositeLit)
	t := f.typeOf(n)
	return is && t != nil && unit.IsMapType(t)
}

// isValue reports whether fun is a variable that holds a function.
func (f *facts) isValue(fun ast.Expr) bool {
	t := f.In.Info.TypeOf(fun)
	if t == nil || unit.IsTypeParam(t) {
		return false
	}
	if _, is := t.Underlying().(*types.Signature); !is {
		return false
	}
	switch e := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		return unit.IsSlice(f.In.Info.TypeOf(e.X))
	case *ast.Ident, *ast.SelectorExpr:
		_, is := f.In.Info.Uses[unit.LastIdent(e)].(*types.Var)
		return is
	}
	return false
}

// isPlain reports whether x is a number, a string or the like, which leads to nothing.
func (f *facts) isPlain(x ast.Expr) bool {
	t := f.In.Info.TypeOf(x)
	if t == nil || unit.IsTypeParam(t) {
		return false
	}
	_, is := t.Underlying().(*types.Basic)
	return is && t.Underlying() != types.Typ[types.UnsafePointer]
}

func isString(t types.Type) bool {
	return kernel.IsString(t) && !unit.IsTypeParam(t)
}

func isBasic(t types.Type) bool {
	return t != nil && (kernel.IsInteger(t) || kernel.IsString(t))
}

// isPointerShaped reports whether an interface holds values of type t without a box.
func isPointerShaped(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

func isSliceOrMap(t types.Type) bool {
	return t != nil && !unit.IsTypeParam(t) && (unit.IsSlice(t) || unit.IsMapType(t))
}
