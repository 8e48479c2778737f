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
	f.sorted(c)
	f.rawCall(c)
	f.sealedStore(c)
	switch f.builtin(c) {
	case "make":
		f.makeChan(c)
	case "close":
		f.rename(c.Fun, "Close")
	case "len":
		f.lenChan(c)
	}
}

// sorted leaves maps.Keys alone where slices.Sorted takes what it produces: it makes no difference
// in which order that is, and were it a choice of the schedule, there would be as many executions
// as orders.
func (f *file) sorted(c *ast.CallExpr) {
	if f.function(c) != "slices.Sorted" {
		return
	}
	arg, ok := ast.Unparen(c.Args[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	if f.function(arg) == "maps.Keys" {
		f.done[arg.Fun] = true
		f.done[lastIdent(arg.Fun)] = true
	}
}

// function returns the full name of the function that c calls by its name, or "".
func (f *file) function(c *ast.CallExpr) string {
	if id := lastIdent(c.Fun); id != nil {
		if fn, ok := f.in.Info.Uses[id].(*types.Func); ok {
			return fn.Origin().FullName()
		}
	}
	return ""
}

// lastIdent returns the identifier at the end of a name, or nil.
func lastIdent(fun ast.Expr) *ast.Ident {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// builtin returns the name of the predeclared function that c calls, or "". The name is the
// function's own, whatever user code has declared under it.
func (f *file) builtin(c *ast.CallExpr) string {
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if b, ok := f.in.Info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

func (f *file) makeChan(c *ast.CallExpr) {
	if !isChan(f.in.Info.TypeOf(c)) {
		return
	}
	made := "Made"
	if f.in.Mailbox != nil && f.in.Mailbox(f.in.Fset.Position(c.Pos())) {
		made = "Mailbox"
	}
	f.open(c, f.hooked(made))
	f.close(c, ")")
}

func (f *file) lenChan(c *ast.CallExpr) {
	switch channelness(f.in.Info.TypeOf(c.Args[0])) {
	case always:
		f.rename(c.Fun, "Len")
	case sometimes:
		f.fail(c.Pos(), "len of a type parameter that may be a channel or something else cannot be controlled")
	}
}

// rename makes a call call a function of package hook. Parentheses around the old name go, too: the
// type arguments of a function in parentheses are not inferred.
func (f *file) rename(fun ast.Expr, function string) {
	f.replace(fun.Pos(), fun.End(), edit.Text(f.hook+"."+function))
}
