package accesses

import (
	"go/ast"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// A deferred call evaluates its operands at once, and makes the accesses of what it calls when the
// function ends. The announcement of these is a deferred call, too, which comes right before:
//
//	defer fmt.Println(p)    defer fmt.Println(p); defer _rehearse.ReadAll(p, "p at f.go:7")
//	defer delete(m, k)      defer delete(m, k); defer _rehearse.WriteMap(m, "m at f.go:7")
//	defer w.Flush()         defer w.Flush(); defer _rehearse.WriteAll(w, "*w at f.go:7")
//
// p is evaluated a second time, so nothing may be called in p. Other deferred accesses are not
// announced.

// deferred reports whether c is the call of a defer statement, and announces an access of what c
// calls to x there. The announcement is a call of function with x between address and path.
func (a *accesses) deferred(
	c *ast.CallExpr, x ast.Expr, function, address, path, what string,
) bool {
	d, listed := a.deferOf(c)
	if d == nil {
		return false
	}
	text, plain := a.plain(x)
	if !listed || !plain || a.In.Live || a.mayWait([]ast.Expr{x}) {
		return true
	}
	announcement := "; defer " + a.Hooked(function) + address + text + path + ", " + what + ")"
	a.edit(d, func() { a.Edits.Close(a.Offset(d.End()), edit.Text(announcement)) })
	return true
}

// deferOf returns the defer statement that calls c, nil if none does, and whether that is one of a
// list of statements.
func (a *accesses) deferOf(c *ast.CallExpr) (d *ast.DeferStmt, listed bool) {
	for i := len(a.path) - 1; i > 0 && i > len(a.path)-3; i-- {
		if d, is := a.path[i].(*ast.DeferStmt); is && d.Call == c {
			return d, inList(d, a.path[i-1])
		}
	}
	return nil, false
}
