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
	f.library.sorted(c)
	f.library.rawCall(c)
	f.library.sealedStore(c)
	switch f.Builtin(c) {
	case "make":
		f.channels.makeChan(c)
	case "close":
		f.Rename(c.Fun, "Close")
	case "len":
		f.channels.lenChan(c)
	case "cap":
		f.channels.capChan(c)
	}
}

// sorted fixes the order of maps.Keys if slices.Sorted takes the keys: their order makes no
// difference, and as a choice of the schedule it would give as many executions as orders.
func (lib *library) sorted(c *ast.CallExpr) {
	if lib.function(c) != "slices.Sorted" {
		return
	}
	arg, ok := ast.Unparen(c.Args[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	if lib.function(arg) != "maps.Keys" {
		return
	}
	lib.done[arg.Fun] = true
	lib.done[unit.LastIdent(arg.Fun)] = true
	sel, ok := arg.Fun.(*ast.SelectorExpr)
	if !ok || !lib.In.Maps || !lib.Announces() {
		return
	}
	if name, ok := lib.In.Info.Uses[sel.X.(*ast.Ident)].(*types.PkgName); ok {
		lib.gone[name]++
		lib.Rename(arg.Fun, "MapKeysAnyhow")
	}
}

func (ch *channels) makeChan(c *ast.CallExpr) {
	if !unit.IsChan(ch.In.Info.TypeOf(c)) {
		return
	}
	made := "Made"
	if ch.In.Mailbox != nil && ch.In.Mailbox(ch.In.Fset.Position(c.Pos())) {
		made = "Mailbox"
	}
	ch.Open(c, ch.Hooked(made))
	ch.Close(c, ")")
}

// capChan controls cap of channels that timers may have: in them cap is a matter of the model.
func (ch *channels) capChan(c *ast.CallExpr) {
	t, is := ch.In.Info.TypeOf(c.Args[0]).Underlying().(*types.Chan)
	if is && t.Dir() != types.SendOnly && types.TypeString(t.Elem(), nil) == "time.Time" {
		ch.Rename(c.Fun, "Cap")
	}
}

func (ch *channels) lenChan(c *ast.CallExpr) {
	switch unit.Channelness(ch.In.Info.TypeOf(c.Args[0])) {
	case unit.Always:
		ch.Rename(c.Fun, "Len")
	case unit.Sometimes:
		ch.Fail(c.Pos(),
			"len of a type parameter that may be a channel or something else cannot be controlled")
	}
}
