package accesses

import (
	"go/ast"
	"strings"
)

// If a variable has calls among its operands, the announcement at the host names the results of
// these calls. Variables in front of the statement hold the results:
//
//	f(g().x, h())    var _k0 *T; f(_rehearse.Hold(&_k0, g()).x, _rehearse.First(h(), _rehearse.Read(&_k0.x, "g().x at f.go:7")))

// held returns the text of x, in which the present node is, with variables in place of calls. It
// reports false if there is no statement to declare them in front of, or no name for their types.
func (w *announcer) held(x ast.Expr) (text string, ok bool) {
	stmt := w.statement()
	calls := w.topCalls(x)
	if stmt == nil || len(calls) == 0 || w.jumps() {
		return "", false
	}
	names := make([]string, len(calls))
	for i, c := range calls {
		if names[i], ok = w.TypeText(w.In.Info.TypeOf(c), stmt.Pos()); !ok {
			return "", false
		}
	}
	at := x.Pos()
	for i, c := range calls {
		text += string(w.Src[w.Offset(at):w.Offset(c.Pos())]) + w.hold(stmt, c, names[i])
		at = c.End()
	}
	text += string(w.Src[w.Offset(at):w.Offset(x.End())])
	return text, !strings.Contains(text, "\n")
}

// hold returns the name of the variable that holds the value of c, of the type that text denotes.
func (w *announcer) hold(stmt ast.Stmt, c ast.Expr, text string) string {
	name, is := w.holds[c]
	if is {
		return name
	}
	name = w.TempN("k", len(w.holds))
	w.holds[c] = name
	w.edit(stmt, func() { w.before(stmt, "var "+name+" "+text+"; ") })
	w.edit(c, func() {
		w.Open(c, w.Hooked("Hold")+"&"+name+", ")
		w.Close(c, ")")
	})
	return name
}
