package blocking

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
)

// A function that returns with a lock gets an unlock before the return, where nothing else changes:
// every execution that returns there has the lock, all executions were tried, and the results are
// values that the lock does not guard.

// leaves notes where the root function has returned, and with which locks of others.
func (s *scope) leaves(m *machine.Machine) {
	if !m.Procs[0].Ended || !m.Left.IsValid() {
		return
	}
	s.returns[leaving{at: m.Left}]++
	for _, o := range m.Objects() {
		if o.Foreign && slices.ContainsFunc(o.Holders, func(h heap.Hold) bool {
			return h.Proc == &m.Procs[0].Process
		}) {
			s.returns[leaving{m.Left, o.Name}]++
		}
	}
}

// leaving is a return, with a lock or, without a name, with or without one.
type leaving struct {
	at   token.Pos
	lock string
}

// mendable reports whether all executions that return where w does have the lock.
func (s *scope) mendable(w *witness) bool {
	return w.leaves() && !s.Over && len(s.Unfinished) == 0 &&
		len(s.found) < maxFindings &&
		s.returns[leaving{w.pos, w.object.Name}] == s.returns[leaving{at: w.pos}]
}

// mend is the fix of a finding, if there is one that is safe.
func (w *writer) mend(f *witness) []analysis.SuggestedFix {
	if !f.mendable || f.locking().elsewhere() {
		return nil
	}
	lock, unlock := w.callAt(f.lockedAt()), ""
	switch name := lock.method(); name {
	case "Lock", "RLock":
		unlock = w.operands[f.lockedAt()] + "." + strings.Replace(name, "Lock", "Unlock", 1) + "()"
	default:
		return nil
	}
	ret := w.returnAt(f.pos)
	if ret == nil || !w.names(lock.on(), ret) || slices.ContainsFunc(ret.Results,
		func(e ast.Expr) bool { return !w.plain(e) }) {
		return nil
	}
	indent := strings.Repeat("\t", w.pass.Fset.Position(ret.Pos()).Column-1)
	return []analysis.SuggestedFix{{Message: "unlock before the return",
		TextEdits: []analysis.TextEdit{{Pos: ret.Pos(), End: ret.Pos(),
			NewText: []byte(unlock + "\n" + indent)}}}}
}

// lockCall is the call of a lock's method.
type lockCall struct{ sel *ast.SelectorExpr }

func (c lockCall) method() string {
	if c.sel == nil {
		return ""
	}
	return c.sel.Sel.Name
}

func (c lockCall) on() ast.Expr { return c.sel.X }

// callAt returns the call whose parenthesis is at pos.
func (w *writer) callAt(pos token.Pos) (out lockCall) {
	w.inspect(pos, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			out.sel, _ = ast.Unparen(call.Fun).(*ast.SelectorExpr)
		}
	})
	return out
}

// returnAt returns the return statement at pos, if a statement may be put before it.
func (w *writer) returnAt(pos token.Pos) (out *ast.ReturnStmt) {
	w.inspect(pos, func(n ast.Node) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			if r, ok := s.(*ast.ReturnStmt); ok && r.Pos() == pos {
				out = r
			}
		}
	})
	return out
}

// inspect calls f with the nodes of the file that has pos.
func (w *writer) inspect(pos token.Pos, f func(n ast.Node)) {
	for _, file := range w.pass.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			ast.Inspect(file, func(n ast.Node) bool {
				f(n)
				return n != nil
			})
		}
	}
}

// names reports whether an operand, such as s.mu, means the same at the return: it is a variable
// that the return sees, too, and that nobody assigns to, or a field of one.
func (w *writer) names(operand ast.Expr, ret *ast.ReturnStmt) bool {
	if sel, ok := operand.(*ast.SelectorExpr); ok {
		operand = sel.X
	}
	id, ok := operand.(*ast.Ident)
	scope := w.pass.Pkg.Scope().Innermost(ret.Pos())
	if !ok || scope == nil {
		return false
	}
	_, seen := scope.LookupParent(id.Name, ret.Pos()) // the variable may be another one there
	return seen != nil && seen == w.pass.TypesInfo.Uses[id] && !w.assigned(seen, ret.Pos())
}

// assigned reports whether something in the file of pos is assigned to a variable, or may be.
func (w *writer) assigned(v types.Object, pos token.Pos) bool {
	found := false
	w.inspect(pos, func(n ast.Node) {
		var to []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			to = n.Lhs
		case *ast.RangeStmt:
			to = []ast.Expr{n.Key, n.Value}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				to = []ast.Expr{n.X}
			}
		}
		for _, e := range to {
			if id, ok := e.(*ast.Ident); ok && w.pass.TypesInfo.Uses[id] == v {
				found = true
			}
		}
	})
	return found
}

// plain reports whether a result has nothing to do with what a lock may guard: a constant, a
// variable, or an error made of such.
func (w *writer) plain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.SUB && w.plain(e.X)
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok || slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !w.plain(a) }) {
			return false
		}
		fn, ok := w.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
		return ok && (fn.FullName() == "errors.New" || fn.FullName() == "fmt.Errorf")
	}
	return false
}
