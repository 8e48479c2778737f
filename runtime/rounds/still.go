package rounds

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// looks reads a loop, and counts the operations in it.
type looks struct {
	atomic, runtime bool // the file imports these packages by their names
	methods, others int  // calls of methods; selects and calls of functions that look
}

func looksOf(file *ast.File) looks {
	imports := func(path string) bool {
		return slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool {
			return s.Name == nil && s.Path.Value == path
		})
	}
	return looks{atomic: imports(`"sync/atomic"`), runtime: imports(`"runtime"`)}
}

// isStill reports whether the rounds of a loop change nothing: see Still.
func (l looks) isStill(s *ast.ForStmt) bool {
	return s.Post == nil && (s.Cond == nil || l.pure(s.Cond)) && l.stays(s.Body, false) &&
		(l.methods == 0 && l.others > 0 || l.methods == 1 && l.others == 0)
}

// wins reports whether a loop is left only by a step that is no look: for !mu.TryLock() {}.
func wins(s *ast.ForStmt) bool {
	not, ok := s.Cond.(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT || leavesBy(s.Body, token.BREAK, token.GOTO, token.RETURN) {
		return false
	}
	call, ok := not.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (strings.HasPrefix(f.Sel.Name, "CompareAndSwap") ||
		f.Sel.Name == "TryLock" || f.Sel.Name == "TryRLock")
}

// leavesBy reports whether a block has one of these statements.
func leavesBy(b *ast.BlockStmt, statements ...token.Token) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || slices.Contains(statements, token.RETURN)
		case *ast.BranchStmt:
			found = found || slices.Contains(statements, n.Tok)
		}
		return true
	})
	return found
}

// stays reports whether a statement that goes on with the loop changes nothing. chosen: it is in a
// select, which a break leaves.
func (l *looks) stays(s ast.Stmt, chosen bool) bool {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE && s.Label == nil
	case *ast.BlockStmt:
		return !slices.ContainsFunc(s.List, func(s ast.Stmt) bool { return !l.stays(s, chosen) })
	case *ast.ExprStmt:
		return l.pure(s.X)
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE && !slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool {
			return !l.pure(e)
		})
	case *ast.IfStmt:
		return l.stays(s.Init, chosen) && l.pure(s.Cond) &&
			(leaves(s.Body, chosen) || l.stays(s.Body, chosen)) && l.stays(s.Else, chosen)
	case *ast.SelectStmt:
		l.others++
		return l.byDefault(s)
	}
	return false
}

// byDefault reports whether a select has a default branch, which changes nothing, and nor does what
// comes before the choice. What the other branches do comes after a step that is no look.
func (l *looks) byDefault(s *ast.SelectStmt) (ok bool) {
	for _, c := range s.Body.List {
		switch c := c.(*ast.CommClause); comm := c.Comm.(type) {
		case nil:
			ok = l.stays(&ast.BlockStmt{List: c.Body}, true)
		case *ast.SendStmt:
			if !l.pure(comm.Chan) || !l.pure(comm.Value) {
				return false
			}
		case *ast.ExprStmt:
			if !l.pureReceive(comm.X) {
				return false
			}
		case *ast.AssignStmt:
			if !l.pureReceive(comm.Rhs[0]) {
				return false
			}
		}
	}
	return ok
}

func (l *looks) pureReceive(e ast.Expr) bool {
	r, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && l.pure(r.X)
}

// leaves reports whether a block always leaves the loop, whatever else it does.
func leaves(b *ast.BlockStmt, chosen bool) bool {
	if len(b.List) == 0 || leavesBy(b, token.CONTINUE, token.GOTO) ||
		chosen && leavesBy(b, token.BREAK) {
		return false
	}
	switch last := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && last.Label == nil
	}
	return false
}

// pure reports whether the evaluation of e changes nothing as long as it finds nothing new.
func (l *looks) pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return l.pure(e.X)
	case *ast.SelectorExpr:
		return l.pure(e.X)
	case *ast.StarExpr:
		return l.pure(e.X)
	case *ast.IndexExpr:
		return l.pure(e.X) && l.pure(e.Index)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && l.pure(e.X)
	case *ast.BinaryExpr:
		return l.pure(e.X) && l.pure(e.Y)
	case *ast.CallExpr:
		return l.asks(e) && !slices.ContainsFunc(e.Args, func(e ast.Expr) bool {
			return !l.pure(e)
		})
	}
	return false
}

// asks reports whether a call only looks, or lets others go first.
func (l *looks) asks(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		name, ok := call.Fun.(*ast.Ident)
		l.others++
		return ok && (name.Name == "len" || name.Name == "cap")
	}
	if pkg, ok := f.X.(*ast.Ident); ok {
		switch {
		case l.runtime && pkg.Name == "runtime":
			return f.Sel.Name == "Gosched"
		case l.atomic && pkg.Name == "atomic":
			l.others++
			return strings.HasPrefix(f.Sel.Name, "Load") ||
				strings.HasPrefix(f.Sel.Name, "CompareAndSwap")
		}
	}
	l.methods++
	switch f.Sel.Name {
	case "Load", "CompareAndSwap", "TryLock", "TryRLock":
		return l.pure(f.X)
	}
	return false
}
