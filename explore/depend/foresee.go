package depend

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A reversal of a race leads to a state that the execution with the race has not reached. This is
// the state after those of its events that do not depend on the first event of the race. The events
// alone tell which operations are possible there, and with which effects. For example, a channel
// has as many values as sends without receives, and a mutex is held if the last of its events
// locked it.

// Foresee completes e with what it would do in the state of c, and says whether it is possible
// there. The processes, the kind and the object of e are known. It is a flat table. Of an
// AtomicUpdate the caller must say whether it writes.
func (c *Cut) Foresee(e *trace.Event) Verdict {
	switch e.Kind {
	case trace.Send, trace.Recv, trace.Default, trace.Close:
		return c.communicate(e)
	case trace.Lock:
		return unless(c.held(e.Obj))
	case trace.TryLock:
		e.OK = !c.held(e.Obj)
	case trace.WLock:
		e.OK = c.readers(e.Obj) == 0
		return unless(c.announced(e.Obj))
	case trace.RLock:
		return unless(c.announced(e.Obj))
	case trace.WWait:
		return unless(c.readers(e.Obj) > 0)
	case trace.WTryLock:
		e.OK = !c.announced(e.Obj) && c.readers(e.Obj) == 0
	case trace.RTryLock:
		e.OK = !c.announced(e.Obj)
	case trace.WgAdd:
		e.Seq = c.counter(e.Obj) + e.Op.Delta()
		e.OK = e.Seq >= 0
	case trace.WgWait:
		return unless(c.counter(e.Obj) != 0)
	case trace.Once:
		return c.once(e)
	case trace.CondSignal, trace.CondBroadcast:
		c.notify(e)
	case trace.CondWait:
		return unless(c.woken(e.Obj) <= e.Op.Waiter())
	case trace.PoolGet:
		e.OK = c.count(e.Obj, put) > c.count(e.Obj, took)
	case trace.Fault:
		return unless(e.Case > 0 && e.Op.N > 0 && c.count(e.Obj, faulted) >= e.Op.N)
	case trace.Fire:
		return Perhaps
	case trace.Join, trace.Settle:
		return Never // they have to do only with what they wait for
	case trace.StreamRead, trace.StreamWrite, trace.StreamShut, trace.StreamSet,
		trace.StreamListen, trace.StreamDial, trace.StreamAccept:
		return c.stream(e)
	}
	return Sure
}

// Ends reports whether e, which Foresee has completed, would end the execution: a fatal error, or
// the step in which a process whose panic nobody has recovered ends the program. A panic by itself
// does not: its process goes on with its deferred calls.
func (c *Cut) Ends(e *trace.Event) bool {
	switch e.Kind {
	case trace.Unlock:
		return !c.held(e.Obj)
	case trace.WUnlock:
		return !c.announced(e.Obj)
	case trace.RUnlock:
		return c.readers(e.Obj) <= 0
	}
	return e.Kind == trace.Stop
}

// communicate is Foresee for channels.
func (c *Cut) communicate(e *trace.Event) Verdict {
	switch {
	case e.Kind == trace.Default:
		if c.awaited(e) {
			return Never
		}
		return c.missesAll(e.Op.Cases)
	case e.Cap == trace.Timers:
		return Perhaps
	case e.Kind == trace.Close:
		e.Closed = c.isClosed(e.Obj)
		return Sure
	case e.Partner >= 0:
		return unless(c.isClosed(e.Obj))
	case trace.Mailbox(e.Cap):
		return c.mail(e)
	case trace.Serves(e.Cap) && e.Kind == trace.Send:
		return c.serve(e)
	}
	ready, isClosed := c.ready(e.Kind, e.Obj, e.Cap)
	e.Closed = isClosed && (e.Kind == trace.Send || ready == Never)
	if ready == Never && isClosed {
		ready = Sure
	}
	e.Seq = c.number(e.Obj, sent)
	if e.Kind == trace.Recv {
		e.Seq = c.number(e.Obj, received)
	}
	return ready
}

