package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// call rewrites calls of the predeclared functions that make, close or measure a channel.
func (f *file) call(c *ast.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	f.sorted(c)
	f.rawCall(c)
	f.sealedStore(c)
	switch f.Builtin(c) {
	case "make":
		f.makeChan(c)
	case "close":
		f.Rename(c.Fun, "Close")
	case "len":
		f.lenChan(c)
	}
}

// sorted keeps the order of maps.Keys where slices.Sorted takes what it produces: it makes no
// difference in which order that is, and were it a choice of the schedule, there would be as many
// executions as orders.
func (f *file) sorted(c *ast.CallExpr) {
	if f.function(c) != "slices.Sorted" {
		return
	}
	arg, ok := ast.Unparen(c.Args[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	if f.function(arg) != "maps.Keys" {
		return
	}
	f.done[arg.Fun] = true
	f.done[unit.LastIdent(arg.Fun)] = true
	sel, ok := arg.Fun.(*ast.SelectorExpr)
	if !ok || f.In.Shared == nil || !f.In.Maps || f.IsCgo() {
		return
	}
	if name, ok := f.In.Info.Uses[sel.X.(*ast.Ident)].(*types.PkgName); ok {
		f.gone[name]++
		f.Rename(arg.Fun, "MapKeysAnyhow")
	}
}

// function returns the full name of the function that c calls by its name, or "".
func (f *file) function(c *ast.CallExpr) string {
	if id := unit.LastIdent(c.Fun); id != nil {
		if fn, ok := f.In.Info.Uses[id].(*types.Func); ok {
			return fn.Origin().FullName()
		}
	}
	return ""
}

func (f *file) makeChan(c *ast.CallExpr) {
	if !unit.IsChan(f.In.Info.TypeOf(c)) {
		return
	}
	made := "Made"
	if f.In.Mailbox != nil && f.In.Mailbox(f.In.Fset.Position(c.Pos())) {
		made = "Mailbox"
	}
	f.Open(c, f.Hooked(made))
	f.Close(c, ")")
}

func (f *file) lenChan(c *ast.CallExpr) {
	switch unit.Channelness(f.In.Info.TypeOf(c.Args[0])) {
	case unit.Always:
		f.Rename(c.Fun, "Len")
	case unit.Sometimes:
		f.Fail(c.Pos(),
			"len of a type parameter that may be a channel or something else cannot be controlled")
	}
}
