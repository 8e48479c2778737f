package rounds

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// effects is what is known of some code that goes round.
type effects struct {
	assigns bool // to a variable that may outlive the round
	calls   []string
}

// wait reports whether code with these effects only waits. It may call the functions that are known
// from the steps.
func (e *effects) wait(known map[string]bool) bool {
	return !e.assigns && !slices.ContainsFunc(e.calls, func(name string) bool {
		return !known[name] && !waiting[name] && !strings.HasPrefix(name, "Load") &&
			!strings.HasPrefix(name, "CompareAndSwap")
	})
}

// waiting are the names of functions that look, let time pass or print.
var waiting = map[string]bool{"Sleep": true, "Gosched": true, "NumGoroutine": true,
	"Lock": true, "Unlock": true, "RLock": true, "RUnlock": true, "TryLock": true,
	"TryRLock": true, "len": true, "cap": true, "Duration": true, "Helper": true, "Log": true,
	"Logf": true, "Println": true, "Printf": true}

// effectsOf returns the effects of n, a loop or the body of a function.
func effectsOf(n ast.Node) (e effects) {
	var own []ast.Stmt // the counters of loops inside
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.ForStmt:
			if s, ok := m.Init.(*ast.AssignStmt); ok && m != n && s.Tok == token.DEFINE {
				own = append(own, m.Post)
			}
		case *ast.RangeStmt:
			e.assigns = e.assigns || m.Tok == token.ASSIGN
		case *ast.FuncLit:
			e.assigns = true
			return false
		case *ast.IncDecStmt:
			e.assigns = e.assigns || !slices.Contains(own, ast.Stmt(m))
		case *ast.AssignStmt:
			e.assigns = e.assigns || m.Tok != token.DEFINE
		case *ast.CallExpr:
			e.calls = append(e.calls, nameOf(m.Fun))
		}
		return true
	})
	return e
}

// nameOf returns the name of a function that is called; empty if it has none.
func nameOf(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
