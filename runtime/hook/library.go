package hook

import (
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// libraries remembers, for program counters, whether they lie in library code.
var libraries = map[uintptr]bool{}

// onBehalf has the files of the standard library that act for the program: OnceFunc and its like
// call Once.Do for it, a context or a pipe is its own, and the hooks call what it starts ("go
// m.Clear()").
var onBehalf = []string{"sync/", "context/", "io/pipe.go", "net/pipe.go", "rehearse/"}

// library reports whether pc, where a call returns to, lies in the standard library, but not in
// code that acts for the program. What stands at pc itself may belong to a function that was
// inlined behind the call.
func library(pc uintptr) bool {
	is, ok := libraries[pc]
	if !ok {
		file, _ := runtime.FuncForPC(pc - 1).FileLine(pc - 1)
		is = libraryFile(file)
		libraries[pc] = is
	}
	return is
}

// libraryFile reports whether a source file has library code.
func libraryFile(file string) bool {
	name, std := strings.CutPrefix(file, sched.StdRoot)
	return std && !deferred(name) && !strings.HasSuffix(name, "_test.go") &&
		!slices.ContainsFunc(onBehalf, func(p string) bool { return strings.HasPrefix(name, p) })
}

// deferred reports whether a file of the library is the runtime's, which calls what somebody has
// deferred.
func deferred(name string) bool {
	dir, _, _ := strings.Cut(name, "/")
	return dir == "runtime" && strings.Count(name, "/") == 1
}

// ownLocks remembers, for program counters, what ownLock says of them.
var ownLocks = map[uintptr]bool{}

// ownLock reports whether a method of package sync that returns to pc was called by the library,
// for a lock of its own. What the runtime calls is deferred by somebody who is not known, see
// deferred.
func ownLock(pc uintptr) bool {
	is, ok := ownLocks[pc]
	if !ok {
		file, _ := runtime.FuncForPC(pc - 1).FileLine(pc - 1)
		is = libraryFile(file)
		ownLocks[pc] = is
	}
	return is
}
