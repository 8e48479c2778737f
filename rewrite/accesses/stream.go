package accesses

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Streams of the library behind interfaces: only the execution shows the type.
//
//	w.Write(p)           _rehearse.Stream(w, "w at f.go:7").Write(_rehearse.Emitted(p, "p at f.go:7"))
//
// LIMITS: nothing is announced for the call of a go or defer statement, for methods of embedded
// interfaces, and for a call of what a call returns whose arguments may wait.

// stream announces that a method of an interface may change a stream of the library, and read its
// argument.
func (l *library) stream(n *ast.SelectorExpr, sel *types.Selection) {
	fn, is := sel.Obj().(*types.Func)
	c, called := l.parent().(*ast.CallExpr)
	switch {
	case !is || !called || c.Fun != n || len(sel.Index()) > 1 || !isDynamic(fn):
		return
	case unit.IsTypeParam(l.In.Info.TypeOf(n.X)), !shared.Emits(fn), l.In.Live:
		return
	case l.isStarted(c):
		return
	case l.mayWait(c.Args):
		if !l.mayWait([]ast.Expr{n.X}) {
			l.atHost(l.lastCall(c.Args), 1, n.X, "Stream", "", "", l.What(n.X))
		}
		return
	}
	l.edit(n, func() {
		l.Open(n.X, l.Hooked("Stream"))
		l.Close(n.X, ", "+l.What(n.X)+")")
	})
	if len(c.Args) == 1 && fn.Name() == "Write" && l.isBytes(c.Args[0]) {
		x := c.Args[0]
		l.edit(x, func() {
			l.Open(x, l.Hooked("Emitted"))
			l.Close(x, ", "+l.What(x)+")")
		})
	}
}
