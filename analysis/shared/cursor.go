package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// cursor is a place in the code of one body. Its methods answer how the present node is used there,
// from the syntax around it; they note nothing.
type cursor struct {
	info    *types.Info
	inOrder bool       // as in Package
	from    ast.Node   // the declaration or literal of the body
	path    []ast.Node // from there down to the present node
}

func (c *cursor) parent() ast.Node {
	if len(c.path) == 0 {
		return nil
	}
	return c.path[len(c.path)-1]
}

// looped reports whether the present node is in a loop of its body.
func (c *cursor) looped() bool {
	for _, n := range c.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}

// started reports whether a call is that of a go statement.
func (c *cursor) started(call *ast.CallExpr) bool {
	if len(c.path) < 2 {
		return false
	}
	s, ok := c.path[len(c.path)-2].(*ast.GoStmt)
	return ok && s.Call == call
}

// builtin returns the name of the predeclared function that n calls, or "".
func (c *cursor) builtin(n *ast.CallExpr) string {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := c.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// function returns the function that call calls by its name, or nil.
func (c *cursor) function(call *ast.CallExpr) *types.Func {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, _ := c.info.Uses[f].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := c.info.Uses[f.Sel].(*types.Func)
		return fn
	}
	return nil
}

// isService reports whether b, the present node, is the body of a service, or of laps.
func (c *cursor) isService(b *ast.BlockStmt) bool {
	s, is := c.parent().(ast.Stmt)
	return is && c.isBodyOf(s, b)
}

// isBodyOf reports whether b is the body of s, and s is a service, or has laps.
func (c *cursor) isBodyOf(s ast.Stmt, b *ast.BlockStmt) bool {
	if c.inOrder {
		return false
	}
	body, _ := Service(c.info, s)
	return body == b || Laps(c.info, s) == b
}

// kindOf says whether e, or an element of it, is written where it stands.
func (c *cursor) kindOf(e ast.Expr) kind {
	for i := len(c.path) - 1; i >= 0; i-- {
		switch n := c.path[i].(type) {
		case *ast.ParenExpr:
			e = n
		case *ast.IndexExpr:
			if n.X != e {
				return reads | plainly
			}
			e = n
		case *ast.SelectorExpr:
			// a field of a struct that e is; behind a pointer it is another variable
			sel := c.info.Selections[n]
			if n.X == e && sel != nil && isAtomic(sel.Obj()) {
				return atomically(sel.Obj())
			}
			if n.X != e || sel == nil || sel.Kind() != types.FieldVal || sel.Indirect() {
				return reads | plainly
			}
			e = n
		case *ast.AssignStmt: // := may assign to a variable that there is already
			return written(slices.Contains(n.Lhs, e))
		case *ast.IncDecStmt:
			return writes | reads | plainly
		case *ast.RangeStmt:
			return written(n.Tok == token.ASSIGN && (n.Key == e || n.Value == e))
		case *ast.UnaryExpr: // its address
			if n.Op == token.AND && i > 0 {
				return c.addressed(n, c.path[i-1])
			}
			return reads | plainly
		case *ast.CallExpr:
			name := c.builtin(n)
			return written((name == "delete" || name == "clear") && n.Args[0] == e)
		default:
			return reads | plainly
		}
	}
	return reads | plainly
}

// addressed says how a variable is touched whose address n is: by a function of package
// sync/atomic, if that gets it.
func (c *cursor) addressed(n *ast.UnaryExpr, parent ast.Node) kind {
	call, ok := parent.(*ast.CallExpr)
	if !ok {
		return reads | plainly
	}
	fn := c.function(call)
	if fn == nil || !isAtomic(fn) || len(call.Args) == 0 || ast.Unparen(call.Args[0]) != n {
		return reads | plainly
	}
	return atomically(fn)
}

// isAtomic reports whether f is a function or a method of package sync/atomic.
func isAtomic(f types.Object) bool {
	_, is := f.(*types.Func)
	return is && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic"
}

// atomically says how a function or method of package sync/atomic touches its variable.
func atomically(f types.Object) kind {
	if strings.HasPrefix(f.Name(), "Load") {
		return reads
	}
	return reads | writes
}

func written(is bool) kind {
	if is {
		return writes | reads | plainly
	}
	return reads | plainly
}

