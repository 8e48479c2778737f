package hook

import (
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// This file ends executions at calls that are not controlled. guard is called by the hooks of the
// library (gate.Guard), and by what the rewriter puts in the place of a guarded function.

func init() {
	gate.Guard = guard
	gate.Trusted = isTrusted
	gate.Reflected = func(t any, method string) {
		if world.W.Current() != nil && isAtomicMethod(method) && isAtomic(t.(reflect.Type)) {
			guard("sync/atomic", atomicText)
		}
	}
}

// guard ends the execution, because the process has made an uncontrolled call. If code that the
// user trusts has made the call, the execution goes on.
func guard(name, text string) {
	frames, p := callers(), world.W.Current()
	if p == nil {
		if gate.Preparing {
			meetOutside(name, text, frames)
		}
		return
	}
	if trusted, function := trustedOf(name, frames); trusted == "" {
		world.W.Uncontrolled(p, text)
	} else {
		trust(name, trusted, function)
	}
}

// trust notes that an execution has called a function that the user trusts, if only through the
// library.
func trust(name, trusted string, function bool) {
	if function {
		trusted = name
	}
	world.W.Cut(trace.Trusted + trusted)
}

// isTrusted reports whether the user trusts a function, or who has called it.
func isTrusted(name string) bool {
	if len(world.Binary.Unguarded) == 0 && len(world.Binary.TrustedFunctions) == 0 {
		return false
	}
	trusted, function := trustedOf(name, callers())
	if trusted != "" {
		trust(name, trusted, function)
	}
	return trusted != ""
}

// callers lists the functions that are being called in this process, the innermost one first.
func callers() (list []runtime.Frame) {
	const most = 256
	pcs := make([]uintptr, most)
	frames := runtime.CallersFrames(pcs[:gate.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !more || strings.HasSuffix(f.Function, "runtime/sched.(*Sched).runBody") {
			return list
		}
		list = append(list, f)
	}
}

// trustedOf returns what the user trusts of a guarded function and those that are being called, and
// whether that is a function.
func trustedOf(name string, frames []runtime.Frame) (trusted string, function bool) {
	if len(world.Binary.Unguarded) == 0 && len(world.Binary.TrustedFunctions) == 0 {
		return "", false
	}
	if slices.Contains(world.Binary.TrustedFunctions, plainName(name)) {
		return name, true
	}
	if pkg, _ := world.SplitName(name); slices.Contains(world.Binary.Unguarded, pkg) {
		return pkg, false
	}
	for _, f := range frames {
		pkg, _ := world.SplitName(f.Function)
		if slices.Contains(world.Binary.Unguarded, pkg) {
			return pkg, false
		}
		if of := plainName(f.Function); slices.ContainsFunc(world.Binary.TrustedFunctions,
			func(t string) bool { return of == t || strings.HasPrefix(of, t+".func") }) {
			return of, true
		}
	}
	return "", false
}

// plainName is the name of a function or a method as a user may write it, "example.org/p.T.Method",
// without the marks of methods of pointers, of instances and of method values.
func plainName(function string) string {
	function = strings.ReplaceAll(function, "%2e", ".")
	function = strings.TrimSuffix(strings.NewReplacer("(*", "", "(", "", ")", "", "[...]",
		"").Replace(function), "-fm")
	return function
}

// Meet is called by what takes the place of a function that is guarded.
func Meet(name, text string) {
	if world.W.Current() != nil {
		guard(name, text)
	}
}

// Met returns f, which is called then, and which is guarded.
//
//go:norace
func Met[F any](f F, name, text string) F {
	Meet(name, text)
	return f
}

// MetValue returns a function that does what f does, and is guarded when it is called.
//
//go:norace
func MetValue[F any](f F, name, text string) F {
	v := reflect.ValueOf(f)
	guarded := reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		Meet(name, text)
		if v.Type().IsVariadic() {
			return v.CallSlice(args)
		}
		return v.Call(args)
	})
	return guarded.Interface().(F)
}

// Raw guards a system call by its number, which it returns. A system call that neither waits nor
// observes the explorer is treated like others, see Beyond.
func Raw(number uintptr, name, text string) uintptr {
	switch {
	case world.W.Current() == nil:
	case harmlessNumber(number):
		beyond(name)
	default:
		guard(name, text)
	}
	return number
}

