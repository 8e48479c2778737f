package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// The compiler calls functions and receives from left to right, but reads a variable only where its
// value is needed (cmd/compile/internal/walk/order.go):
//
//	f(x, g())       g is called, x is read, f is called
//	len(x) + g()    x is read, g is called
//	f(x, len(ch))   a function of the runtime looks at ch, x is read, f is called
//
// The last call or receive that stands behind an access and is made before it is the access's host.
// First makes the announcement behind the host:
//
//	f(x, g())       f(x, _rehearse.First(g(), _rehearse.Read(&x, "x at f.go:7")))
//
// If the variable has calls among its own operands, see held.go.

// evaluation answers in which order the operands of a statement are evaluated.
type evaluation struct {
	*facts
	// lifted has the assigned variables, and maps, whose operands are evaluated before their
	// statement.
	lifted map[ast.Expr]lifted
}

// hostOf returns the host of an access to x, and how many results the host has. It is nil if x has
// none.
func (v *evaluation) hostOf(x ast.Expr, parents []ast.Node) (host ast.Expr, results int) {
	v.behind(x, parents, func(rest []ast.Expr, n ast.Node) {
		if h := v.lastCall(rest); h != nil {
			host, results = h, v.resultsOf(h, n)
		}
	})
	return host, results
}

// settled reports whether nothing stands behind x that is evaluated before its value is used and
// can change it. Then the value may be taken at once.
func (v *evaluation) settled(x ast.Expr, parents ...ast.Node) bool {
	settled := true
	v.behind(x, parents, func(rest []ast.Expr, _ ast.Node) {
		settled = settled && !v.mayWait(rest) && !slices.ContainsFunc(rest, v.stores)
	})
	return settled
}

// stores reports whether the evaluation of e calls a predeclared function that writes.
func (v *evaluation) stores(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if c, is := n.(*ast.CallExpr); is {
			name := v.Builtin(c)
			found = found || name == "append" || name == "copy"
		}
		return !found
	})
	return found
}

// behind calls tell for the operands that stand behind x and are evaluated before the value of x is
// used, with the node n that has them. parents are the nodes from x's parent up to the present
// node.
func (v *evaluation) behind(x ast.Expr, parents []ast.Node,
	tell func(rest []ast.Expr, n ast.Node)) {
	child := ast.Node(x)
	visit := func(n ast.Node, above ast.Node) (more bool) {
		rest, more := v.following(n, child, above)
		tell(rest, n)
		child = n
		return more
	}
	for i, n := range parents {
		above := v.parent()
		if i+1 < len(parents) {
			above = parents[i+1]
		}
		if !visit(n, above) {
			return
		}
	}
	for i := len(v.nodes) - 1; i > 0; i-- {
		if !visit(v.nodes[i], v.nodes[i-1]) {
			return
		}
	}
}

// resultsOf returns how many results host has, an operand of n.
func (v *evaluation) resultsOf(host ast.Expr, n ast.Node) int {
	if tuple, is := v.In.Info.TypeOf(host).(*types.Tuple); is {
		return tuple.Len()
	}
	s, assigns := n.(*ast.AssignStmt)
	if assigns && len(s.Lhs) == 2 && len(s.Rhs) == 1 && unit.Receive(ast.Unparen(s.Rhs[0])) != nil {
		return 2
	}
	return 1
}

