package world

import (
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// libraries remembers, for program counters, whether they lie in library code.
var libraries = map[uintptr]bool{}

// onBehalf has the files of the standard library that act for the program. OnceFunc and similar
// functions call Once.Do for it, a context or a pipe is its own, and the hooks call functions that
// it starts ("go m.Clear()").
var onBehalf = []string{"sync/", "context/", "io/pipe.go", "net/pipe.go",
	"net/textproto/pipeline.go", "rehearse/"}

// Library reports whether pc, to which a call returns, lies in the standard library, but not in
// code that acts for the program. The instruction at pc itself may belong to a function that was
// inlined behind the call.
func Library(pc uintptr) bool {
	is, ok := libraries[pc]
	if !ok {
		file, _ := runtime.FuncForPC(pc - 1).FileLine(pc - 1)
		is = LibraryFile(file)
		libraries[pc] = is
	}
	return is
}

// LibraryFile reports whether a source file has library code.
func LibraryFile(file string) bool {
	return ofLibrary(file) && !trace.InBorder(strings.TrimPrefix(file, sched.StdRoot))
}

// ofLibrary is LibraryFile where the border is library code, too.
func ofLibrary(file string) bool {
	name, std := strings.CutPrefix(file, sched.StdRoot)
	return std && !deferred(name) && !strings.HasSuffix(name, "_test.go") &&
		!slices.ContainsFunc(onBehalf, func(p string) bool { return strings.HasPrefix(name, p) })
}

// OwnPool reports whether pc lies in code of the library, the border included, whose Pools nobody
// sees.
func OwnPool(pc uintptr) bool {
	file, _ := runtime.FuncForPC(pc - 1).FileLine(pc - 1)
	return ofLibrary(file)
}

// deferred reports whether a file of the library is the runtime's, which calls what somebody has
// deferred.
func deferred(name string) bool {
	dir, _, _ := strings.Cut(name, "/")
	return dir == "runtime" && strings.Count(name, "/") == 1
}

// ownLocks remembers, for program counters, what OwnLock says of them.
var ownLocks = map[uintptr]bool{}

// OwnLock reports whether a method of package sync that returns to pc was called by the library,
// for a lock of its own. If the runtime calls the method, unknown code has deferred it: see
// deferred.
func OwnLock(pc uintptr) bool {
	is, ok := ownLocks[pc]
	if !ok {
		file, _ := runtime.FuncForPC(pc - 1).FileLine(pc - 1)
		is = LibraryFile(file)
		ownLocks[pc] = is
	}
	return is
}

// CalledByLibrary reports whether package sync is called by a part of the standard library, for
// itself.
func CalledByLibrary() bool {
	if W.Current() == nil {
		return false
	}
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:gate.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		path, _ := SplitName(f.Function)
		switch {
		case path == "sync" || strings.HasPrefix(path, "rehearse/"):
		case !more:
			return false
		default:
			return LibraryFile(f.File)
		}
	}
}

// SplitName divides the name of a function, as package runtime has it, into the package's path and
// the rest.
func SplitName(function string) (path, name string) {
	slash := strings.LastIndexByte(strings.SplitN(function, "[", 2)[0], '/')
	last, name, _ := strings.Cut(function[slash+1:], ".")
	return strings.ReplaceAll(function[:slash+1]+last, "%2e", "."), name
}