// mail is Foresee for mailboxes. A receive says which message it takes, or finds the mailbox
// closed.
func (c *Cut) mail(e *trace.Event) Verdict {
	ready, isClosed := c.ready(e.Kind, e.Obj, e.Cap)
	switch {
	case e.Kind == trace.Send:
		e.Closed, e.Seq = isClosed, c.posts(e.Proc)+1
		return Sure
	case e.Takes.Number == 0:
		e.Closed = isClosed && ready == Never
		return unless(!e.Closed)
	}
	return unless(!c.pending(e))
}

// posts returns the number of the last message that process q has sent.
func (c *Cut) posts(q int32) (n int32) {
	for k := range c.X.Events[:c.Order.Len()] {
		if e := &c.X.Events[k]; e.Proc == q && effectOf(e) == posted && c.Has(int32(k)) {
			n = e.Seq
		}
	}
	return n
}

// pending reports whether the message that e takes can be taken.
func (c *Cut) pending(e *trace.Event) (sent bool) {
	older := 0 // messages of its sender that are sent before it, without those that are taken
	for _, i := range c.lane(e.Obj, posted) {
		if f := &c.X.Events[i.event()]; c.Has(i.event()) && f.Proc == e.Takes.Sender {
			sent = sent || f.Seq == e.Takes.Number
			if f.Seq < e.Takes.Number {
				older++
			}
		}
	}
	for _, i := range c.lane(e.Obj, picked) {
		if f := &c.X.Events[i.event()]; c.Has(i.event()) && f.Takes.Sender == e.Takes.Sender {
			if f.Takes.Number == e.Takes.Number {
				return false
			}
			if f.Takes.Number < e.Takes.Number {
				older--
			}
		}
	}
	return sent && (e.Cap == trace.Bag || older == 0)
}

// ready says whether the buffer makes a communication possible, on a channel with a buffer or
// without a partner, and whether the channel is closed.
func (c *Cut) ready(k trace.Kind, obj, capacity int32) (v Verdict, isClosed bool) {
	isClosed = c.isClosed(obj)
	if capacity == 0 {
		return Never, isClosed
	}
	if trace.Mailbox(capacity) {
		return unless(k == trace.Recv && c.count(obj, posted) <= c.count(obj, picked)), isClosed
	}
	if c.inherited(obj) {
		return Perhaps, isClosed
	}
	n := c.number(obj, sent) - c.number(obj, received)
	return unless(k == trace.Recv && n <= 0 || k == trace.Send && n >= capacity), isClosed
}

func (c *Cut) missesAll(cases []trace.Case) Verdict {
	verdict := Sure
	for _, k := range cases {
		if k.Obj < 0 {
			continue
		}
		ready, isClosed := Perhaps, false
		if k.Cap != trace.Timers {
			ready, isClosed = c.ready(k.Kind, k.Obj, k.Cap)
		}
		switch {
		case isClosed, ready == Sure:
			return Never
		case ready == Perhaps:
			verdict = Perhaps
		}
	}
	return verdict
}

// Starved reports whether e, a receive from a channel with a buffer, is possible in no cut within c
// that has the same first events. It is not if these have taken all that is sent in c, and c does
// not close the channel.
func (c *Cut) Starved(e *trace.Event) bool {
	if e.Kind != trace.Recv || e.Cap <= 0 || trace.Serves(e.Cap) || c.inherited(e.Obj) ||
		c.isClosed(e.Obj) {
		return false
	}
	taken := int32(0)
	l := c.lane(e.Obj, received)
	for _, i := range l {
		if i.event() >= c.From {
			break
		}
		taken++
	}
	if len(l) > 0 {
		taken += c.X.Events[l[0].event()].Seq
	}
	return c.number(e.Obj, sent) <= taken
}

func (c *Cut) held(obj int32) bool {
	e := c.later(obj, locked, sectioned)
	if e == nil {
		return c.X.Began(obj).Held
	}
	return e.Kind != trace.Unlock
}