// following returns the operands of n that stand behind child. If more is false, the value that
// child is part of is taken when n has been evaluated, or before: operands outside of n do not come
// before the access. The node above is the parent of n.
func (v *evaluation) following(n, child, above ast.Node) (rest []ast.Expr, more bool) {
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
		sel := v.In.Info.Selections[n]
		return nil, sel == nil || v.In.PlainAtomics || unit.AtomicType(sel.Obj()) == ""
	case *ast.UnaryExpr:
		return nil, n.Op != token.ARROW
	case *ast.KeyValueExpr:
		return after([]ast.Expr{n.Value}), !v.isMapLiteral(above)
	case *ast.CompositeLit:
		if v.isMapLiteral(n) {
			return nil, false
		}
		return after(n.Elts), !v.boxedIn(n, child)
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			return nil, false
		}
		return after([]ast.Expr{n.Y}), !isComposite(v.typeOf(child)) || v.addressable(child)
	case *ast.IndexExpr:
		x := v.In.Info.TypeOf(n.X)
		// a key that is no integer or string is copied
		if child != n.X && x != nil && unit.IsMapType(x) {
			return nil, v.addressable(child) || isBasic(v.typeOf(child))
		}
		return after([]ast.Expr{n.Index}), true
	case *ast.SliceExpr:
		return after([]ast.Expr{n.Low, n.High, n.Max}), false
	case *ast.TypeAssertExpr:
		return nil, isPointerShaped(v.In.Info.TypeOf(n))
	case *ast.CallExpr:
		return v.followingArgument(n, child, after)
	case *ast.AssignStmt:
		if c, is := above.(*ast.CommClause); is && c.Comm == n || v.isLifted(n) {
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
func (v *evaluation) followingArgument(
	n *ast.CallExpr, child ast.Node, after func(...[]ast.Expr) []ast.Expr,
) (rest []ast.Expr, more bool) {
	switch {
	case v.In.Info.Types[n.Fun].IsType():
		to := v.In.Info.TypeOf(n)
		return nil, !unit.IsSlice(to) && !(types.IsInterface(to) && v.boxed(child))
	case child != n.Fun && v.Builtin(n) == "" && v.boxedArgument(n, child):
		return nil, false
	}
	return after(n.Args), false
}

// boxedArgument reports whether child is an argument of c that goes into an interface at once.
func (v *evaluation) boxedArgument(c *ast.CallExpr, child ast.Node) bool {
	sig, is := v.In.Info.TypeOf(c.Fun).Underlying().(*types.Signature)
	if !is {
		return false
	}
	for i, x := range c.Args {
		if x == child {
			t := parameter(sig, i, c.Ellipsis.IsValid())
			return t != nil && types.IsInterface(t) && !unit.IsTypeParam(t) && v.boxed(child)
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
func (v *evaluation) boxedIn(n *ast.CompositeLit, child ast.Node) bool {
	if kv, is := child.(*ast.KeyValueExpr); is {
		child = kv.Value
	}
	switch t := v.In.Info.TypeOf(n).Underlying().(type) {
	case *types.Struct:
		for i, e := range n.Elts {
			if e == child && i < t.NumFields() {
				return types.IsInterface(t.Field(i).Type()) && v.boxed(child)
			}
			if kv, is := e.(*ast.KeyValueExpr); is && kv.Value == child {
				return types.IsInterface(v.In.Info.TypeOf(kv.Key)) && v.boxed(child)
			}
		}
	default:
		e := elementOf(t)
		return e != nil && types.IsInterface(e) && v.boxed(child)
	}
	return false
}

// boxed reports whether the compiler copies n as soon as it is evaluated, if n goes into an
// interface. It does so with values that a function of the runtime gets the address of, and that
// have none.
func (f *facts) boxed(n ast.Node) bool {
	t := f.typeOf(n)
	if t == nil || types.IsInterface(t) || f.addressable(n) {
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

// isLifted reports whether the left side of s is evaluated in a statement of its own.
func (v *evaluation) isLifted(s *ast.AssignStmt) bool {
	for _, e := range s.Lhs {
		if _, is := v.lifted[ast.Unparen(e)]; is {
			return true
		}
	}
	return false
}

// lastCall returns the last call or receive in a list of expressions, nil if there is none. A call
// that is made only perhaps, as behind &&, is no host; its operator is.
func (v *evaluation) lastCall(list []ast.Expr) ast.Expr {
	for i := len(list) - 1; i >= 0; i-- {
		if !v.mayWait(list[i : i+1]) {
			continue
		}
		return v.lastIn(list[i])
	}
	return nil
}

func (v *evaluation) lastIn(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.CallExpr:
		if v.isCall(e) {
			return e
		}
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return e
		}
	case *ast.BinaryExpr:
		if (e.Op == token.LAND || e.Op == token.LOR) && v.mayWait([]ast.Expr{e.Y}) {
			if t := v.In.Info.TypeOf(e); types.Identical(t, types.Typ[types.Bool]) {
				return e
			}
			return nil
		}
	}
	return v.lastCall(children(e))
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

// host returns the expression behind which nothing waits any more.
func (v *evaluation) host(list []ast.Expr) ast.Expr {
	for i := len(list) - 1; i >= 0; i-- {
		if v.mayWait(list[i : i+1]) {
			return ast.Unparen(list[i])
		}
	}
	return ast.Unparen(list[len(list)-1])
}

// isCommaOk reports whether e may have a second value that says whether there is a first.
func isCommaOk(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// tuples are the functions that take several results, by how many these are.
var tuples = [...]string{2: "Two", 3: "Three", 4: "Four"}
