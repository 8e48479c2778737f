package tests

import (
	"fmt"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// run runs the test function and, however it ends, its cleanups and parallel subtests. The order,
// and the effect of a panic or a Goexit of any of these, is as in testing.tRunner; run and conclude
// have its shape.
func (t *T) run(f func(gate.TB)) {
	t.proc = t.r.s.Current()
	defer func() { t.conclude(recover()) }()
	defer func() {
		if len(t.parallel) == 0 {
			t.cleanup()
		}
	}()
	f(t)
	t.finished = true
}

// conclude ends a test whose function and, if it has no parallel subtests, cleanups have ended, or
// have panicked.
func (t *T) conclude(panicked any) {
	if !t.r.live() {
		return
	}
	if panicked == nil && !t.finished {
		panicked = t.exited()
	}
	dead := false
	defer func() { // whatever else: a cleanup may call FailNow
		switch {
		case dead || !t.r.live():
		case panicked != nil:
			panic(panicked)
		default:
			t.signal(trace.Ended)
			t.ended = true
		}
	}()
	die := func(panicked any) {
		t.die()
		dead = true
		panic(panicked)
	}
	if panicked != nil {
		die(panicked)
	}
	if len(t.parallel) > 0 {
		t.joinParallel()
		if again := t.tryCleanup(); again != nil {
			die(again)
		}
	}
}

// live reports whether the calling process is not being unwound, nor given up.
func (r *Record) live() bool { return r.s.Current() != nil && !r.s.Dying() }

// exited is called for a test that has called runtime.Goexit itself, or FailNow of a test above it.
// It returns the value of the panic.
func (t *T) exited() any {
	const exited = "test executed panic(nil) or runtime.Goexit"
	for u := t.parent; u != nil; u = u.parent {
		if !u.finished {
			continue
		}
		t.aborts = true
		if t.parked {
			break
		}
		t.Log(exited + ": subtest may have called FailNow on a parent test")
		t.Fail()
		return nil
	}
	return exited
}

// die fails a test that panics and runs its cleanups and those of its parents, before the panic
// ends the program. A bubble's cleanups are the only ones.
func (t *T) die() {
	t.Fail()
	if again := t.tryCleanup(); again != nil {
		t.Log(fmt.Sprintf("cleanup panicked with %v", again))
	}
	for u := t; !u.bubble && u.parent != nil; u = u.parent {
		u.parent.tryCleanup()
	}
}

// joinParallel lets the parallel subtests go on, and waits for them.
func (t *T) joinParallel() {
	t.signal(trace.Released)
	t.released = true
	for _, sub := range t.parallel {
		t.join(sub)
	}
}

// tryCleanup is cleanup, and returns the value of its panic.
func (t *T) tryCleanup() (panicked any) {
	defer func() { panicked = recover() }()
	t.cleanup()
	return nil
}

// cleanup runs all cleanups, also when one of them panics or calls FailNow.
func (t *T) cleanup() {
	if !t.r.live() {
		return
	}
	defer func() {
		if len(t.cleanups) > 0 {
			t.cleanup()
		}
	}()
	if t.over = true; t.atEnd != nil {
		t.atEnd()
	}
	for len(t.cleanups) > 0 {
		last := len(t.cleanups) - 1
		f := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		f()
	}
}
