package stream

import "github.com/rehearse-go/rehearse/runtime/trace"

// end is one side.
type end struct {
	closed   bool
	shut     bool // it writes no more
	deaf     bool // it reads no more
	busy     bool // a Write of several segments is under way
	resets   bool // its close resets the connection
	broken   bool // what it writes comes back: the other side was closed before
	reset    bool // the connection has been reset by the other side
	pending  bool // and it has not been told yet
	gone     bool // what it is to be told is that nothing has arrived for long
	deadline deadline
}

// deadline has those of Reads and of Writes.
type deadline struct {
	past   [2]bool
	number [2]int32 // how often each has been set
	// of a socket of datagrams: nobody has taken what it sent, and it has not been told yet
	refused bool
}

// listener is one that listens at an address.
type listener struct {
	number, host int32
	deadline     deadline
}

// State is that of one object. Its zero value is a new one.
type State struct {
	queues    [2]queue
	ends      [2]end
	listeners []listener // of an address
	listened  int32      // how many there have been
	// of a connection that the network has cut: the last state of the other side that each side has
	// seen, and how many segments of each direction arrive
	cut     bool
	heard   [2]end
	arrives [2]int32
}

// Reset makes s a new one's, which reuses the memory.
func (s *State) Reset() {
	for d := range s.queues {
		q := &s.queues[d]
		*q = queue{segments: q.segments[:0], sizes: q.sizes[:0], gone: q.gone[:0]}
	}
	*s = State{queues: s.queues, listeners: s.listeners[:0]}
}

// Do does op, if that is possible.
func (s *State) Do(op *trace.Op) (r Result, ok bool) {
	if !s.Enabled(op) {
		return r, false
	}
	r.Needs = -1
	o := Unpack(op.Cap)
	switch op.Kind {
	case trace.StreamRead:
		s.read(o, op.N, &r)
	case trace.StreamWrite:
		s.write(o, op.N, &r)
	case trace.StreamShut:
		s.shut(o, op.N, &r)
	case trace.StreamSet:
		s.set(o, op.N, &r)
	case trace.StreamListen:
		s.listen(o, &r)
	case trace.StreamDial:
		s.dial(o, &r)
	case trace.StreamAccept:
		s.accept(op.N, &r)
	}
	return r, true
}

// Enabled reports whether op is possible.
func (s *State) Enabled(op *trace.Op) bool {
	o := Unpack(op.Cap)
	e := &s.ends[o.Side]
	switch op.Kind {
	case trace.StreamRead:
		return o.Mode == Now || s.stopped(o, 0, op.N) || s.incoming(o, op.N) >= 0 ||
			s.ended(o) != OK
	case trace.StreamAccept:
		return s.stopped(o, 0, op.N) || s.incoming(o, op.N) >= 0
	case trace.StreamWrite:
		switch {
		case o.Medium == Datagrams || e.closed:
			return true
		case e.busy && (o.Mode == Whole || o.Mode == First):
			return false
		}
		return s.unwritable(o) != OK || s.fits(o, op.N)
	}
	return true
}

// Delivers reports whether op, a Read that is possible, learns of an action of the other side that
// is news to it. The end is no news to an idle server, unless the other side can still read.
func (s *State) Delivers(op *trace.Op) bool {
	o := Unpack(op.Cap)
	if op.Side == trace.Idle && s.incoming(o, op.N) < 0 && s.ended(o) == EOF &&
		s.peer(o.Side).closed {
		return false
	}
	return !s.stopped(o, 0, op.N)
}

// stopped reports whether side o.Side, or listener n of it, is closed or its deadline has passed.
func (s *State) stopped(o Op, which int, n int32) bool {
	return s.stop(o, which, n) != OK
}

// stop is why: for Reads if which is 0, for Writes if it is 1.
func (s *State) stop(o Op, which int, n int32) Err {
	d := s.deadlines(o, n)
	switch {
	case d == nil:
		return Closed
	case d.past[which]:
		return Deadline
	case d.refused:
		return Refused
	}
	return OK
}

// tell is stop for an operation that is told the error: of datagrams that were refused, only one
// operation is told.
func (s *State) tell(o Op, which int, n int32) Err {
	err := s.stop(o, which, n)
	if err == Refused {
		s.deadlines(o, n).refused = false
	}
	return err
}

// deadlines are those of side o.Side, or of listener n of it; nil if that is closed.
func (s *State) deadlines(o Op, n int32) *deadline {
	if o.Medium >= Address {
		if i := s.listener(n); i >= 0 {
			return &s.listeners[i].deadline
		}
		return nil
	}
	if s.ends[o.Side].closed {
		return nil
	}
	return &s.ends[o.Side].deadline
}

// incoming is the index of the segment that a side reads next; negative: there is none. n is the
// number of the listener, at an address.
func (s *State) incoming(o Op, n int32) int {
	q := s.queues[1-o.Side].segments
	if o.Medium < Address {
		if len(q) == 0 || s.cut && q[0].seq >= s.arrives[1-o.Side] {
			return -1
		}
		return 0
	}
	for i := range q {
		if q[i].to == n {
			return i
		}
	}
	return -1
}

// ended is why there is nothing more to read, when the queue is empty.
func (s *State) ended(o Op) Err {
	if o.Medium >= Address {
		return OK
	}
	me, other := &s.ends[o.Side], s.peer(o.Side)
	switch {
	case me.pending:
		return me.news()
	case me.deaf:
		return ReadEnd
	case me.reset, other.shut, other.closed:
		return EOF
	}
	return OK
}

