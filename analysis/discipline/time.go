package discipline

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// IsClock reports whether ch is a timer's channel.
func IsClock(ch ssa.Value) bool { return IsTime(ch) && !IsContext(ch) }

// IsContext reports whether ch is what a context's Done has returned.
func IsContext(ch ssa.Value) bool {
	call, ok := ch.(*ssa.Call)
	return ok && call.Call.IsInvoke() && IsTime(ch)
}

// IsCancel reports whether a call is of a context's cancel function: it waits for nobody.
func IsCancel(call *ssa.CallCommon) bool {
	n, ok := types.Unalias(call.Value.Type()).(*types.Named)
	return ok && n.Obj().Name() == "CancelFunc"
}

// ticking are what makes a channel on which only time sends.
var ticking = kernel.NamesOf("time.After", "time.Tick")

// IsTime reports whether ch is a timer's channel or a context's, on which no process of this
// package sends.
func IsTime(ch ssa.Value) bool {
	if call, ok := ch.(*ssa.Call); ok {
		if call.Call.IsInvoke() {
			return call.Call.Method.Name() == "Done" && call.Call.Method.Pkg().Path() == "context"
		}
		fn := call.Call.StaticCallee()
		return fn != nil && ticking.Have(fn)
	}
	l := Locate(ch)
	return l.Last != nil && l.Last.Name() == "C" && l.Last.Pkg() != nil &&
		l.Last.Pkg().Path() == "time"
}
