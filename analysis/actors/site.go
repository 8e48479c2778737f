package actors

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// addSites finds the receives of u and the syntax of its functions.
func (p *loops) addSites(u Unit) {
	for _, f := range u.Syntax {
		var stack []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			p.addSite(u, n, stack)
			return true
		})
	}
}

func (p *loops) addSite(u Unit, n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		p.syntax[n.Name.Pos()] = function{u.Info, n, n.Body}
	case *ast.FuncLit:
		p.syntax[n.Pos()] = function{u.Info, n, n.Body}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			p.sites[n.OpPos] = newSite(u.Info, n, stack)
		}
	case *ast.CallExpr:
		s := &site{info: u.Info}
		s.around(stack)
		p.bounds[n.Lparen] = s.bound()
	case *ast.RangeStmt:
		if tv, ok := u.Info.Types[n.X]; ok && kernel.ChanOf(tv.Type) != nil {
			p.sites[n.For] = newRangeSite(u.Info, n, stack)
		}
	}
}

func newRangeSite(info *types.Info, n *ast.RangeStmt, stack []ast.Node) *site {
	s := &site{info: info, operand: n.X, shape: facts.Range, body: n.Body.List, at: n.For}
	s.msg = object(info, n.Key)
	s.around(stack)
	return s
}

// newSite describes the receive expression at the top of stack.
func newSite(info *types.Info, n *ast.UnaryExpr, stack []ast.Node) *site {
	s := &site{info: info, operand: n.X, recv: n, shape: facts.Receive, at: n.OpPos}
	for i := len(stack) - 2; i >= 0; i-- {
		switch parent := stack[i].(type) {
		case *ast.AssignStmt:
			s.assigned(parent.Lhs, parent.Rhs, n)
			s.follow(parent, stack[:i])
		case *ast.ValueSpec:
			s.assigned(exprs(parent.Names), parent.Values, n)
			continue // its declaration statement comes next
		case ast.Stmt:
			s.follow(parent, stack[:i])
		default: // a larger expression
			continue
		}
		break
	}
	s.around(stack)
	return s
}

// assigned notes what the receive expression n, if it is the whole right side, is assigned to.
func (s *site) assigned(lhs, rhs []ast.Expr, n ast.Expr) {
	if len(rhs) != 1 || ast.Unparen(rhs[0]) != n {
		return
	}
	s.msg = object(s.info, lhs[0])
	if len(lhs) == 2 {
		s.shape = facts.CommaOK
	}
}

func exprs(ids []*ast.Ident) []ast.Expr {
	var out []ast.Expr
	for _, id := range ids {
		out = append(out, id)
	}
	return out
}

// object returns the variable that an identifier names, or nil.
func object(info *types.Info, e ast.Expr) types.Object {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	return info.ObjectOf(id)
}

// follow finds the statements after the receive in stmt, which is at the end of stack.
func (s *site) follow(stmt ast.Stmt, stack []ast.Node) {
	for len(stack) > 0 {
		switch parent := stack[len(stack)-1].(type) {
		case *ast.CommClause:
			if parent.Comm == stmt {
				s.shape, s.body, s.at = facts.Select, parent.Body, parent.Case
			} else {
				s.body = from(parent.Body, stmt)
			}
			return
		case *ast.BlockStmt:
			s.body = from(parent.List, stmt)
			return
		case *ast.CaseClause:
			s.body = from(parent.Body, stmt)
			return
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ForStmt:
			// the receive is in its head
			s.body = []ast.Stmt{parent.(ast.Stmt)}
			return
		case ast.Stmt:
			stmt = parent // a labelled statement
		default:
			return
		}
		stack = stack[:len(stack)-1]
	}
}

// from returns the statements of list from stmt on: stmt may use the message itself.
func from(list []ast.Stmt, stmt ast.Stmt) []ast.Stmt {
	for i, x := range list {
		if x == stmt {
			return list[i:]
		}
	}
	return nil
}

// around notes the loops and the functions that the top of stack is in.
func (s *site) around(stack []ast.Node) {
	for _, n := range stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.fn = n
		case *ast.FuncLit:
			s.fn, s.loops = n, nil
		case *ast.ForStmt, *ast.RangeStmt:
			s.loops = append(s.loops, n.(ast.Stmt))
		}
	}
}

// bound says how often a loop runs.
type bound int

const (
	fixed   bound = iota // a constant number of times, or once for each element of something
	counted              // a number of times that is known at run time
	open                 // for as long as messages come, or until a message ends it
)

// bound returns the bound of the least bounded loop around the receive. A receive in a cycle of
// control flow without a loop statement is in a loop made with goto.
func (s *site) bound() bound {
	if len(s.loops) == 0 {
		return open
	}
	most := fixed
	for _, l := range s.loops {
		most = max(most, s.boundOf(l))
	}
	return most
}

func (s *site) boundOf(l ast.Stmt) bound {
	switch l := l.(type) {
	case *ast.ForStmt:
		switch {
		case l.Cond == nil || l.Post == nil:
			return open
		case s.constant(l.Cond):
			return fixed
		}
		return counted
	case *ast.RangeStmt:
		t := s.info.TypeOf(l.X)
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 &&
			s.info.Types[l.X].Value == nil {
			return counted
		}
		if kernel.ChanOf(t) != nil {
			return open
		}
	}
	return fixed
}

// constant reports whether cond compares with a constant.
func (s *site) constant(cond ast.Expr) bool {
	b, ok := cond.(*ast.BinaryExpr)
	return ok && (s.info.Types[b.X].Value != nil || s.info.Types[b.Y].Value != nil)
}

// loop returns the outermost of the least bounded loops, or the whole function if there is no loop.
func (s *site) loop() ast.Node {
	most := s.bound()
	for _, l := range s.loops {
		if s.boundOf(l) == most {
			return l
		}
	}
	return s.fn
}

// name names the channel by object: a field by its struct's type, a variable by its name, else as
// written.
func (s *site) name() string {
	e := ast.Unparen(s.operand)
	if call, ok := e.(*ast.CallExpr); ok {
		if fn, ok := callee(s.info, call); ok {
			return funcName(fn) + "()"
		}
	}
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if named := kernel.NamedOf(s.info.TypeOf(sel.X)); named != nil {
			return named.Obj().Name() + "." + sel.Sel.Name
		}
	}
	return types.ExprString(e)
}

// funcName returns "time.After" or "Context.Done".
func funcName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		if named := kernel.NamedOf(recv.Type()); named != nil {
			return named.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

func callee(info *types.Info, call *ast.CallExpr) (*types.Func, bool) {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, ok := info.Uses[f].(*types.Func)
		return fn, ok
	case *ast.SelectorExpr:
		fn, ok := info.Uses[f.Sel].(*types.Func)
		return fn, ok
	}
	return nil, false
}
