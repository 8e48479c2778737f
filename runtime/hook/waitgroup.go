package hook

import (
	"cmp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() { gate.WaitGroupGo = waitGroupGo }

// waitGroupGo is WaitGroup.Go, whose go statement is in package sync.
func waitGroupGo(wg unsafe.Pointer, f func()) {
	library.WaitGroupAdd(wg, 1)
	Go(waitGroupName(f), func() {
		states.Hold((*sync.WaitGroup)(wg))
		defer library.WaitGroupAdd(wg, -1)
		f()
	})
}

// waitGroupNames are the names of the processes that WaitGroup.Go has made, by the code that they
// run.
var waitGroupNames = map[uintptr]string{}

func waitGroupName(f func()) string {
	defer world.W.Enter().Leave()
	pc := world.Entry(f)
	name, ok := waitGroupNames[pc]
	if !ok {
		fn := runtime.FuncForPC(pc)
		_, line := fn.FileLine(pc)
		name = processName(fn.Name(), line)
		waitGroupNames[pc] = name
	}
	return name
}

// processName names a process that runs a function as the rewriter names those of go statements:
// "(*Server).loop", and "TestX.func@27" for a literal on line 27. The function is given by its full
// name, "example.org/p.TestX.func2.1".
func processName(function string, line int) string {
	name := function[strings.LastIndexByte(strings.SplitN(function, "[", 2)[0], '/')+1:]
	_, name, _ = strings.Cut(strings.ReplaceAll(name, "[...]", ""), ".")
	for i := range name {
		if rest, ok := strings.CutPrefix(name[i:], ".func"); ok && rest != "" && '0' <= rest[0] &&
			rest[0] <= '9' {
			return cmp.Or(strings.Trim(strings.TrimPrefix(name[:i], "glob."), "."), "init") +
				".func@" + strconv.Itoa(line)
		}
	}
	return strings.TrimSuffix(name, "-fm")
}
