package kernel

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IsGo reports whether i starts a goroutine.
func IsGo(i ssa.Instruction) bool { _, ok := i.(*ssa.Go); return ok }

// IsDefer reports whether i defers a call.
func IsDefer(i ssa.Instruction) bool { _, ok := i.(*ssa.Defer); return ok }

// CalleeName names the function or method that is called; "" if that is a function value.
func CalleeName(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.Name()
	}
	if fn := call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}

// CallOf returns the call that v is the result of, if that is a call of the named function:
// "time.After"; or nil.
func CallOf(v ssa.Value, name string) *ssa.Call {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if fn := call.Call.StaticCallee(); fn == nil || fn.RelString(nil) != name {
		return nil
	}
	return call
}

// Names are full names of functions, like "os.Exit" and "(*sync.Mutex).Lock". To make a function's
// full name takes long, so its last part is looked up first.
type Names struct{ full, last map[string]bool }

// NamesOf returns a set of full names.
func NamesOf(full ...string) Names {
	n := Names{map[string]bool{}, map[string]bool{}}
	for _, name := range full {
		n.full[name] = true
		n.last[name[strings.LastIndex(name, ".")+1:]] = true
	}
	return n
}

// Have reports whether fn is one of the functions with the names.
func (n Names) Have(fn *ssa.Function) bool { return n.last[fn.Name()] && n.full[fn.RelString(nil)] }

// Locked reports whether a lock is taken before instr in its function.
func Locked(instr ssa.Instruction) bool {
	for i := range All(instr.Parent()) {
		if call, ok := i.(*ssa.Call); ok && isLock(call.Common()) && Reaches(i, instr, nil) {
			return true
		}
	}
	return false
}

// isLock reports whether a call takes a lock, to judge by its name.
func isLock(call *ssa.CallCommon) bool {
	switch CalleeName(call) {
	case "Lock", "RLock", "TryLock", "lock", "rlock":
		return true
	}
	return false
}

// Calls returns the calls of a function that it waits for, those that are deferred among them.
func Calls(fn *ssa.Function) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for i := range All(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			out = append(out, i)
		case *ssa.Defer:
			out = append(out, i)
		}
	}
	return out
}
