package kernel

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Waits reports whether the function waits for something, or closes a channel, after a and before
// b. Then a goroutine that a started may have ended when b begins.
func Waits(a, b ssa.Instruction) bool {
	for w := range All(a.Parent()) {
		if w != a && w != b && isWait(w) && Dominates(w, b) && !Dominates(w, a) {
			return true
		}
	}
	return false
}

func isWait(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case *ssa.Select:
		return i.Blocking
	case *ssa.Call:
		return isEnd(i)
	}
	return false
}

// isEnd reports whether a call ends something or waits for its end: close, Wait, a cancel function,
// a method named Stop or the like, or a function that calls one of them.
func isEnd(c *ssa.Call) bool {
	if endsDirectly(c) {
		return true
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	return slices.ContainsFunc(Calls(fn), func(i ssa.CallInstruction) bool {
		c, ok := i.(*ssa.Call)
		return ok && endsDirectly(c)
	})
}

func endsDirectly(c *ssa.Call) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	if named, ok := types.Unalias(c.Call.Value.Type()).(*types.Named); ok &&
		named.Obj().Name() == "CancelFunc" {
		return true
	}
	return isEndName(CalleeName(c.Common()))
}

func isEndName(name string) bool {
	name = strings.ToLower(name)
	for _, p := range []string{"wait", "stop", "close", "shutdown", "cancel", "quit", "kill",
		"terminate", "unsubscribe", "disconnect"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// WaitsBefore reports whether at's function waits for something, or closes a channel, before at.
func WaitsBefore(at ssa.Instruction) bool {
	for w := range All(at.Parent()) {
		if w != at && isWait(w) && Dominates(w, at) {
			return true
		}
	}
	return false
}
