package sched

import (
	"cmp"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Current returns the process whose code is running on the calling goroutine, or nil if that
// goroutine runs no process.
func (pl *places) Current() *Proc {
	if pl.cur == nil || gate.Owner != gate.Goid() || gate.InCallback() {
		gate.Park()
		return nil
	}
	return pl.cur
}

// Site returns where the current process is, in the sense of place.
func (pl *places) Site() string {
	site := Site()
	if site == "" && pl.cur != nil {
		return pl.cur.from
	}
	return site
}

// Shown is Site for people.
func (pl *places) Shown() string {
	site := Shown()
	if site == "" && pl.cur != nil {
		return pl.cur.from
	}
	return site
}

// FirstUse says for people where an object is used for the first time; empty if code of the library
// uses it for nobody.
func (pl *places) FirstUse() string {
	if site := pl.Shown(); site != "" {
		return " first used at " + site
	}
	return ""
}

// spawnedAt returns where parent is when it spawns. A daemon has no stack: for it, that is where it
// was made.
func (pl *places) spawnedAt(parent *Proc) string {
	if parent.daemon {
		return parent.site
	}
	return pl.Shown()
}

// twinSite is SiteOf for one return address.
func (pl *places) twinSite(pc uintptr) string {
	site, known := pl.twinSites[pc]
	if !known {
		site = SiteOf([]uintptr{pc})
		pl.twinSites[pc] = site
	}
	return site
}

// Site returns "file:line:col" (column 0 is left out) of the innermost caller that is the program's
// own code; empty if the process has none.
func Site() string {
	var pcs [32]uintptr
	return SiteOf(pcs[:gate.Callers(2, pcs[:])])
}

// Module is the directory of the module whose tests run, and Libraries are those with the modules
// that it requires. Of a stack, people are shown the innermost code that is of the module, or
// neither the standard library's nor a required module's. Without Libraries, it is the innermost
// code that is none of the runtime's.
var (
	Module    string
	Libraries []string
)

// Shown is Site for people.
func Shown() string {
	var pcs [maxFrames]uintptr
	site, _ := shown(pcs[:gate.Callers(2, pcs[:])])
	return site
}

// shown returns the site of Shown for a stack, and the library's function that is called there. If
// none of the code is the module's, that is the function that the process runs. A function that
// does a single operation, such as those of package sync, is not named.
func shown(stack []uintptr) (site, call string) {
	f, call, ok := calledInModule(stack)
	site = f.File + ":" + strconv.Itoa(f.Line)
	if !ok {
		site = SiteOf(stack)
	}
	switch pkg := packageOf(call); {
	case pkg == "sync", pkg == "sync/atomic", pkg == "time", pkg == "testing", pkg == "runtime",
		strings.Contains(pkg, "rehearse/"):
		call = ""
	case !ok && call != "":
		call = trace.Runs + call
	}
	return site, call
}

// ShownIn is Shown for a stack of calls that led to an access. The library may have made the access
// for the program.
func ShownIn(stack []uintptr) string {
	if f, ok := inModule(stack); ok {
		return f.File + ":" + strconv.Itoa(f.Line)
	}
	return programSite(stack)
}

// inModule returns the innermost call of the module's code.
func inModule(stack []uintptr) (runtime.Frame, bool) {
	f, _, ok := calledInModule(stack)
	return f, ok
}

// calledInModule is inModule with the full name of the function that is called there. If there is
// no such call, that is the function that the process runs.
func calledInModule(stack []uintptr) (f runtime.Frame, callee string, ok bool) {
	if len(Libraries) == 0 {
		return runtime.Frame{}, "", false
	}
	library := ""
	frames := runtime.CallersFrames(stack)
	for {
		f, more := frames.Next()
		switch {
		case isOfModule(f):
			return f, callee, true
		case !more, strings.HasSuffix(f.Function, ".runBody"):
			return runtime.Frame{}, library, false
		case !strings.Contains(f.Function, "rehearse/"):
			library = f.Function
		}
		callee = f.Function
	}
}

func isOfModule(f runtime.Frame) bool {
	switch {
	case internalFrame(f.Function):
		return false
	case Module != "" && strings.HasPrefix(f.File, Module+"/"):
		return !strings.HasPrefix(f.File, Module+"/vendor/")
	case !inProgram(f.File):
		return false
	}
	for _, dir := range Libraries {
		if dir != "" && strings.HasPrefix(f.File, dir+"/") {
			return false
		}
	}
	return f.File != "" && f.File[0] == '/'
}

// startedFor names the process that the caller starts, if the go statement is another module's. The
// name is that of the module's code for which the process is started: "(*Pool).Load@28".
func startedFor() string {
	var pcs [64]uintptr
	stack := pcs[:gate.Callers(2, pcs[:])]
	f, ok := inModule(stack)
	if site := SiteOf(stack); !ok || site == f.File+":"+strconv.Itoa(f.Line) {
		return ""
	}
	name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	return name + "@" + strconv.Itoa(f.Line)
}

// Foreign reports whether the innermost code of the program that has called is another module's.
func Foreign() bool {
	if len(Libraries) == 0 {
		return false
	}
	var pcs [64]uintptr
	stack := pcs[:gate.Callers(2, pcs[:])]
	f, ok := inModule(stack)
	site := SiteOf(stack)
	return site != "" && (!ok || site != f.File+":"+strconv.Itoa(f.Line))
}

// StdRoot is where the standard library's sources were when the binary was built. The code that
// controls the program is there, too.
var StdRoot = func() string {
	f, _ := runtime.CallersFrames([]uintptr{reflect.ValueOf(runtime.GC).Pointer() + 1}).Next()
	return strings.TrimSuffix(f.File, "runtime/mgc.go")
}()

// ownRoot is where the sources of the code are that controls the program: instances of its generic
// functions have names of the program.
var ownRoot = StdRoot + "rehearse/"

// crashSite is Site for a panic, if it is known, without the standard library: two calls of
// strings.Repeat may panic with one text.
func crashSite() string {
	var pcs [64]uintptr
	return programSite(pcs[:gate.Callers(2, pcs[:])])
}

// programSite is SiteOf without the standard library, if there is other code.
func programSite(stack []uintptr) string {
	frames := runtime.CallersFrames(stack)
	for {
		f, more := frames.Next()
		switch {
		case !more, strings.HasSuffix(f.Function, ".runBody"):
			return SiteOf(stack)
		case !internalFrame(f.Function) &&
			(!strings.HasPrefix(f.File, StdRoot) || strings.HasSuffix(f.File, "_test.go")):
			return f.File + ":" + strconv.Itoa(f.Line)
		}
	}
}

// CalledBy reports whether the program itself has called the package of the standard library that
// leads here, with no other package in between.
func CalledBy(pkg string) bool {
	var pcs [siteFrames]uintptr
	frames := runtime.CallersFrames(pcs[:gate.Callers(2, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if in := packageOf(f.Function); in != pkg && !strings.Contains(in, "rehearse/runtime") {
			return !strings.HasPrefix(f.File, StdRoot) || strings.HasSuffix(f.File, "_test.go")
		}
	}
	return false
}

// SiteAbove is Site for the innermost caller that is none of the helpers, if there is one.
func SiteAbove(helpers map[string]bool) string {
	var pcs [64]uintptr
	stack := pcs[:gate.Callers(2, pcs[:])]
	return cmp.Or(siteOf(stack, helpers), SiteOf(stack))
}

// SiteOf is Site for a stack, as runtime.Callers returns it.
func SiteOf(pcs []uintptr) string { return siteOf(pcs, nil) }

func siteOf(pcs []uintptr, helpers map[string]bool) string {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		switch {
		case !internalFrame(f.Function) && !helpers[f.Function] &&
			!strings.HasPrefix(f.File, ownRoot):
			return f.File + ":" + strconv.Itoa(f.Line)
		case !more, strings.HasSuffix(f.Function, ".runBody"):
			// below it: a process that the worker ran before
			return ""
		}
	}
}

// internalFrame reports whether a function belongs to the runtime that controls the program, or to
// those parts of the standard library that the program calls to do an operation.
func internalFrame(fn string) bool {
	pkg := packageOf(strings.TrimPrefix(fn, "github.com/rehearse-go/"))
	for _, dir := range [...]string{"rehearse/runtime", "rehearse/explore", "math/rand"} {
		if rest, ok := strings.CutPrefix(pkg, dir); ok && (rest == "" || rest[0] == '/') {
			return !strings.Contains(fn, "_test.")
		}
	}
	switch pkg {
	case "sync", "reflect", "testing", "testing/synctest", "runtime", "iter", "time", "context",
		"io",
		"net", "os", "os/signal", "fmt", "log", "errors", "internal/reflectlite":
		return !strings.Contains(fn, "_test.")
	}
	return false
}

// packageOf returns the import path in the full name of a function: the part before the first dot
// of the last element, without type arguments.
func packageOf(fn string) string {
	fn, _, _ = strings.Cut(fn, "[")
	slash := strings.LastIndexByte(fn, '/') + 1
	last, _, _ := strings.Cut(fn[slash:], ".")
	return fn[:slash] + last
}

// place returns where p declared its operation; the go statement, if all of p's code is the
// library's.
func (p *Proc) place() string {
	if p.site != "" {
		return p.site
	}
	return p.from
}

// Here is Site, but remembers results: it takes no longer than an operation.
func (pl *places) Here() string { return pl.here() }

// here is Here for the caller of its caller.
func (pl *places) here() string {
	var pcs [siteFrames]uintptr
	for _, most := range [...]int{near, siteFrames} { // to unwind is what takes time
		n := gate.Callers(3, pcs[:most])
		site, ok := pl.sites[pcs]
		if !ok {
			site = programSite(pcs[:n])
			if n == near && most == near && !inProgram(site) {
				site = ""
			}
			pl.sites[pcs] = site
		}
		if site != "" {
			return site
		}
	}
	return pl.Site()
}

// near is the number of callers that mostly reach into the program from a hook that it calls
// itself.
const near = 6

// inProgram reports whether a site is outside of the standard library.
func inProgram(site string) bool {
	return site != "" && (!strings.HasPrefix(site, StdRoot) || strings.Contains(site, "_test.go:"))
}
