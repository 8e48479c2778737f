package actors

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// waits reports whether the function waits for something, or closes a channel, after a and before
// b: what a started may be over when b begins.
func waits(a, b ssa.Instruction) bool {
	for _, block := range a.Parent().Blocks {
		for _, w := range block.Instrs {
			if w != a && w != b && isWait(w) && dominates(w, b) && !dominates(w, a) {
				return true
			}
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
	for _, inner := range calls(fn) {
		if c, ok := inner.(*ssa.Call); ok && endsDirectly(c) {
			return true
		}
	}
	return false
}

func endsDirectly(c *ssa.Call) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	if named, ok := types.Unalias(c.Call.Value.Type()).(*types.Named); ok &&
		named.Obj().Name() == "CancelFunc" {
		return true
	}
	return isEndName(kernel.CalleeName(c.Common()))
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

func dominates(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, i := range a.Block().Instrs {
		switch i {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}

// Later reports whether r's goroutine waits for something, or closes a channel, before it first
// receives: it may be there to take over.
func (r *Receive) Later() bool {
	at := r.Instr
	for x := r.run; ; x = x.caller {
		if waitsBefore(at) {
			return true
		}
		if x == nil || x.caller == nil {
			return false
		}
		at = x.call
	}
}

func waitsBefore(at ssa.Instruction) bool {
	for _, b := range at.Parent().Blocks {
		for _, w := range b.Instrs {
			if w != at && isWait(w) && dominates(w, at) {
				return true
			}
		}
	}
	return false
}