// peer is the other side, as far as a side has heard of it.
func (s *State) peer(side int32) *end {
	if s.cut {
		return &s.heard[1-side]
	}
	return &s.ends[1-side]
}

// news returns the error that a side is told that has been reset.
func (e *end) news() Err {
	if e.gone {
		return TimedOut
	}
	return ConnReset
}

func (s *State) read(o Op, n int32, r *Result) {
	if r.Err = s.tell(o, 0, n); r.Err != OK {
		return
	}
	i := s.incoming(o, n)
	if i < 0 {
		switch r.Err = s.ended(o); {
		case r.Err == OK:
			r.Err = Again
		case o.Mode != Ready && (r.Err == ConnReset || r.Err == TimedOut):
			s.ends[o.Side].pending = false
		}
		return
	}
	q := &s.queues[1-o.Side]
	g := &q.segments[i]
	if r.Seq = g.seq; o.Mode == Ready {
		return
	}
	if o.Medium < Address {
		r.N = min(n, g.left)
		g.left -= r.N
		if g.left > 0 {
			return
		}
	}
	r.N, r.Emptied = max(r.N, g.left), true
	q.leave(i)
}

// unwritable is why a side cannot write.
func (s *State) unwritable(o Op) Err {
	if err := s.stop(o, 1, 0); err != OK {
		return err
	}
	me, other := &s.ends[o.Side], s.peer(o.Side)
	switch {
	case o.Medium != TCP && (me.shut || other.closed || other.deaf):
		return BrokenPipe
	case me.pending:
		return me.news()
	case me.shut, me.broken, me.reset:
		return BrokenPipe
	case other.closed, other.shut && other.deaf:
		return Lost // what comes back breaks the next Write
	}
	return OK
}

// fits reports whether there is room for n bytes more.
func (s *State) fits(o Op, n int32) bool {
	q := &s.queues[o.Side]
	seq, _ := q.needs(o.Medium, n)
	return seq < q.low
}

func (s *State) write(o Op, n int32, r *Result) {
	e := &s.ends[o.Side]
	if o.Medium == Datagrams {
		s.send(o, n, r)
		return
	}
	switch err := s.unwritable(o); err {
	case OK:
		s.queues[o.Side].put(o.Medium, n, 0, r)
		e.busy = o.Mode == First || o.Mode == Next
		return
	case Lost:
		if other := s.peer(o.Side); !other.closed {
			other.reset, other.pending = true, true // it wanted to hear no more
		}
		e.broken, r.Err, r.N = true, Lost, n
	case ConnReset, TimedOut:
		e.pending, r.Err = false, err
	default:
		r.Err = err
	}
	if o.Mode == Last || o.Mode == Next {
		e.busy = false
	}
}

// send puts a datagram into the queue of whoever listens, if it has room.
func (s *State) send(o Op, n int32, r *Result) {
	to := s.bound(o.Host)
	switch {
	case to < 0:
		r.Err = Refused
	case !s.fits(o, n+1):
		r.Err = Lost
	default:
		s.queues[0].put(Datagrams, n+1, to, r)
	}
}

// shut closes a side, a half of it, or listener n at an address.
func (s *State) shut(o Op, n int32, r *Result) {
	if o.Medium >= Address {
		s.unlisten(n, r)
		return
	}
	me, other := &s.ends[o.Side], s.peer(o.Side)
	switch {
	case o.Mode >= NetReset:
		s.disturb(o.Mode)
	case me.closed:
		r.Err = Closed
	case o.Mode == CloseWrite || o.Mode == CloseRead:
		if o.Medium == TCP && (me.reset || me.broken || me.shut && (other.shut || other.closed)) {
			r.Err = NotConn
			return
		}
		r.Emptied = me.deaf && o.Mode == CloseWrite
		me.shut = me.shut || o.Mode == CloseWrite
		me.deaf = me.deaf || o.Mode == CloseRead
	default:
		me.closed = true
		resets := o.Mode == CloseReset || me.resets || len(s.queues[1-o.Side].segments) > 0
		if o.Medium < Pipe && !other.closed && !other.reset && resets {
			// a side that has been told of the end of the stream is not told of a reset
			other.reset, other.pending = true, !me.shut || o.Medium == Unix
		}
	}
}

// disturb disturbs a connection, as the network may. A reset loses all data that has not been read.
func (s *State) disturb(mode Mode) {
	if mode == NetCut {
		s.cut, s.heard = true, s.ends
		s.arrives = [2]int32{int32(len(s.queues[0].sizes)), int32(len(s.queues[1].sizes))}
		return
	}
	for i := range s.ends {
		s.queues[i].segments = s.queues[i].segments[:0]
		if e := &s.ends[i]; !e.closed {
			e.reset, e.pending, e.gone = true, true, mode == NetGone
		}
	}
}

func (s *State) set(o Op, n int32, r *Result) {
	which, listener, due := int(o.Mode)&1, n, o.Mode == DueRead || o.Mode == DueWrite
	if due {
		listener, n = n>>16, n&0xffff
	}
	d := s.deadlines(o, listener)
	switch {
	case d == nil:
		r.Err = Closed
	case o.Mode == CheckWrite:
		r.Err = s.tell(o, which, listener)
	case o.Mode >= EndsAtClose:
		s.ends[o.Side].resets = o.Mode == ResetsAtClose
	case o.Mode == Refuse:
		d.refused = true
	case due:
		d.past[which] = d.past[which] || d.number[which] == n
	default:
		d.past[which] = o.Mode >= PastRead
		d.number[which] = (d.number[which] + 1) & 0xffff
		r.N = d.number[which]
	}
}
