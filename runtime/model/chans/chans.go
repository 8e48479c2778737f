// Package chans models Go's channels: the states in which a send, a receive or a select may
// proceed, its partners, and its effect on the channel. The values themselves travel through the
// program's own channels (package hook moves them); the model keeps counts only.
//
// A declared operation has not begun yet, as seen by the other processes: its goroutine may still
// be about to call into the channel. That makes explicit parking unnecessary. Any of several
// waiting partners may be met next, because any of them may have come first. A select with a
// default branch may take it although a partner waits, because the partner may not have come yet.
// Every such choice is one that the Go runtime can make, and it can make no other. A partner that
// must have come, because time has passed since, cannot be missed: see sched.Rest.
//
// Under the delivery models actor and pairs, a channel that Relax has made a mailbox is a box of
// messages instead: see box.go.
//
// LIMITS: a channel that was not made through Made is unknown. A channel that was made before the
// first execution has, when an execution begins, the state that the last one left, unless package
// image has restored it.
package chans

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Chan is the model of one channel in one execution.
type Chan struct {
	ID  int32
	Cap int32
	// Cap, or trace.Timers, or trace.Served and the like, or the delivery model of a mailbox:
	// trace.Bag, trace.Pairs
	kind int32
	at   unsafe.Pointer // the address of the channel
	// for package hook: memory for the value of a rendezvous, or for those of the messages in a
	// mailbox
	Transit unsafe.Pointer
	Latest  trace.Message // of a mailbox: what was sent last
	Name    Name          // in all executions
	Hidden  bool          // of a timer: len and cap are 0, whatever its buffer holds
	Counted bool          // what is done with it is no step, if it may be: see Pass
	// its operations are steps for good: it will not be counted
	Uncounted bool

	bubble   *sched.Bubble // in which it was made
	n        int32         // values in the buffer
	sent     int32         // values sent so far
	received int32         // values received so far
	closed   bool          //
	// of a channel from outside the execution: whether it is closed, for the next one
	static  *bool
	pending []trace.Message // of a mailbox, in the order of the sends
	// the values that were sent and not received, in this order, for the comparison of states
	letters []Letter
	server  *sched.Proc // of one that is served: waits in its loop
	service *Operation  // what that has declared
	came    bool        // it has come to its loop
	laid    bool        // it comes there when all has been sent
	// processes that have declared a receive on an unbuffered channel, by process and case
	waiting []waiter
}

// waiter is a declared receive.
type waiter struct {
	p        *sched.Proc
	index    int32 // of its select's case
	blocking bool  // it has no default branch to take instead
}

// header is the part of the Go runtime's channel that len and cap read.
type header struct{ count, size uint }

// World holds the channels of one execution.
type World struct {
	s      *sched.Sched
	chans  map[unsafe.Pointer]*Chan
	pool   []*Chan
	used   int
	static map[unsafe.Pointer]*bool // channels made outside executions, and whether each is closed
	model  int32                    // trace.Bag, trace.Pairs, or 0: Go's
	posted []int32                  // how many messages each process has put into mailboxes
	boxes  map[unsafe.Pointer]bool  // those of static that are mailboxes
	// of those of static that Number was asked for, by the values of static
	numbers map[*bool]int32
	// some of chans, by parts of their addresses: most look-ups need no more
	recent [16]*Chan
	serves Serves
	made   []int32 // by process: how many channels it has made
}

// New returns the channels of s's executions.
func New(s *sched.Sched) *World {
	w := &World{s: s, chans: map[unsafe.Pointer]*Chan{}, static: map[unsafe.Pointer]*bool{},
		boxes: map[unsafe.Pointer]bool{}, numbers: map[*bool]int32{}}
	s.OnReset(w.reset)
	return w
}

// Inherit makes w know the channels that were made outside of executions before w was.
func (w *World) Inherit(before *World) { w.static, w.boxes = before.static, before.boxes }

func (w *World) reset() {
	clear(w.chans)
	w.posted = w.posted[:0]
	for _, c := range w.pool[:w.used] {
		c.waiting = c.waiting[:0]
	}
	w.used, w.made = 0, w.made[:0]
	clear(w.recent[:])
}

// Made tells of a new channel. describe is called only when names are recorded.
func (w *World) Made(ch unsafe.Pointer, describe func() string) {
	if !w.s.Active() {
		w.static[ch] = new(bool)
		return
	}
	c := w.add(ch, describe)
	w.serve(c)
}

func (w *World) add(ch unsafe.Pointer, describe func() string) *Chan {
	c := w.take(ch)
	c.ID = w.s.NewObject(describe)
	return c
}

