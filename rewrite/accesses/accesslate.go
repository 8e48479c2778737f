package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// The compiler calls functions and receives from left to right, but reads a variable only where its
// value is needed (cmd/compile/internal/walk/order.go):
//
//	f(x, g())       g is called, x is read, f is called
//	len(x) + g()    x is read, g is called
//
// The last call or receive that stands behind an access and is made before it is the access's host.
// First makes the announcement behind the host:
//
//	f(x, g())       f(x, _rehearse.First(g(), _rehearse.Read(&x, "x at f.go:7")))
//
// If the variable has calls among its own operands, see accessheld.go.

// late announces an access to x behind its host. It reports false if x has none. The announcement
// is a call of function with x between address and path. parents are the nodes from x's parent up
// to the present node.
func (a *accesses) late(
	x ast.Expr, function, address, path, what string, parents ...ast.Node,
) bool {
	if a.In.Live {
		return false
	}
	host, results := a.hostOf(x, parents)
	return a.atHost(host, results, x, function, address, path, what)
}

// atHost makes the announcement behind a host that is known; false if it is nil, or has too many
// results.
func (a *accesses) atHost(
	host ast.Expr, results int, x ast.Expr, function, address, path, what string,
) bool {
	if host == nil || results >= len(tuples) {
		return false
	}
	text, plain := a.plain(x)
	if a.mayWait([]ast.Expr{x}) {
		text, plain = a.held(x)
	}
	if !plain {
		return false
	}
	open, end := a.Hooked("First"), ", "
	if results > 1 {
		open, end = a.Hooked(tuples[results]), ").After("
	}
	a.edit(host, func() {
		a.Open(host, open)
		a.Close(host, end+a.Hooked(function)+address+text+path+", "+what+"))")
	})
	return true
}

// plain returns the text of x, if that means the same at the host: nothing in it is rewritten but
// accesses, which are announced there, too.
func (a *accesses) plain(x ast.Expr) (text string, ok bool) {
	text = string(a.Src[a.Offset(x.Pos()):a.Offset(x.End())])
	ok = !strings.Contains(text, "\n")
	ast.Inspect(x, func(n ast.Node) bool {
		_, function := n.(*ast.FuncLit)
		ok = ok && !function
		return ok
	})
	return text, ok
}

// hostOf returns the host of an access to x, and how many results the host has. It is nil if x has
// none.
func (a *accesses) hostOf(x ast.Expr, parents []ast.Node) (host ast.Expr, results int) {
	child := ast.Node(x)
	visit := func(n ast.Node, above ast.Node) (more bool) {
		rest, more := a.following(n, child, above)
		if h := a.lastCall(rest); h != nil {
			host, results = h, a.resultsOf(h, n)
		}
		child = n
		return more
	}
	for i, n := range parents {
		above := a.parent()
		if i+1 < len(parents) {
			above = parents[i+1]
		}
		if !visit(n, above) {
			return host, results
		}
	}
	for i := len(a.path) - 1; i > 0; i-- {
		if !visit(a.path[i], a.path[i-1]) {
			break
		}
	}
	return host, results
}

// resultsOf returns how many results host has, an operand of n.
func (a *accesses) resultsOf(host ast.Expr, n ast.Node) int {
	if tuple, is := a.In.Info.TypeOf(host).(*types.Tuple); is {
		return tuple.Len()
	}
	s, assigns := n.(*ast.AssignStmt)
	if assigns && len(s.Lhs) == 2 && len(s.Rhs) == 1 && unit.Receive(ast.Unparen(s.Rhs[0])) != nil {
		return 2
	}
	return 1
}

// following returns the operands of n that stand behind child. more is false if the value that
// child is part of is taken when n has been evaluated, or before: what stands further behind does
// not come before the access. above is the parent of n.
func (a *accesses) following(n, child, above ast.Node) (rest []ast.Expr, more bool) {
	after := func(lists ...[]ast.Expr) []ast.Expr {
		for _, list := range lists {
			for _, e := range list {
				if e != nil && e.Pos() >= child.End() {
					rest = append(rest, e)
				}
			}
		}
		return rest
	}
	switch n := n.(type) {
	case *ast.ParenExpr, *ast.StarExpr:
		return nil, true
	case *ast.SelectorExpr: // package hook gets the receiver of an atomic operation at once
		sel := a.In.Info.Selections[n]
		return nil, sel == nil || a.In.PlainAtomics || unit.AtomicType(sel.Obj()) == ""
	case *ast.UnaryExpr:
		return nil, n.Op != token.ARROW
	case *ast.KeyValueExpr:
		return after([]ast.Expr{n.Value}), !a.isMapLiteral(above)
	case *ast.CompositeLit:
		if a.isMapLiteral(n) {
			return nil, false
		}
		return after(n.Elts), !a.boxedIn(n, child)
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			return nil, false
		}
		return after([]ast.Expr{n.Y}), !isComposite(a.typeOf(child)) || a.addressable(child)
	case *ast.IndexExpr:
		// A key that is no integer or string is copied.
		x := a.In.Info.TypeOf(n.X)
		// a key that is no integer or string is copied
		if child != n.X && x != nil && unit.IsMapType(x) {
			return nil, a.addressable(child) || isBasic(a.typeOf(child))
		}
		return after([]ast.Expr{n.Index}), true
	case *ast.SliceExpr:
		return after([]ast.Expr{n.Low, n.High, n.Max}), false
	case *ast.TypeAssertExpr:
		return nil, isPointerShaped(a.In.Info.TypeOf(n))
	case *ast.CallExpr:
		return a.followingArgument(n, child, after)
	case *ast.AssignStmt:
		if c, is := above.(*ast.CommClause); is && c.Comm == n || a.isLifted(n) {
			return nil, false
		}
		return after(n.Lhs, n.Rhs), false
	case *ast.ReturnStmt:
		return after(n.Results), false
	case *ast.ValueSpec:
		return after(n.Values), false
	}
	return nil, false
}

