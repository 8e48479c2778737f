package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// Functions of the library that are guarded by their calls end the execution that calls them:
//
//	err := syscall.Pipe(p)     err := _rehearse.Met(syscall.Pipe, "syscall.Pipe", "syscall.Pipe is not controlled: ...")(p)
//	defer f(syscall.Pipe)      defer f(_rehearse.MetValue(syscall.Pipe, "syscall.Pipe", "..."))
//	syscall.Flock(fd, how)     _rehearse.Flock(syscall.Flock)(fd, how)
//
// A value is guarded when it is called, and the function of a call that is made later is a value.

// wrapped are functions of the library that a function of package hook of the same name is given
// to.
var wrapped = []string{"Flock", "Kill", "Gettimeofday", "Time", "Getrusage"}

// isWrapped reports whether a function is one of these, of package syscall or of its successor, or
// os.Pipe.
func isWrapped(fn *types.Func) bool {
	path := fn.Pkg().Path()
	return path == "os" && fn.Name() == "Pipe" ||
		(path == "syscall" || path == "golang.org/x/sys/unix") &&
			slices.Contains(wrapped, fn.Name())
}

// met guards a mention of a function, or lets a hook note that it is a system call.
func (lib *library) met(e *ast.SelectorExpr) {
	fn, ok := lib.In.Info.Uses[e.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Recv() != nil || lib.raw[e] {
		return
	}
	name := fn.FullName()
	v := std.Treat(fn)
	switch {
	case isWrapped(fn):
		lib.Open(e, lib.Hooked(fn.Name()))
		lib.Close(e, ")")
	case v.Treatment == std.Guarded && v.ByCall:
		function := "MetValue"
		if lib.called[e] {
			function = "Met"
		}
		lib.Open(e, lib.Hooked(function))
		lib.Close(e, ", "+lib.guardText(name, name, v.Reason)+")")
	default:
		lib.beyond(e)
	}
}

// noteCalled notes that the function of a call is called here and now, which those of go and defer
// statements are not.
func (lib *library) noteCalled(c *ast.CallExpr) {
	if e, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && !lib.later[c] {
		lib.called[e] = true
	}
}

// rawCall makes a call note that it is a system call. One of package syscall ends the execution,
// unless it is known to be harmless.
func (lib *library) rawCall(c *ast.CallExpr) {
	name := lib.systemCall(c.Fun)
	if !isRaw(name) || lib.later[c] {
		return
	}
	if e, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
		lib.raw[e] = true
		if path := lib.In.Info.Uses[e.Sel].Pkg().Path(); path == "syscall" {
			v := std.Treat(lib.In.Info.Uses[e.Sel].(*types.Func))
			lib.Open(c.Args[0], lib.Hooked("Raw")+"uintptr(")
			lib.Edits.Close(lib.Offset(c.Args[0].End()),
				edit.Text("), "+lib.guardText(name, name, v.Reason)+")"))
			return
		}
	}
	lib.Open(c.Args[0], lib.Hooked("Beyond")+"uintptr(")
	lib.Edits.Close(lib.Offset(c.Args[0].End()), edit.Text("), "+strconv.Quote(name)+")"))
}

// atomicMethods are the methods of package sync/atomic's types.
var atomicMethods = []string{"Load", "Store", "Swap", "CompareAndSwap", "Add", "And", "Or"}

// notAtomic guards the call of a method through an interface or a type parameter: the callee may be
// a method of package sync/atomic, and only direct calls of these are rewritten.
//
//	v.Load()    _rehearse.NotAtomic(v).Load()
func (lib *library) notAtomic(e *ast.SelectorExpr) {
	sel := lib.In.Info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal || lib.In.PlainAtomics ||
		!slices.Contains(atomicMethods, e.Sel.Name) {
		return
	}
	recv := sel.Obj().(*types.Func).Signature().Recv()
	if recv == nil || !mayBeAtomic(recv.Type()) {
		return
	}
	if path, _, ok := lib.promoted(e.X.Pos(), sel); ok {
		lib.Open(e.X, lib.Hooked("NotAtomic"))
		lib.Edits.Close(lib.Offset(e.X.End()), edit.Text(path+")"))
	}
}

// mayBeAtomic reports whether a value of an interface may be of a type of package sync/atomic.
func mayBeAtomic(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		if !slices.Contains(atomicMethods, m.Name()) {
			return false
		}
	}
	return true
}