// announced reports whether a writer has, or waits for, an RWMutex.
func (c *Cut) announced(obj int32) bool {
	e := c.later(obj, wrote, wroteIn)
	if e == nil {
		return c.X.Began(obj).Held
	}
	return e.Kind != trace.WUnlock
}

func (c *Cut) readers(obj int32) (n int) {
	n = int(c.X.Began(obj).Readers)
	for _, eff := range [...]effect{read, readIn} {
		for _, i := range c.lane(obj, eff) {
			switch k := i.event(); {
			case !c.Has(k):
			case c.X.Events[k].Kind == trace.RUnlock:
				n--
			default:
				n++
			}
		}
	}
	return n
}

// counter returns the counter of a WaitGroup.
func (c *Cut) counter(obj int32) (sum int32) {
	sum = c.X.Began(obj).Count
	for _, eff := range [...]effect{added, done, raised, lowered, overdone} {
		for _, i := range c.lane(obj, eff) {
			if k := i.event(); c.Has(k) {
				sum += c.X.Events[k].Op.Delta()
			}
		}
	}
	return sum
}

func (c *Cut) once(e *trace.Event) Verdict {
	l := c.last(e.Obj, first)
	if l == nil {
		began := c.X.Began(e.Obj)
		e.OK = !began.Done
		return unless(began.Held)
	}
	e.OK = false
	return unless(l.Kind == trace.Once)
}

// woken counts the waiters of a Cond that have been woken.
func (c *Cut) woken(obj int32) int32 {
	if e := c.last(obj, notified); e != nil {
		return e.Seq
	}
	return c.X.Began(obj).Woken
}

func (c *Cut) notify(e *trace.Event) {
	e.Cap, e.Seq = c.woken(e.Obj), c.X.Began(e.Obj).Waiters+c.count(e.Obj, enlisted)
	if e.Kind == trace.CondSignal {
		e.Seq = min(e.Seq, e.Cap+1)
	}
}

// Alike reports whether the objects of a and b, which are no Defaults, can be the same one, as far
// as their kinds tell.
func Alike(a, b *trace.Event) bool {
	if isComm(a.Kind) && isComm(b.Kind) && a.Cap != b.Cap {
		return false
	}
	f, g := familyOf[effectOf(a)], familyOf[effectOf(b)]
	return f == g || f == 0 || g == 0
}

// familyOf numbers the families.
var familyOf = func() (t [numEffects]uint8) {
	for i, family := range families {
		for _, e := range family {
			t[e] = uint8(i + 1)
		}
	}
	return t
}()

// Each calls f for the events in a set of bits, in their order, until it returns false.
func Each(set []uint64, f func(k int32) bool) {
	for w, b := range set {
		for ; b != 0; b &= b - 1 {
			if !f(int32(w<<6 + bits.TrailingZeros64(b))) {
				return
			}
		}
	}
}

// stream is Foresee for a stream: it replays the events of the cut on the object.
func (c *Cut) stream(e *trace.Event) Verdict {
	s := &c.Order.replay
	s.Reset()
	c.on(e.Obj, func(k int32) { s.Do(&c.X.Events[k].Op) })
	r, ok := s.Do(&e.Op)
	if !ok {
		return Never
	}
	r.Fill(e)
	return Sure
}

// on calls f for the events of the cut on a stream, in their order.
func (s *Set) on(obj int32, f func(k int32)) {
	var lanes [numLanes]lane
	n := 0
	for _, eff := range streamEffects {
		if l := s.lane(obj, eff); len(l) > 0 {
			lanes[n] = l
			n++
		}
	}
	for {
		first := -1
		for i, l := range lanes[:n] {
			if len(l) > 0 && (first < 0 || l[0].event() < lanes[first][0].event()) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		if k := lanes[first][0].event(); s.Has(k) {
			f(k)
		}
		lanes[first] = lanes[first][1:]
	}
}
