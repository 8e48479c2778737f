package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// call rewrites calls of the predeclared functions that make, close or measure a channel.
func (f *file) call(c *ast.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	switch f.builtin(c) {
	case "make":
		f.makeChan(c)
	case "close":
		f.rename(c.Fun, "Close")
	case "len":
		f.lenChan(c)
	}
}

// builtin returns the name of the predeclared function that c calls, or "". The name is the function's own, whatever
// user code has declared under it.
func (f *file) builtin(c *ast.CallExpr) string {
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if b, ok := f.in.Info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

func (f *file) makeChan(c *ast.CallExpr) {
	if isChan(f.in.Info.TypeOf(c)) {
		f.open(c, f.hooked("Made"))
		f.close(c, ")")
	}
}

func (f *file) lenChan(c *ast.CallExpr) {
	switch channelness(f.in.Info.TypeOf(c.Args[0])) {
	case always:
		f.rename(c.Fun, "Len")
	case sometimes:
		f.fail(c.Pos(), "len of a type parameter that may be a channel or something else cannot be controlled")
	}
}

// rename makes a call call a function of package hook. Parentheses around the old name go, too: the type arguments of
// a function in parentheses are not inferred.
func (f *file) rename(fun ast.Expr, function string) {
	f.replace(fun.Pos(), fun.End(), edit.Text(f.hook+"."+function))
}
