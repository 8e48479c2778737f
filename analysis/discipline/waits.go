package discipline

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Waits reports whether instr may order later code behind an operation of another process: an
// operation on a channel, a lock, an atomic operation, or a call that may do one of these.
func (c *Package) Waits(instr ssa.Instruction) bool {
	if len(c.ByInstr[instr]) > 0 {
		return true
	}
	switch i := instr.(type) {
	case *ssa.Select:
		return true
	case *ssa.Call:
		return c.CallWaits(i.Common())
	case *ssa.RunDefers:
		return true
	}
	return false
}

// CallWaits reports whether a call may wait for somebody else.
func (c *Package) CallWaits(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	if fn := c.Static(call); fn != nil {
		return c.mayWait(fn)
	}
	if fn := call.StaticCallee(); fn != nil && fn.Pkg != nil {
		return !quiet[fn.Pkg.Pkg.Path()] && !isSleep(fn)
	}
	if call.IsInvoke() {
		pkg := call.Method.Pkg() // nil for error
		return pkg != nil && pkg.Path() != "context"
	}
	return true
}

// mayWait reports whether fn, or what it calls, waits. A function that calls itself waits if
// something else in it does.
func (c *Package) mayWait(fn *ssa.Function) bool {
	if w, ok := c.waiting[fn]; ok {
		return w
	}
	c.waiting[fn] = false
	w := false
	for i := range kernel.All(fn) {
		if _, deferred := i.(*ssa.RunDefers); !deferred {
			w = w || c.Waits(i)
		}
		if d, ok := i.(*ssa.Defer); ok {
			w = w || c.CallWaits(d.Common())
		}
	}
	c.waiting[fn] = w
	return w
}

// quiet are packages whose functions order nothing between the processes that call them.
var quiet = map[string]bool{"bytes": true, "cmp": true, "errors": true, "fmt": true, "log": true,
	"maps": true, "math": true, "math/bits": true,
	"math/rand": true, "path": true, "path/filepath": true, "slices": true, "sort": true,
	"strconv": true, "strings": true,
	"unicode": true, "unicode/utf8": true}

// isSleep: time that passes orders nothing. Other functions of package time only look at the clock,
// or make timers.
func isSleep(fn *ssa.Function) bool {
	return fn.Pkg.Pkg.Path() == "time" && !strings.Contains(fn.Name(), "Stop") &&
		!strings.Contains(fn.Name(), "Reset")
}
