package sched

import (
	"iter"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// maxNested bounds how often one worker survives runtime.Goexit. Goexit cannot be undone, but a
// deferred call may go on for ever. So the worker could serve its next process from inside the
// deferred call of the one that exited, one level of stack deeper each time. Then the stack of a
// process would have more frames than Go prints, and lose its own. So no worker serves after a
// Goexit.
const maxNested = 1

// coroutines switches with iter.Pull. A process resumes the next one itself, so the workers form a
// chain: the driver is at its bottom, and the process that runs is at the top. A process further
// down gets control when all above it have paused; they leave the chain. Each switch adds at most
// one link, so on average it pauses at most one process.
type coroutines struct {
	s       *Sched
	idle    []*coroutine
	retired []*coroutine // to be ended, once they have given control back
	target  *Proc        // who gets control next; nil is the driver
}

type coroutine struct {
	b      *coroutines
	job    *Proc
	next   func() (struct{}, bool)
	stop   func()
	pause  func(struct{}) bool
	above  bool // it is in the chain
	nested int
}

func (*coroutine) goroutine() {}

func newCoroutines(s *Sched) *coroutines { return &coroutines{s: s} }

func (b *coroutines) switchTo(from, to *Proc) {
	b.target = to
	for b.target != from {
		if w := b.reachable(from); w != nil {
			w.resume()
		} else {
			from.worker.(*coroutine).pause(struct{}{})
		}
		if from == nil {
			b.bury()
		}
	}
}

// reachable returns the target's worker, nil if process from must go down the chain to reach it.
// Only the driver makes workers, since they inherit properties of the goroutine that makes them.
func (b *coroutines) reachable(from *Proc) *coroutine {
	if b.target == nil || from != nil && b.target.worker == nil && len(b.idle) == 0 {
		return nil
	}
	if w := b.workerOf(b.target); !w.above {
		return w
	}
	return nil
}

// resume puts w on top of the chain and returns when it has left it.
func (w *coroutine) resume() {
	w.above = true
	w.next()
	w.above = false
}

// bury ends the retired workers: from goroutines of their own, because the Goexit spreads to the
// caller of stop.
func (b *coroutines) bury() {
	for _, w := range b.retired {
		go w.stop()
	}
	b.retired = b.retired[:0]
}

func (b *coroutines) close() {
	b.retired, b.idle = append(b.retired, b.idle...), nil
	b.bury()
}

func (b *coroutines) workerOf(p *Proc) *coroutine {
	if p.worker == nil {
		w := b.take()
		w.job, p.worker = p, w
	}
	return p.worker.(*coroutine)
}

func (b *coroutines) take() *coroutine {
	if n := len(b.idle); n > 0 {
		w := b.idle[n-1]
		b.idle = b.idle[:n-1]
		return w
	}
	w := &coroutine{b: b}
	w.next, w.stop = iter.Pull(func(yield func(struct{}) bool) {
		w.pause = yield
		w.serve()
	})
	return w
}

// serve runs one process after another, for ever.
func (w *coroutine) serve() {
	for {
		if !w.finish(w.b.s.runBody(w.job, w.survive)) {
			return
		}
	}
}

// finish makes w idle and gives control to next. It returns true when w has a new process, and
// false when w must end.
func (w *coroutine) finish(next *Proc) bool {
	w.job = nil
	w.b.target = next
	if w.nested < maxNested {
		w.b.idle = append(w.b.idle, w)
	} else {
		w.b.retired = append(w.b.retired, w)
	}
	return w.pause(struct{}{})
}

// survive is finish and serve for a worker whose process called Goexit.
func (w *coroutine) survive(next *Proc) {
	w.nested++
	if w.finish(next) {
		w.serve()
	}
}

// goroutines switches by waking the next process directly, as needed for the race detector and
// LockOSThread.
type goroutines struct {
	s      *Sched
	idle   []*goroutine
	driver chan struct{}
}

type goroutine struct {
	b      *goroutines
	job    *Proc
	wake   chan struct{} // buffered: a worker may be woken before it waits
	base   uintptr       // what it is for the race detector while control changes hands
	nested int
}

func (*goroutine) goroutine() {}

func newGoroutines(s *Sched) *goroutines {
	return &goroutines{s: s, driver: make(chan struct{}, 1)}
}

func (b *goroutines) switchTo(from, to *Proc) {
	mine, base := b.driver, b.s.detector.driver
	if from != nil {
		w := from.worker.(*goroutine)
		mine, base = w.wake, w.base
	}
	next := b.wakerOf(to)
	gate.SetRaceContext(base)
	next <- struct{}{}
	<-mine
	gate.SetRaceContext(b.s.detector.scheduler)
}

func (b *goroutines) close() {
	for _, w := range b.idle {
		w.wake <- struct{}{}
	}
	b.idle = nil
}

// wakerOf returns the channel on which the worker of p waits. A new process gets a worker.
func (b *goroutines) wakerOf(p *Proc) chan struct{} {
	if p == nil {
		return b.driver
	}
	if p.worker == nil {
		w := b.take()
		w.job, p.worker = p, w
	}
	return p.worker.(*goroutine).wake
}

func (b *goroutines) take() *goroutine {
	if n := len(b.idle); n > 0 {
		w := b.idle[n-1]
		b.idle = b.idle[:n-1]
		return w
	}
	w := &goroutine{b: b, wake: make(chan struct{}, 1)}
	go w.serve()
	return w
}

func (w *goroutine) serve() {
	w.base = gate.RaceContext()
	for {
		<-w.wake
		if w.job == nil {
			return
		}
		gate.SetRaceContext(w.b.s.detector.scheduler)
		if !w.finish(w.b.s.runBody(w.job, w.survive)) {
			return
		}
	}
}

func (w *goroutine) finish(next *Proc) bool {
	w.job = nil
	if w.nested < maxNested {
		w.b.idle = append(w.b.idle, w)
	}
	wake := w.b.wakerOf(next)
	gate.SetRaceContext(w.base)
	wake <- struct{}{}
	return w.nested < maxNested
}

func (w *goroutine) survive(next *Proc) {
	w.nested++
	if w.finish(next) {
		w.serve()
	}
}

func (s *Sched) enter(p *Proc) {
	s.cur, gate.Owner = p, p.goid
	if s.viewer != nil {
		s.viewer.Resumed()
	}
	if s.dying {
		s.locate(p)
		p.Goexit()
	}
}

func (s *Sched) leave() { s.cur, gate.Owner = nil, 0 }

func (s *Sched) switchTo(from, to *Proc) {
	if from != to {
		s.backend.switchTo(from, to)
	}
}
