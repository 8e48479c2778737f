package accesses

import (
	"go/ast"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// A deferred call evaluates its operands at once, and makes the accesses of its callee when the
// function ends. These are announced by a deferred call, too, which runs right before:
//
//	defer fmt.Println(p)    defer fmt.Println(p); defer _rehearse.ReadAll(p, "p at f.go:7")
//	defer delete(m, k)      defer delete(m, k); defer _rehearse.WriteMap(m, "m at f.go:7")
//	defer w.Flush()         defer w.Flush(); defer _rehearse.WriteAll(w, "*w at f.go:7")
//
// p is evaluated a second time, so nothing may be called in p. Other deferred calls are opaque: see
// section.go.

// deferred reports whether c is the call of a defer statement, and announces there that the callee
// accesses x. The announcement is a call of function with x between address and path.
func (w *announcer) deferred(
	c *ast.CallExpr, x ast.Expr, function, address, path, what string,
) bool {
	d, listed := w.deferOf(c)
	if d == nil {
		return false
	}
	text, plain := w.plain(x)
	if !listed || !plain || w.In.Live || w.mayWait([]ast.Expr{x}) {
		w.hidden(d, w.What(c.Fun))
		return true
	}
	announcement := "; defer " + w.Hooked(function) + address + text + path + ", " + what + ")"
	w.edit(d, func() { w.Edits.Close(w.Offset(d.End()), edit.Text(announcement)) })
	return true
}

// hidden says, right before a deferred call is made, that it may make accesses that are not
// announced.
func (w *announcer) hidden(d *ast.DeferStmt, what string) {
	w.beforeDeferred(d, "Opaque", what)
}

// beforeDeferred calls a function of package hook right before a deferred call is made.
func (w *announcer) beforeDeferred(d *ast.DeferStmt, function, args string) {
	w.tellOpaque(d, func() {
		w.Edits.Close(w.Offset(d.End()), edit.Text("; defer "+w.Hooked(function)+args+")"))
	})
}