// rootOf returns the variable that e is a part of, or an element of whose slice or map.
func (c *cursor) rootOf(fset *token.FileSet, e ast.Expr) (root key, inside bool) {
	for {
		if v := Root(c.info, e); v != nil {
			return at(fset, v.Pos()), inside
		}
		switch n := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if sel := c.info.Selections[n]; sel == nil || sel.Indirect() {
				return "", false
			}
			e = n.X
		case *ast.IndexExpr:
			switch c.info.TypeOf(n.X).Underlying().(type) {
			case *types.Array:
			case *types.Slice, *types.Map:
				if inside {
					return "", false
				}
				inside = true
			default:
				return "", false
			}
			e = n.X
		default:
			return "", false
		}
	}
}

// isWhole reports whether e is used where it stands, and not a part of it, its address or its
// length.
func (c *cursor) isWhole(e ast.Expr) bool {
	for i := len(c.path) - 1; i >= 0; i-- {
		switch n := c.path[i].(type) {
		case *ast.ParenExpr:
			e = n
			continue
		case *ast.SelectorExpr:
			return n.X == e && c.isValueMethod(n)
		case *ast.IndexExpr:
			return n.X != e
		case *ast.SliceExpr:
			return n.X != e
		case *ast.UnaryExpr:
			return n.Op != token.AND
		case *ast.CallExpr:
			name := c.builtin(n)
			return name != "len" && name != "cap"
		}
		break
	}
	return true
}

// isValueMethod reports whether n is a method whose receiver is a copy.
func (c *cursor) isValueMethod(n *ast.SelectorExpr) bool {
	sel := c.info.Selections[n]
	if sel == nil {
		return false
	}
	fn, is := sel.Obj().(*types.Func)
	return is && fn.Signature().Recv() != nil &&
		!kernel.Is[*types.Pointer](fn.Signature().Recv().Type())
}

// keeps reports whether the use e of v gives its slice or map no other name.
func (c *cursor) keeps(v *types.Var, e ast.Expr) bool {
	switch n := c.parent().(type) {
	case *ast.IndexExpr:
		return n.X == e
	case *ast.RangeStmt:
		return n.X == e
	case *ast.CallExpr:
		switch c.builtin(n) {
		case "len", "cap", "delete", "clear", "copy":
			return true
		case "append":
			return n.Args[0] != e && n.Ellipsis.IsValid() || n.Args[0] == e && c.backTo(v, n)
		}
		return false
	case *ast.BinaryExpr: // with nil
		return true
	case *ast.AssignStmt:
		return c.assignedNew(v, n, e)
	}
	return false
}

func (c *cursor) definedNew(v *types.Var, id *ast.Ident) bool {
	switch n := c.parent().(type) {
	case *ast.AssignStmt:
		return c.assignedNew(v, n, id)
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if name == id {
				return len(n.Values) == 0 ||
					len(n.Values) == len(n.Names) && c.isNew(v, n.Values[i])
			}
		}
	}
	return false
}

// assignedNew reports whether n assigns to e, which is v, a slice or map that nobody knows of.
func (c *cursor) assignedNew(v *types.Var, n *ast.AssignStmt, e ast.Expr) bool {
	for i, l := range n.Lhs {
		if l == e {
			return len(n.Lhs) == len(n.Rhs) && c.isNew(v, n.Rhs[i])
		}
	}
	return false
}

// isNew reports whether e is a slice or map that nobody knows of but v.
func (c *cursor) isNew(v *types.Var, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		name := c.builtin(e)
		return name == "make" || name == "append" && c.names(e.Args[0], v)
	}
	return c.info.Types[e].IsNil()
}

// backTo reports whether what call, the parent of the present node, returns is assigned to v.
func (c *cursor) backTo(v *types.Var, call *ast.CallExpr) bool {
	if len(c.path) < 2 {
		return false
	}
	s, ok := c.path[len(c.path)-2].(*ast.AssignStmt)
	return ok && len(s.Lhs) == 1 && len(s.Rhs) == 1 && s.Rhs[0] == call && c.names(s.Lhs[0], v)
}

func (c *cursor) names(e ast.Expr, v *types.Var) bool {
	id, ok := e.(*ast.Ident)
	return ok && (c.info.Uses[id] == v || c.info.Defs[id] == v)
}

// Root returns the variable that e is, or is a part of, by fields and elements of arrays; nil if it
// is behind a pointer, or no variable with a name of its own.
func Root(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal &&
			!sel.Indirect() {
			return Root(info, e.X)
		}
	case *ast.IndexExpr:
		if _, ok := info.TypeOf(e.X).Underlying().(*types.Array); ok {
			return Root(info, e.X)
		}
	}
	return nil
}
