package machine

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
)

// outside calls a function whose code is not seen.
func (c *call) outside(fn *ssa.Function, full string) {
	reason := "what " + fn.Name() + " returns"
	if fn.Signature.Recv() == nil && strings.HasPrefix(fn.Name(), "New") {
		reason = "the result of " + fn.Name()
	}
	if c.ends(full) {
		return
	}
	if body := c.loopBody(); body != nil {
		c.iterate(body, 0)
		return
	}
	if callsBack(full) {
		c.callBack(full, fn.Signature, reason)
		return
	}
	switch {
	case !keepsNothing(fn, full):
		c.shareArgs()
	case !onlyReads(full):
		c.writeArgs()
	}
	c.result(fn.Signature, reason)
	c.callMethods(full)
	if alwaysError[full] {
		if c.f != nil && c.dst >= 0 {
			c.h.IsSet(c.f.regs[c.dst])
		}
	}
}

// onlyReads reports whether a function that keeps no argument only reads its arguments.
func onlyReads(full string) bool { return skeleton.Prints(full) }

// methods are the names of the methods that functions of the standard library call, by argument.
var methods = map[string][]string{"io.ReadFull": {"Read"}, "io.ReadAll": {"Read"},
	"io.ReadAtLeast": {"Read"}, "io.Copy": {"Write", "Read"}, "io.CopyN": {"Write", "Read"},
	"io.CopyBuffer": {"Write", "Read"}, "io.WriteString": {"Write"}, "fmt.Fprint": {"Write"},
	"fmt.Fprintf": {"Write"}, "fmt.Fprintln": {"Write"}, "binary.Read": {"Read"},
	"binary.Write": {"Write"}}

// printing are packages that call no methods but String, Error and the like.
var printing = []string{"fmt.", "log.", "(*log.", "errors.", "time.", "os.", "(*testing.",
	"strings.", "strconv.", "(*os.", "runtime.", "sync."}

// callMethods makes p call the methods of its arguments that an outside function calls, once. If it
// is not known which, others than p may call them at any time.
func (c *site) callMethods(full string) {
	for i, a := range c.args {
		v, ok := a.(heap.Iface)
		if !ok || types.IsInterface(v.T) || !c.p.m.prog.Acts(v.T) {
			continue
		}
		names, known := methods[full]
		known = known || slices.ContainsFunc(printing,
			func(prefix string) bool { return strings.HasPrefix(full, prefix) })
		switch {
		case !known:
			c.h.Share(v.V)
		case i < len(names):
			c.callMethod(v, names[i])
		}
	}
}

// callMethod calls a method with unknown arguments, if its code is known.
func (c *site) callMethod(on heap.Iface, name string) {
	fn := c.p.m.prog.Named(on.T, name)
	body := c.p.m.prog.Func(fn)
	if body == nil || !c.p.m.prog.Matters(fn) {
		return
	}
	args := c.unknown(body)
	args[0] = on.V
	c.p.push(body, args, nil, -1, c.pos).done = func(heap.Value) {}
}

// unknown makes unknown arguments for a function.
func (c *site) unknown(fn *skeleton.Func) []heap.Value {
	args := make([]heap.Value, fn.Params)
	for i := range args {
		args[i] = c.h.Fresh(fn.TypeOf(i), fn.ParamName(i), c.pos)
	}
	return args
}

// ends ends p, or the program, if a function of that name does.
func (c *site) ends(full string) bool {
	switch endings[full] {
	case endsProcess:
		c.p.exiting = true
		c.p.m.TestEnded = c.p.m.TestEnded || full != "runtime.Goexit"
		c.p.panics(&Failure{Proc: c.p, Text: "Goexit"})
	case endsProgram:
		c.p.m.unfinished("the program ends")
	default:
		return false
	}
	return true
}

// callBack calls a function that calls its function arguments, once or not at all, with unknown
// arguments, and then returns.
func (c *call) callBack(full string, sig *types.Signature, reason string) {
	c.result(sig, reason)
	for _, a := range c.args {
		fn, ok := a.(*heap.Closure)
		if !ok {
			heap.Writes(c.h, a)
			continue
		}
		if fn.Fn == nil {
			c.h.Share(fn) // it may be called
			continue
		}
		body := c.p.m.prog.Func(fn.Fn)
		if body == nil {
			continue
		}
		c.p.push(body, c.unknown(body), fn.Free, -1, c.pos).done = func(heap.Value) {
			if !callsOnce[full] { // it may be called again, and change what it has changed now
				heap.Writes(c.h, fn)
			}
		}
	}
}

