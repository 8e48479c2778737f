package hook

import (
	"runtime"
	"strings"
)

// libraries remembers, for program counters, whether they lie in library code.
var libraries = map[uintptr]bool{}

// stdRoot is where the standard library's sources were when the binary was built.
var stdRoot = func() string {
	pc := entry(runtime.GC)
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	return strings.TrimSuffix(file, "runtime/mgc.go")
}()

// library reports whether pc lies in the standard library, packages sync and context excepted: OnceFunc and its like
// call Once.Do for the program, and a context is the program's.
func library(pc uintptr) bool {
	is, ok := libraries[pc]
	if !ok {
		fn := runtime.FuncForPC(pc)
		file, _ := fn.FileLine(pc)
		is = strings.HasPrefix(file, stdRoot) && !strings.HasPrefix(fn.Name(), "sync.") && !strings.HasPrefix(fn.Name(), "context.")
		libraries[pc] = is
	}
	return is
}
