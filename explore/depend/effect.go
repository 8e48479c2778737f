package depend

import (
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// effect is what an event did to one object.
type effect uint8

const (
	unknown     effect = iota
	sent               // put a value into the buffer
	received           // took a value from the buffer
	met                // handed a value over without a buffer
	drained            // receive that found the channel closed and empty
	bounced            // send that found the channel closed, and panics
	closed             // close
	reclosed           // close of a channel that is closed, which panics
	counted            // len
	missedRecv         // a select took default although it had a receive case on this channel
	missedSend         // likewise, a send case
	locked             // any operation of a Mutex but a failing TryLock
	lockFailed         // TryLock that failed
	sectioned          // Lock or Unlock of a section: see trace.Section
	wrote              // Lock or Unlock of an RWMutex, or a TryLock that succeeded
	read               // RLock, RUnlock, or a TryRLock that succeeded
	writeFailed        // RWMutex.TryLock that failed
	readFailed         // TryRLock that failed
	wroteIn            // Lock or Unlock of an RWMutex, of a section
	readIn             // RLock or RUnlock, of a section
	added              // WaitGroup.Add of zero or more, in a search in which groups are Matched
	done               // WaitGroup.Add of less than zero, likewise
	// WaitGroup.Add of zero or more, in a search that keeps the order (trace.InOrder)
	raised
	lowered    // WaitGroup.Add of less than zero, likewise
	overdone   // WaitGroup.Add that made the counter negative, and panics
	waited     // WaitGroup.Wait
	first      // Once.Do that runs the function, or the function's end
	later      // Once.Do after that
	logged     // a line of the test's log, or the like
	ended      // end of a subtest, or of a process of a bubble
	joined     // wait for the end of a subtest, or of all processes of a bubble
	yielded    // Gosched, or a hidden choice: nothing that others see
	looked     // read the clock
	armed      // gave a new timer its deadline
	rearmed    // stopped a timer, or gave it another deadline
	slept      // woke up from time.Sleep, at an instant that had come already
	fired      // moved the clock and filled a timer's channel, or started its function
	peeked     // atomic load, or a CompareAndSwap that failed
	changed    // any other atomic operation, but for
	stored     // a store of a value that has a number (Op.Cap)
	summed     // an Add whose result nobody uses
	masked     // an And, likewise
	united     // an Or, likewise
	keyPeeked  // looked up a key of a sync.Map that has a number (Op.Cap)
	keyChanged // changed the entry of such a key
	enlisted   // became a waiter of a Cond
	notified   // Signal or Broadcast
	awoken     // a waiter of a Cond goes on
	put        // Pool.Put
	took       // Pool.Get of a value that was put
	missedPool // Pool.Get from an empty pool
	born       // started a process
	died       // ended
	tallied    // counted the processes
	posted     // put a message into a mailbox
	picked     // took a message from a mailbox
	// handed a value to the process that serves the channel, which does a task with it: see
	// trace.Served
	tasked
	laid // put a value into the buffer, whose task comes behind all that is sent: trace.Op.Laid
	// Effects on connections and addresses, one for each of the two sides. A direction is named
	// after the side that writes: see stream.go.
	wrote0
	wrote1
	took0 // read from what side 0 writes
	took1
	ended0 // found nothing to read there: an end, an error
	ended1
	failed0 // could not write, or for nothing
	failed1
	shut0 // closed a side, or changed who listens
	shut1
	half0 // side 0 will write no more
	half1
	timed0 // set a deadline, which has passed or not
	timed1
	disturbed   // the network has disturbed a connection, or a Read that does not wait has looked
	faulted     // something has gone wrong outside of the program, of so many that may
	lost        // a send whose value nobody receives, see Observe
	overwritten // an atomic store that nobody reads, likewise
	unchosen    // not an effect: a case of a select on this object that was not taken
	numEffects
)

// effectOf returns what e did to e.Obj. A Default has effects on all channels of its select: see
// missed.
func effectOf(e *trace.Event) effect {
	switch e.Kind {
	case trace.Send, trace.Recv:
		return transferOf(e)
	case trace.Close:
		return choose(e.Closed, reclosed, closed)
	case trace.TryLock:
		return choose(e.OK, locked, lockFailed)
	case trace.WTryLock:
		return choose(e.OK, wrote, writeFailed)
	case trace.RTryLock:
		return choose(e.OK, read, readFailed)
	case trace.WgAdd:
		return choose(e.Op.Delta() < 0 && !e.OK, overdone, countOf(e))
	case trace.Once:
		return choose(e.OK, first, later)
	case trace.Lock, trace.Unlock:
		return choose(e.Op.N == 0, locked, sectioned)
	case trace.WLock, trace.WUnlock:
		return choose(e.Op.N == 0, wrote, wroteIn)
	case trace.RLock, trace.RUnlock:
		return choose(e.Op.N == 0, read, readIn)
	case trace.AtomicUpdate:
		if e.Op.Key() > 0 {
			return choose(e.OK, keyChanged, keyPeeked)
		}
		return choose(e.OK, blind[e.Op.Blind()], peeked)
	case trace.Fire:
		return choose(e.Op.IsSleeper() && e.Seq == trace.Awoke && !e.OK, slept, fired)
	case trace.AtomicLoad:
		return choose(e.Op.Key() > 0, keyPeeked, peeked)
	case trace.AtomicStore:
		return choose(e.Op.Key() > 0, stored, changed)
	case trace.PoolGet:
		return choose(e.OK, took, missedPool)
	case trace.Fault:
		return choose(e.Case > 0, faulted, yielded)
	case trace.StreamRead, trace.StreamWrite, trace.StreamShut, trace.StreamSet,
		trace.StreamListen, trace.StreamDial, trace.StreamAccept:
		return streamed(&e.Op, e.OK, e.Cap == 1)
	}
	return always[e.Kind]
}

// countOf is effectOf for a WgAdd that leaves the counter at zero or more.
func countOf(e *trace.Event) effect {
	if e.Op.KeepsOrder() {
		return choose(e.Op.Delta() >= 0, raised, lowered)
	}
	return choose(e.Op.Delta() >= 0, added, done)
}

// blind has the effects of an AtomicUpdate that writes, by Op.N.
var blind = [...]effect{changed, trace.BlindAdd: summed, trace.BlindAnd: masked,
	trace.BlindOr: united}

// transferOf is effectOf for sends and receives.
func transferOf(e *trace.Event) effect {
	send := e.Kind == trace.Send
	switch {
	case e.Closed:
		return choose(send, bounced, drained)
	case trace.Mailbox(e.Cap):
		return choose(send, posted, picked)
	case send && trace.Serves(e.Cap):
		return tasked
	case e.Partner >= 0:
		return met
	case e.Op.Laid():
		return laid
	}
	return choose(send, sent, received)
}

// always has the effects of those kinds that have one only; others are unknown.
var always = [trace.NumKinds]effect{
	trace.Len:           counted,
	trace.Lock:          locked,
	trace.Unlock:        locked,
	trace.WLock:         wrote,
	trace.WWait:         wrote,
	trace.WUnlock:       wrote,
	trace.RLock:         read,
	trace.RUnlock:       read,
	trace.WgWait:        waited,
	trace.OnceDone:      first,
	trace.Log:           logged,
	trace.End:           ended,
	trace.Join:          joined,
	trace.Yield:         yielded,
	trace.Draw:          yielded,
	trace.Pick:          yielded,
	trace.Now:           looked,
	trace.TimerStart:    armed,
	trace.TimerStop:     rearmed,
	trace.TimerReset:    rearmed,
	trace.Settle:        fired,
	trace.CondEnter:     enlisted,
	trace.CondSignal:    notified,
	trace.CondBroadcast: notified,
	trace.CondWait:      awoken,
	trace.PoolPut:       put,
	trace.Birth:         born,
	trace.Death:         died,
	trace.Count:         tallied,
}

func choose(cond bool, yes, no effect) effect {
	if cond {
		return yes
	}
	return no
}

// missed is the effect of a select that took default on the channel of one of its cases.
func missed(c trace.Case) effect { return choose(c.Kind == trace.Recv, missedRecv, missedSend) }

// streamed returns the effect of an operation of a stream. ok: it has moved a segment; both: it has
// ended both halves of its side.
func streamed(op *trace.Op, ok, both bool) effect {
	o := stream.Unpack(op.Cap)
	me, other := effect(o.Side), effect(1-o.Side)
	switch op.Kind {
	case trace.StreamRead, trace.StreamAccept:
		if o.Mode != 0 && op.Kind == trace.StreamRead {
			return disturbed // it tells what has arrived by now
		}
		return choose(ok, took0+other, ended0+other)
	case trace.StreamWrite, trace.StreamDial:
		return choose(ok, wrote0+me, failed0+me)
	case trace.StreamSet:
		return timed0 + me
	case trace.StreamShut:
		if stream.Disturbs(op) {
			return disturbed
		}
		half := o.Mode == stream.CloseWrite && o.Medium < stream.Address && !both
		return choose(half, half0+me, shut0+me)
	}
	return shut0 + me
}

// streamEffects are those of streams, in pairs.
var streamEffects = []effect{
	wrote0, wrote1, took0, took1, ended0, ended1, failed0, failed1,
	shut0, shut1, half0, half1, timed0, timed1, disturbed,
}
