package accesses

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A variable with calls among its operands is named once more at the host by what these calls have
// returned, which is held in variables in front of the statement:
//
//	f(g().x, h())    var _k0 *T; f(_rehearse.Hold(&_k0, g()).x, _rehearse.First(h(), _rehearse.Read(&_k0.x, "g().x at f.go:7")))

// held returns the text of x, in which the present node is, with variables in place of calls. It
// reports false if there is no statement to declare them in front of, or no name for their types.
func (a *accesses) held(x ast.Expr) (text string, ok bool) {
	stmt := a.statement()
	calls := topCalls(a, x)
	if stmt == nil || len(calls) == 0 || a.jumps() {
		return "", false
	}
	names := make([]string, len(calls))
	for i, c := range calls {
		if names[i], ok = a.TypeText(a.In.Info.TypeOf(c), stmt.Pos()); !ok {
			return "", false
		}
	}
	at := x.Pos()
	for i, c := range calls {
		text += string(a.Src[a.Offset(at):a.Offset(c.Pos())]) + a.hold(stmt, c, names[i])
		at = c.End()
	}
	text += string(a.Src[a.Offset(at):a.Offset(x.End())])
	return text, !strings.Contains(text, "\n")
}

// hold returns the name of the variable that holds the value of c, of the type that text denotes.
func (a *accesses) hold(stmt ast.Stmt, c ast.Expr, text string) string {
	name, is := a.holds[c]
	if is {
		return name
	}
	name = a.TempN("k", len(a.holds))
	a.holds[c] = name
	a.edit(stmt, func() { a.before(stmt, "var "+name+" "+text+"; ") })
	a.edit(c, func() {
		a.Open(c, a.Hooked("Hold")+"&"+name+", ")
		a.Close(c, ")")
	})
	return name
}

// topCalls returns the calls and receives in x that are in no other.
func topCalls(a *accesses, x ast.Expr) (list []ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		e, is := n.(ast.Expr)
		if is && a.waits(e) {
			list = append(list, e)
			return false
		}
		_, function := n.(*ast.FuncLit)
		return !function
	})
	return list
}

// waits reports whether e itself is a call of a function, or a receive.
func (a *accesses) waits(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return !a.In.Info.Types[e.Fun].IsType() && !a.In.Info.Types[e.Fun].IsBuiltin()
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// statement returns the statement of a list that the present node is in, nil if there is none in
// the function.
func (a *accesses) statement() ast.Stmt {
	for i, n := range slices.Backward(a.path) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return nil
		}
		if s, is := n.(ast.Stmt); is && i > 0 && inList(s, a.path[i-1]) {
			return s
		}
	}
	return nil
}

// jumps reports whether the function that the present node is in has a goto statement, which must
// not jump over the declaration of a variable.
func (a *accesses) jumps() bool {
	found := false
	ast.Inspect(a.functionBody(), func(n ast.Node) bool {
		b, is := n.(*ast.BranchStmt)
		found = found || is && b.Tok == token.GOTO
		return !found
	})
	return found
}