// Pipe is os.Pipe, with a pipe in memory, unless the user trusts os.Pipe.
func Pipe(f func() (r, w *os.File, err error)) func() (r, w *os.File, err error) {
	return func() (r, w *os.File, err error) {
		if world.W.Current() == nil {
			return f()
		}
		if trusted, _ := trustedOf("os.Pipe", callers()); trusted != "" {
			guard("os.Pipe", "")
			return f()
		}
		return library.Pipe(f)
	}
}

// Flock is syscall.Flock, as long as that need not wait.
func Flock(f func(fd, how int) error) func(fd, how int) error {
	return func(fd, how int) error {
		p := world.W.Current()
		if p == nil {
			return f(fd, how)
		}
		beyond("syscall.Flock")
		const (
			nonblocking = 4 // LOCK_NB, on all systems that have flock
			patience    = 100
		)
		err := f(fd, how|nonblocking)
		for i := 0; i < patience && how&nonblocking == 0 && wouldBlock(err); i++ {
			Gosched() // whoever has it may be in the program
			err = f(fd, how|nonblocking)
		}
		if how&nonblocking == 0 && wouldBlock(err) {
			guard("syscall.Flock",
				"syscall.Flock is not controlled: it waits for a lock that somebody holds; "+
					"use LOCK_NB, or -trust syscall.Flock lets it run as it is")
			return f(fd, how)
		}
		return err
	}
}

// wouldBlock reports whether an operation failed because it would have to wait.
func wouldBlock(err error) bool {
	t, ok := err.(interface{ Temporary() bool })
	return ok && t.Temporary() && !os.IsTimeout(err) || os.IsTimeout(err)
}

// NotAtomic returns x. The caller calls a method of x that may be one of package sync/atomic.
//
//go:norace
func NotAtomic[T any](x T) T {
	if world.W.Current() != nil && isAtomic(reflect.TypeOf(x)) {
		guard("sync/atomic", atomicText)
	}
	return x
}

const atomicText = "a method of package sync/atomic is not controlled where it is called through an interface or by reflection: " +
	"it is no scheduling point there; write a method that calls it"

func isAtomicMethod(name string) bool {
	switch name {
	case "Load", "Store", "Swap", "CompareAndSwap", "Add", "And", "Or":
		return true
	}
	return false
}

// atomics remembers what isAtomic says.
var atomics = map[reflect.Type]bool{}

// isAtomic reports whether a method of a type may be one of package sync/atomic: the type, or one
// that it embeds, is of there.
func isAtomic(t reflect.Type) bool {
	if t == nil {
		return false
	}
	defer world.W.Enter().Leave()
	is, known := atomics[t]
	if !known {
		is = embedsAtomic(t)
		atomics[t] = is
	}
	return is
}

func embedsAtomic(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == "sync/atomic" {
		return true
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type != t && embedsAtomic(f.Type) {
			return true
		}
	}
	return false
}

// Outside is a guarded function that package initialisation or TestMain has called, and whose
// effects go on during the executions.
type Outside struct {
	Name, Text string
	Site       string
	Path       []string // the functions that were being called, the outermost one first
	Trusted    string   // what the user trusts of them; empty: nothing

	frames []runtime.Frame
}

var met struct {
	sync.Mutex // before the first execution, there may be several goroutines
	outside    []Outside
}

// MetOutside returns the guarded functions that package initialisation and TestMain have called. It
// is called when the functions that the user trusts are known.
func MetOutside() []Outside {
	met.Lock()
	defer met.Unlock()
	for i := range met.outside {
		o := &met.outside[i]
		o.Trusted, _ = trustedOf(o.Name, o.frames)
	}
	return met.outside
}

// meetOutside notes that package initialisation or TestMain has called a guarded function. Calls by
// the explorer's own code do not count.
func meetOutside(name, text string, frames []runtime.Frame) {
	o := Outside{Name: name, Text: text, Site: sched.Site(), frames: frames}
	for _, f := range frames {
		switch {
		case strings.HasPrefix(f.Function, "rehearse/explore/"):
			return
		case strings.HasPrefix(f.Function, "runtime.") || f.Function == "main.main" ||
			strings.HasPrefix(f.Function, "rehearse/"):
		default:
			_, short := world.SplitName(f.Function)
			o.Path = append(o.Path, short)
		}
	}
	slices.Reverse(o.Path)
	met.Lock()
	defer met.Unlock()
	// Of several guarded calls on one path, the outermost one comes first.
	if !slices.ContainsFunc(met.outside, func(q Outside) bool { return q.Site == o.Site }) {
		met.outside = append(met.outside, o)
	}
}