func (w *World) take(ch unsafe.Pointer) *Chan {
	if w.used == len(w.pool) {
		w.pool = append(w.pool, &Chan{})
	}
	c := w.pool[w.used]
	w.used++
	h := (*header)(ch)
	pending, letters, waiting := c.pending[:0], c.letters[:0], c.waiting[:0]
	*c = Chan{}
	c.at, c.Cap, c.kind = ch, int32(h.size), int32(h.size)
	c.n, c.sent = int32(h.count), int32(h.count)
	c.pending, c.letters, c.waiting = pending, letters, waiting
	if p := w.s.Current(); p != nil {
		c.bubble = p.Bubble
	}
	w.chans[ch], *w.slot(ch) = c, c
	return c
}

// Timer tells of the new channel of a timer. The channel counts as a part of the object id. Full,
// Put and Clear are for the model that fills it. hidden: the program is not to see its buffer.
func (w *World) Timer(ch unsafe.Pointer, id int32, hidden bool) *Chan {
	c := w.take(ch)
	c.ID, c.Cap, c.kind, c.Hidden = id, 1, trace.Timers, hidden
	return c
}

// Full reports whether the buffer has no room.
func (c *Chan) Full() bool { return c.n >= c.Cap }

// Put puts a value into the buffer.
func (c *Chan) Put() { c.n++; c.sent++ }

// Clear takes all values out of the buffer, which are received by no one.
func (c *Chan) Clear() { c.n, c.received = 0, c.sent }

// Find returns the model of a channel: nil for a nil channel. ok is false for a channel that is not
// under control.
func (w *World) Find(ch unsafe.Pointer) (c *Chan, ok bool) {
	if ch == nil {
		return nil, true
	}
	if c = *w.slot(ch); c != nil && c.at == ch {
		return c, true
	}
	if c, ok = w.search(ch); ok {
		*w.slot(ch) = c
	}
	return c, ok
}

// slot is where ch is in recent, if it is there.
func (w *World) slot(ch unsafe.Pointer) **Chan {
	const size = 32 // no channel is much smaller
	return &w.recent[uintptr(ch)/size%uintptr(len(w.recent))]
}

// search is Find without a short cut.
func (w *World) search(ch unsafe.Pointer) (c *Chan, ok bool) {
	if c = w.chans[ch]; c != nil {
		return c, true
	}
	closed := w.static[ch]
	if closed == nil {
		return nil, false
	}
	c = w.add(ch, func() string { return "chan made in package initialisation" })
	c.bubble = nil
	c.closed, c.static = *closed, closed
	if w.boxes[ch] && c.n == 0 {
		w.relax(c)
	}
	w.s.Static()
	return c, true
}

// ID returns the number of a channel that this execution has made or used.
func (w *World) ID(ch unsafe.Pointer) (id int32, ok bool) {
	if c := w.chans[ch]; c != nil {
		return c.ID, true
	}
	return 0, false
}

// Close tells that a channel was closed outside of any execution.
func (w *World) Close(ch unsafe.Pointer) {
	if closed := w.static[ch]; closed != nil {
		*closed = true
	}
}

// Closed implements image.Channels: it knows the channels that were made outside of any execution.
func (w *World) Closed(ch unsafe.Pointer) (closed, known bool) {
	if p := w.static[ch]; p != nil {
		return *p, true
	}
	return false, false
}

// Renew implements image.Channels.
func (w *World) Renew(old, new unsafe.Pointer, closed bool) {
	delete(w.static, old)
	w.static[new] = &closed
	if w.boxes[old] {
		delete(w.boxes, old)
		w.boxes[new] = true
	}
}

// send and receive update the counts.
func (c *Chan) send(ev *trace.Event) {
	if c.closed {
		ev.Closed = true
		return
	}
	ev.Seq = c.sent
	c.sent++
	if ev.Partner < 0 {
		c.n++
	}
}

func (c *Chan) receive(ev *trace.Event) {
	if c.n == 0 {
		ev.Closed = true
		return
	}
	if c.mailbox() {
		c.pick(ev)
		return
	}
	ev.Seq = c.received
	c.received++
	c.n--
}

func (c *Chan) close() {
	c.closed = true
	if c.static != nil {
		*c.static = true
	}
}

// wait notes a declared receive, in the order of process and case.
func (c *Chan) wait(w waiter) {
	i := len(c.waiting)
	c.waiting = append(c.waiting, w)
	for ; i > 0 && c.waiting[i-1].p.ID > w.p.ID; i-- {
		c.waiting[i] = c.waiting[i-1]
	}
	c.waiting[i] = w
}

func (c *Chan) leave(p *sched.Proc) {
	kept := c.waiting[:0]
	for _, w := range c.waiting {
		if w.p != p {
			kept = append(kept, w)
		}
	}
	c.waiting = kept
}

// partners appends the rendezvous that process p, which sends in case index, may have. Processes
// wait on unbuffered channels only.
func (c *Chan) partners(p *sched.Proc, index int32, blocking bool, dst []trace.Alt) []trace.Alt {
	for _, w := range c.waiting {
		if w.p != p && (blocking || w.blocking) {
			dst = append(dst, trace.Alt{Proc: p.ID, Case: index, Partner: w.p.ID,
				PartnerCase: w.index})
		}
	}
	return dst
}