// followingArgument is following for a call, of which child is an argument or the function.
func (a *accesses) followingArgument(
	n *ast.CallExpr, child ast.Node, after func(...[]ast.Expr) []ast.Expr,
) (rest []ast.Expr, more bool) {
	switch {
	case a.In.Info.Types[n.Fun].IsType():
		to := a.In.Info.TypeOf(n)
		return nil, !unit.IsSlice(to) && !(types.IsInterface(to) && a.boxed(child))
	case child != n.Fun && a.Builtin(n) == "" && a.boxedArgument(n, child):
		return nil, false
	}
	return after(n.Args), false
}

// boxedArgument reports whether child is an argument of c that goes into an interface at once.
func (a *accesses) boxedArgument(c *ast.CallExpr, child ast.Node) bool {
	sig, is := a.In.Info.TypeOf(c.Fun).Underlying().(*types.Signature)
	if !is {
		return false
	}
	for i, x := range c.Args {
		if x == child {
			t := parameter(sig, i, c.Ellipsis.IsValid())
			return t != nil && types.IsInterface(t) && !unit.IsTypeParam(t) && a.boxed(child)
		}
	}
	return false
}

// parameter returns the type of what the i-th argument of a call is passed as.
func parameter(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	switch {
	case last < 0:
		return nil
	case i < last || !sig.Variadic() || spread:
		return sig.Params().At(min(i, last)).Type()
	}
	return elementOf(sig.Params().At(last).Type())
}

// boxedIn reports whether child is an element of a literal that goes into an interface at once.
func (a *accesses) boxedIn(n *ast.CompositeLit, child ast.Node) bool {
	if kv, is := child.(*ast.KeyValueExpr); is {
		child = kv.Value
	}
	switch t := a.In.Info.TypeOf(n).Underlying().(type) {
	case *types.Struct:
		for i, e := range n.Elts {
			if e == child && i < t.NumFields() {
				return types.IsInterface(t.Field(i).Type()) && a.boxed(child)
			}
			if kv, is := e.(*ast.KeyValueExpr); is && kv.Value == child {
				return types.IsInterface(a.In.Info.TypeOf(kv.Key)) && a.boxed(child)
			}
		}
	default:
		e := elementOf(t)
		return e != nil && types.IsInterface(e) && a.boxed(child)
	}
	return false
}

// boxed reports whether the compiler copies n as soon as it is evaluated, if n goes into an
// interface. It does so with values that a function of the runtime gets the address of, and that
// have none.
func (a *accesses) boxed(n ast.Node) bool {
	t := a.typeOf(n)
	if t == nil || types.IsInterface(t) || a.addressable(n) {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch size := sizes.Sizeof(t); {
		case t.Info()&types.IsString != 0:
			return false
		case t.Kind() == types.UnsafePointer:
			return true
		default:
			return size != 2 && size != 4 && size != 8
		}
	case *types.Slice:
		return false
	}
	return true
}

// sizes are the compiler's.
var sizes = types.SizesFor("gc", "amd64")

// isLifted reports whether what s assigns to is evaluated in a statement of its own.
func (a *accesses) isLifted(s *ast.AssignStmt) bool {
	for _, e := range s.Lhs {
		if _, is := a.lifted[ast.Unparen(e)]; is {
			return true
		}
	}
	return false
}

func (a *accesses) isMapLiteral(n ast.Node) bool {
	_, is := n.(*ast.CompositeLit)
	t := a.typeOf(n)
	return is && t != nil && unit.IsMapType(t)
}

func (a *accesses) typeOf(n ast.Node) types.Type {
	if e, is := n.(ast.Expr); is {
		return a.In.Info.TypeOf(e)
	}
	return nil
}

func (a *accesses) addressable(n ast.Node) bool {
	e, is := n.(ast.Expr)
	return is && a.In.Info.Types[e].Addressable()
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

func isBasic(t types.Type) bool {
	if t == nil {
		return false
	}
	b, is := t.Underlying().(*types.Basic)
	return is && b.Info()&(types.IsInteger|types.IsString) != 0
}

// lastCall returns the last call or receive in a list of expressions, nil if there is none. A call
// that is perhaps made is no host, but the operator is that decides.
func (a *accesses) lastCall(list []ast.Expr) ast.Expr {
	for i := len(list) - 1; i >= 0; i-- {
		if !a.mayWait(list[i : i+1]) {
			continue
		}
		return a.lastIn(list[i])
	}
	return nil
}

func (a *accesses) lastIn(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.CallExpr:
		if !a.In.Info.Types[e.Fun].IsType() && !a.In.Info.Types[e.Fun].IsBuiltin() {
			return e
		}
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return e
		}
	case *ast.BinaryExpr:
		if (e.Op == token.LAND || e.Op == token.LOR) && a.mayWait([]ast.Expr{e.Y}) {
			if t := a.In.Info.TypeOf(e); types.Identical(t, types.Typ[types.Bool]) {
				return e
			}
			return nil
		}
	}
	return a.lastCall(children(e))
}

// children returns the expressions right below e.
func children(e ast.Expr) (list []ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if n == e {
			return true
		}
		if x, is := n.(ast.Expr); is {
			list = append(list, x)
		}
		return false
	})
	return list
}
