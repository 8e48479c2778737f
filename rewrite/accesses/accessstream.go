package accesses

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Streams of the library behind interfaces: which type there is shows only in the execution.
//
//	w.Write(p)           _rehearse.Stream(w, "w at f.go:7").Write(_rehearse.Emitted(p, "p at f.go:7"))
//	fmt.Fprint(w, x)     fmt.Fprint(_rehearse.Stream(w, "w at f.go:7"), x)
//
// LIMITS: nothing is announced of a call that another one may wait in, of one that is deferred, and
// of methods of interfaces that are embedded.

// stream announces that a method of an interface may change a stream of the library, and read what
// it is given.
func (a *accesses) stream(n *ast.SelectorExpr, sel *types.Selection) {
	fn, is := sel.Obj().(*types.Func)
	c, called := a.parent().(*ast.CallExpr)
	switch {
	case !is || !called || c.Fun != n || len(sel.Index()) > 1 || !isDynamic(fn):
		return
	case unit.IsTypeParam(a.In.Info.TypeOf(n.X)), !shared.Emits(fn), a.In.Live:
		return
	case a.mayWait(c.Args), a.isStarted(c):
		return
	}
	a.edit(n, func() {
		a.Open(n.X, a.Hooked("Stream"))
		a.Close(n.X, ", "+a.What(n.X)+")")
	})
	if len(c.Args) == 1 && fn.Name() == "Write" && a.isBytes(c.Args[0]) {
		x := c.Args[0]
		a.edit(x, func() {
			a.Open(x, a.Hooked("Emitted"))
			a.Close(x, ", "+a.What(x)+")")
		})
	}
}

// emits announces that a function of the library writes to a stream that is its i-th argument.
func (a *accesses) emits(c *ast.CallExpr, fn *types.Func, i int) {
	x := c.Args[i]
	if !shared.EmitsTo(fn, i) || a.In.Info.Types[x].IsNil() || a.In.Live || a.mayWait(c.Args) ||
		a.isStarted(c) {
		return
	}
	a.edit(x, func() {
		a.Open(x, a.Hooked("Stream"))
		a.Close(x, ", "+a.What(x)+")")
	})
}

// isStarted reports whether c is the call of a go or defer statement.
func (a *accesses) isStarted(c *ast.CallExpr) bool {
	for i := len(a.path) - 1; i >= 0 && i > len(a.path)-3; i-- {
		switch s := a.path[i].(type) {
		case *ast.DeferStmt:
			return s.Call == c
		case *ast.GoStmt:
			return s.Call == c
		}
	}
	return false
}

// isBytes reports whether e is a slice of bytes whose elements several processes may touch.
func (a *accesses) isBytes(e ast.Expr) bool {
	t := a.In.Info.TypeOf(e)
	if t == nil || !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
		return false
	}
	return a.sliceShared(e)
}
