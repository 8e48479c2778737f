package hook

import (
	"runtime"
	"slices"
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

// onBehalf has the files of the standard library that act for the program: OnceFunc and its like call Once.Do for it,
// and a context or a pipe is its own.
var onBehalf = []string{"sync/", "context/", "io/pipe.go", "net/pipe.go"}

// library reports whether pc lies in the standard library, but not in code that acts for the program.
func library(pc uintptr) bool {
	is, ok := libraries[pc]
	if !ok {
		fn := runtime.FuncForPC(pc)
		file, _ := fn.FileLine(pc)
		name, std := strings.CutPrefix(file, stdRoot)
		is = std && !slices.ContainsFunc(onBehalf, func(p string) bool { return strings.HasPrefix(name, p) })
		libraries[pc] = is
	}
	return is
}
