package hook

import (
	"reflect"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Cross is called by code of the library's border that is about to call the program's, such as a
// handler. That is a step of its own: what the program does there, before its first operation,
// comes after that of others who are here, too. The handler answers a request through w.
func Cross(w any, method, uri string) {
	if p := world.W.Current(); p != nil && world.W.Bordered() && !world.W.Dying() {
		p.Op = trace.Op{Kind: trace.Yield, Obj: -1, N: trace.Announced}
		world.W.Do(p, crossing{})
		p.SetServing(true)
		world.W.Serve(w, method, uri)
	}
}

// Entered is called at the beginning of each exported function of the library's border.
func Entered() {
	if p := world.W.Current(); p != nil {
		leaves(p, true)
	}
}

// leaves is called where p may be back in the program, within a whole step of the library's border.
func leaves(p *sched.Proc, called bool) {
	if p.GoesOn() && !world.W.Dying() {
		world.W.Leaves(p, called)
	}
}

// If a test has the linker set choices, each end of a connection that a server learns about is a
// choice. Tests compare searches with these choices and without: see sched.Proc.Idle.
var choices string

// Crossed is called when the handler that answers through w has returned. When the connection ends,
// its server calls the function hears, unless that is nil. told says that it informs the program in
// another way, too.
func Crossed(w, hears any, told bool) {
	if p := world.W.Current(); p != nil && !world.W.Dying() {
		p.SetServing(false)
		// the server's process is one of those that are counted
		told = told || gate.Watched || world.Counting || choices != ""
		if !told && !Hears(hears) {
			p.Idle()
		}
		world.W.Served(w)
	}
}

// Hears reports whether the library informs the program by calling the function f.
func Hears(f any) bool {
	v := reflect.ValueOf(f)
	return !v.IsNil() && !world.W.IsBorders(v.Pointer())
}

// Calls reports whether the program has called a function of the border, from which past functions
// of the border have led to Calls.
func Calls(past int) bool { return world.W.Current() != nil && world.W.Calls(past) }

// Recovered is called when package by of the library is about to recover a panic of the program, of
// which it tells nobody in the program. v is the panic's value.
func Recovered(by string, v any) {
	if world.W.Current() != nil && !world.W.Dying() {
		world.W.Recovered(by, v)
	}
}

// Answer is called when w is given a status, or -1: its connection is hijacked.
func Answer(w any, status int) {
	if world.W.Current() != nil {
		world.W.Answered(w, status)
	}
}

// crossing is the operation of Cross.
type crossing struct{ world.Always }

// Outer implements sched.Outer.
func (crossing) Outer() {}

var _ sched.Outer = crossing{}

// Beyond says that the program makes a system call past package os. If there are several processes,
// the order of such calls is not explored. Beyond returns f, the function that is called, or its
// first argument. A function that reads knows the numbers that RawConn.Read gives.
func Beyond[F any](f F, name string) F {
	if read, ok := any(f).(func(int, []byte) (int, error)); ok && strings.HasSuffix(name, ".Read") {
		return any(func(fd int, p []byte) (n int, err error) {
			if gate.RawRead != nil {
				if n, err, known := gate.RawRead(fd, p); known {
					return n, err
				}
			}
			beyond(name)
			return read(fd, p)
		}).(F)
	}
	beyond(name)
	return f
}

//go:noinline
func beyond(name string) {
	gate.ReadUnknown()
	if p := world.W.Current(); p != nil && len(world.W.All()) > 1 {
		world.W.Cut("system calls past package os are in no order: " + name)
	}
}
