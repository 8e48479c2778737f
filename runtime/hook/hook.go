// Package hook has every function that rewritten code calls. It decides nothing: it finds the
// process that calls, hands the operation to the model, and moves the values.
//
// Under the race detector, the accesses of a hook between Enter and Leave count as the scheduler's.
// Operations on the program's own channels and calls of its functions come after Leave, as the
// program's own.
//
// The generic functions are compiled with the program, and the detector would watch them as its
// code; hence their go:norace.
//
// Vocabulary: a call that comes while no execution runs (package initialisation, TestMain) does the
// plain Go operation, except for go statements, see package library, services.go.
//
// LIMITS: a goroutine that ran before the first execution is not a process; when it meets an
// execution's channels, the execution ends as Uncontrolled.
package hook

import (
	"os"
	"runtime"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/world"
)

func init() { gate.Exit = Exit }

// Go starts a process that runs f. name is the function as the source writes it.
func Go(name string, f func()) {
	if p := world.W.Current(); p != nil { // Spawn enters by itself
		world.W.Spawn(p, name, f)
		if library.Creators {
			library.NoteCreator()
		}
		if notes.Book != nil {
			notes.Book.Launched(p.ID, world.W.Newest(), f)
		}
		return
	}
	if gate.Preparing {
		library.KeepService(name, f)
		return
	}
	go f()
}

// Twins comes before a loop whose go statements, or calls of WaitGroup.Go, start processes that are
// indistinguishable until they move.
func Twins() {
	if p := world.W.Enter(); p != nil {
		p.Twins()
		p.Leave()
	}
}

// Twin comes before the k-th such statement, from 0.
func Twin(k int) {
	if p := world.W.Enter(); p != nil {
		p.Twin(k)
		p.Leave()
	}
}

// Polls comes before a loop that only looks: see package rewrite/rounds.
func Polls() {
	if p := world.W.Enter(); p != nil {
		p.Polls()
		p.Leave()
	}
}

// Tally comes before such a loop changes a variable that it does not read.
func Tally() {
	if p := world.W.Enter(); p != nil {
		sched.Tally(p)
		p.Leave()
	}
}

// Round comes first in the body of such a loop.
func Round() {
	if p := world.W.Enter(); p != nil {
		p.Round()
		p.Leave()
	}
}

// Asked returns ctx, which a still loop asks whether it has ended. A context of the program's own
// may count the questions: then the loop begins anew.
//
//go:norace
func Asked[T any](ctx T) T {
	if p := world.W.Enter(); p != nil {
		if !isOfLibrary(ctx) {
			p.Polls() // the loop's rounds are not compared
		}
		p.Leave()
	}
	return ctx
}

// Gosched is runtime.Gosched: a step that does nothing.
func Gosched() { world.Yield() }

// Goexit is runtime.Goexit.
func Goexit() {
	if p := world.W.Current(); p != nil {
		p.Goexit()
	}
	runtime.Goexit()
}

// Exit is os.Exit: it ends the execution. In a test, code 0 panics, as it does under go test.
func Exit(code int) {
	p := world.W.Current()
	switch {
	case p == nil:
		os.Exit(code)
	case code == 0 && !world.W.Program && !world.W.Dying():
		panic("unexpected call to os.Exit(0) during test")
	}
	world.Quit(p, code)
}

// GoCall is Go for a function that only calls another one, with arguments that have been evaluated.
func GoCall(name string, f func()) {
	if !states.Compared() {
		Go(name, f)
		return
	}
	Go(name, func() {
		states.Wraps(f)
		f()
	})
}

// Enter begins an activation of the calling function. results says whether that returns something.
func Enter(results bool) *states.Frame { return states.Enter(results) }

// Keep registers package-level variables of the calling file: every execution begins with the
// contents that they have before the first one. names has "count:12" for a variable that is
// declared in line 12.
func Keep(names string, vars ...any) { states.Keep(names, vars) }

// Peer returns req, a *http.Request whose RemoteAddr the program mentions.
func Peer[R any](req R) R {
	gate.Tells()
	return req
}

// NamesPeers is called by package initialisation of code that mentions RemoteAddr otherwise.
func NamesPeers() { library.NamesPeers = true }

// ShowsCreators is called by package initialisation of code that calls runtime.Stack.
func ShowsCreators() { library.Creators = true }

// CountsGoroutines is called by package initialisation of code that calls NumGoroutine.
func CountsGoroutines() { world.Counting = true }

// NumGoroutine is runtime.NumGoroutine. It counts the processes of the execution and the goroutine
// that runs the tests.
func NumGoroutine() int {
	p := world.W.Enter()
	if p == nil {
		return runtime.NumGoroutine()
	}
	n := world.W.Groups.Count(p)
	p.Leave()
	return n
}

// Setting is told of a variable of the library that the program assigns to: save returns what puts
// it back. A variable that there is no way to at first is left alone.
func Setting(save func() (restore func())) {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		restore = func() {}
		defer func() { _ = recover() }()
		return save()
	})
}
