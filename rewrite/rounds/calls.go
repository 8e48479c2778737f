package rounds

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// called returns the function or method that a call names; nil if it calls a value, or a method of
// an interface or type parameter.
func called(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) {
	case *ast.IndexExpr:
		fun = e.X
	case *ast.IndexListExpr:
		fun = e.X
	}
	id := unit.LastIdent(fun)
	if id == nil {
		return nil
	}
	fn, is := info.Uses[id].(*types.Func)
	if !is {
		return nil
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return nil
	}
	return fn.Origin()
}

// isLook reports whether a function looks at what other goroutines may change. Such a function is a
// step, and changes nothing unless it succeeds.
func isLook(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case unit.AtomicPath:
		return strings.HasPrefix(fn.Name(), "Load") ||
			strings.HasPrefix(fn.Name(), "CompareAndSwap")
	case "sync":
		return fn.Name() == "TryLock" || fn.Name() == "TryRLock" ||
			fn.FullName() == "(*sync.Map).Load"
	}
	return false
}

// waits reports whether a function does nothing but look, wait or print what its arguments are.
func waits(info *types.Info, fn *types.Func, args []ast.Expr) bool {
	switch fn.FullName() {
	case "time.Sleep", "runtime.Gosched", "runtime.NumGoroutine", "(*testing.common).Helper":
		return true
	case "(*testing.common).Log", "(*testing.common).Logf", "fmt.Println", "fmt.Printf",
		"log.Println", "log.Printf":
		for _, e := range args {
			if _, basic := types.Unalias(info.TypeOf(e)).(*types.Basic); !basic {
				return false // it may have a method that counts
			}
		}
		return true
	}
	return isLook(fn) || isOfMutex(fn)
}

// isOfMutex reports whether a function locks or unlocks a mutex. A round that does both leaves the
// mutex as it was.
func isOfMutex(fn *types.Func) bool {
	switch fn.FullName() {
	case "(*sync.Mutex).Lock", "(*sync.Mutex).Unlock",
		"(*sync.RWMutex).Lock", "(*sync.RWMutex).Unlock",
		"(*sync.RWMutex).RLock", "(*sync.RWMutex).RUnlock":
		return true
	}
	return false
}

// asksTime reports whether an expression looks at the clock, which goes on with time, and not with
// rounds: it calls something that returns a time or a duration, or a method of a time.
func asksTime(info *types.Info, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || info.Types[call.Fun].IsType() {
			return !found
		}
		found = found || isTime(info.TypeOf(call))
		if f, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is {
			found = found || isTime(info.TypeOf(f.X))
		}
		return !found
	})
	return found
}

// isTime reports whether t is time.Time or time.Duration.
func isTime(t types.Type) bool {
	if t == nil {
		return false
	}
	name := types.TypeString(t, nil)
	return name == "time.Time" || name == "time.Duration"
}