const (
	endsProcess = 1 + iota
	endsProgram
)

// endings are functions that do not return.
var endings = map[string]int{
	"runtime.Goexit": endsProcess,
	"os.Exit":        endsProgram, "log.Fatal": endsProgram, "log.Fatalf": endsProgram,
	"log.Fatalln":             endsProgram,
	"(*testing.common).Fatal": endsProcess, "(*testing.common).Fatalf": endsProcess,
	"(*testing.common).FailNow": endsProcess, "(*testing.common).Skip": endsProcess,
	"(*testing.common).Skipf": endsProcess, "(*testing.common).SkipNow": endsProcess,
	"(*log.Logger).Fatal": endsProgram, "(*log.Logger).Fatalf": endsProgram,
	"log.Panic": endsProgram, "log.Panicf": endsProgram,
}

// alwaysError are functions that return an error, always.
var alwaysError = map[string]bool{"errors.New": true, "fmt.Errorf": true}

// callingBack are packages whose functions call function arguments before they return, and keep
// nothing.
var callingBack = []string{"sort.", "slices.", "strings.", "bytes.", "maps.",
	"path/filepath.Walk", "io/fs.Walk", "go/ast.Inspect"}

// callsOnce are those that call it once.
var callsOnce = map[string]bool{"(*testing.T).Run": true, "(*testing.B).Run": true}

func callsBack(full string) bool {
	for _, prefix := range callingBack {
		if strings.HasPrefix(full, prefix) {
			return true
		}
	}
	return callsOnce[full] || full == "(*sync.Map).Range"
}

// keeping are functions of the standard library that keep what they are given, or hand it on.
var keeping = []string{"os/signal.", "net/http.", "(*net/http.", "runtime.SetFinalizer",
	"runtime.AddCleanup",
	"context.AfterFunc", "(*sync.Map).", "(*sync.Pool).", "(*sync/atomic.Value).",
	"(*sync/atomic.Pointer[",
	"(*container/", "container/", "expvar.", "(*testing.common).Cleanup", "bufio.New",
	"io.TeeReader", "io.MultiWriter",
	"(*flag.", "iter.", "net/rpc.", "(*net/rpc.", "reflect.", "(reflect.", "testing.", "flag.", "sync.Once",
	"unique.", "weak.",
	"database/sql.", "(*database/sql.", "os/exec.", "(*os/exec."}

// keepsNothing reports whether an outside function of that full name keeps no argument: most of the
// standard library does not.
func keepsNothing(fn *ssa.Function, full string) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	for _, prefix := range keeping {
		if strings.HasPrefix(full, prefix) {
			return false
		}
	}
	path := ""
	if fn.Pkg != nil {
		path = fn.Pkg.Pkg.Path()
	} else if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	first, _, _ := strings.Cut(path, "/")
	return path != "" && path != "main" && path != "command-line-arguments" &&
		!strings.Contains(first, ".") && standard[first]
}

// standard are the first elements of paths of the standard library, except for what keeps much.
var standard = map[string]bool{"archive": true, "bufio": true, "bytes": true, "cmp": true,
	"compress": true, "context": true,
	"crypto": true, "encoding": true, "errors": true, "fmt": true, "go": true, "hash": true,
	"html": true, "image": true,
	"io": true, "log": true, "maps": true, "math": true, "mime": true, "net": true, "os": true,
	"path": true, "regexp": true,
	"runtime": true, "slices": true, "sort": true, "strconv": true, "strings": true, "sync": true,
	"syscall": true,
	"testing": true, "text": true, "time": true, "unicode": true, "unsafe": true}

// harmless are methods of interfaces that keep nothing, whoever has them.
var harmless = map[string]bool{"Error": true, "String": true, "Read": true, "Write": true,
	"Close": true, "Len": true,
	"Less": true, "Swap": true, "Err": true, "Name": true, "Debug": true, "Info": true,
	"Warn":   true,
	"Debugf": true,
	"Infof":  true, "Warnf": true, "Errorf": true, "Printf": true, "Println": true, "Log": true,
	"Logf": true, "Helper": true}
