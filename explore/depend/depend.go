// Package depend says which steps of an execution commute. Everything that a strategy leaves out,
// it leaves out because of what this package says.
//
// Vocabulary: an effect is what an event did to one object, finer than its Kind (a receive that
// found the channel closed is not the effect of one that took a value). Two adjacent events are
// dependent when doing them in the other order gives another state, another result of one of them,
// or is not possible; the transitive closure of dependence along an execution is its happens-before
// order, and two executions with the same order are equivalent: one trace. An event interferes with
// a declared operation when the operation, done first, might have changed what the event did or was
// able to do. Interference is the wider relation: it also sees the cases that a select did not
// take, and that partners of a rendezvous could have been exchanged.
//
// A mailbox is a channel under a delivery model other than Go's (trace.Mailbox). Its sends commute;
// a receive depends on the send of the message that it took and, where messages of one sender stay
// in order, on the receive of the one before. But a receive interferes with every send that might
// have come before it, for it might have taken that message.
//
// Guarantees: every pair of effects that the tables below do not name is dependent if it has an
// object in common.
//
// A third relation is for complete executions: events whose order nobody sees commute, too
// (Order.Observe), and so do sends of equal values that are received together (joint.go,
// meeting.go).
//
// LIMITS: RLock and RUnlock of different processes count as independent, so a read lock that is
// released by another process than took it, with nothing else that orders the two, is not tried the
// other way round.
package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

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
	// On connections and addresses, an effect of each of the two sides; directions are named after
	// the side that writes: see stream.go.
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

// rule says why two effects on one object are dependent.
type rule struct {
	a, b effect
	why  string
}

// unlike is why updates of two sorts are dependent.
const unlike = "an Add, an And and an Or do not commute with each other"

// dependent lists the pairs of effects on one object that do not commute; free those that do. Pairs
// in neither list are dependent, too: either they cannot meet on one object, or they never stand
// beside each other.
var dependent = []rule{
	{sent, sent, "a channel keeps the order of sends"},
	{received, received, "who receives first gets the older value"},
	{sent, received,
		"a value is sent before it is received, and received before its place in the buffer is used again"},
	{sent, closed, "a send on a closed channel panics"},
	{met, closed, "a send on a closed channel panics"},
	{tasked, tasked, "the two tasks do to some variable what does not commute"},
	{tasked, met, "the server does one after the other"},
	{tasked, closed, "a send on a closed channel panics"},
	{closed, closed, "the second close panics"},
	{closed, reclosed, "the second close panics"},
	{closed, drained, "a receive ends because of the close"},
	{closed, bounced, "a send panics because of the close"},
	{received, drained, "values are received before the end of the channel is seen"},
	{counted, sent, "len counts the value"},
	{counted, received, "len counts the value"},
	{missedRecv, sent, "the send makes the select's receive case ready"},
	{missedRecv, received, "the receive empties the buffer, so that the select takes default"},
	{missedRecv, closed, "the close makes the select's receive case ready"},
	{missedSend, received, "the receive makes room for the select's send case"},
	{missedSend, sent, "the send fills the buffer, so that the select takes default"},
	{missedSend, closed, "the close makes the select's send case panic"},
	{posted, picked, "a message is sent before it is received"},
	{posted, closed, "a send on a closed channel panics"},
	{picked, picked, "the messages of one sender stay in order"},
	{picked, drained, "messages are received before the end of the mailbox is seen"},
	{counted, posted, "len counts the message"},
	{counted, picked, "len counts the message"},
	{missedRecv, posted, "the send makes the select's receive case ready"},
	{missedRecv, picked, "the receive empties the mailbox, so that the select takes default"},
	{locked, locked, "one mutex"},
	{locked, lockFailed, "TryLock sees whether the mutex is held"},
	{sectioned, sectioned, conflicting},
	{sectioned, locked, "one mutex"},
	{sectioned, lockFailed, "TryLock sees whether the mutex is held"},
	{wroteIn, wroteIn, conflicting},
	{wroteIn, readIn, conflicting},
	{wroteIn, wrote, "one mutex"},
	{wroteIn, read, "readers and writers exclude each other"},
	{wroteIn, writeFailed, "TryLock sees whether the mutex is held"},
	{wroteIn, readFailed, "TryRLock sees whether a writer holds the mutex"},
	{readIn, wrote, "readers and writers exclude each other"},
	{readIn, writeFailed, "TryLock sees whether there are readers"},
	{wrote, wrote, "one mutex"},
	{wrote, read, "readers and writers exclude each other"},
	{wrote, writeFailed, "TryLock sees whether the mutex is held"},
	{wrote, readFailed, "TryRLock sees whether a writer holds the mutex"},
	{read, writeFailed, "TryLock sees whether there are readers"},
	{raised, lowered, "the counter may pass zero"},
	{added, waited, "Wait sees whether the counter is zero"},
	{done, waited, "Wait sees whether the counter is zero"},
	{raised, waited, "Wait sees whether the counter is zero"},
	{lowered, waited, "Wait sees whether the counter is zero"},
	{overdone, added, "the counter is negative"},
	{overdone, done, "the counter is negative"},
	{overdone, raised, "the counter is negative"},
	{overdone, lowered, "the counter is negative"},
	{overdone, overdone, "the counter is negative"},
	{overdone, waited, "the counter is negative"},
	{first, first, "the function's end comes after its start"},
	{first, later, "who comes first runs the function"},
	{logged, logged, "the log has an order"},
	{logged, ended, "who fails a test that has ended panics"},
	{ended, joined, "the wait ends because of the end"},
	{fired, fired, "the clock moves forward only"},
	{fired, looked, "the firing moves the clock"},
	{fired, armed, "a deadline counts from now, and the least one comes first"},
	{fired, rearmed, "a timer that is stopped does not fire"},
	{fired, received, "the firing fills the channel, or it is full"},
	{fired, missedRecv, "the firing makes the select's receive case ready"},
	{fired, counted, "len counts the value"},
	{rearmed, rearmed, "one timer is stopped twice"},
	{rearmed, received, "the value is taken back before it is received"},
	{rearmed, missedRecv, "the value is taken back"},
	{rearmed, counted, "the value is taken back"},
	{changed, changed, "the last one stays, and an update sees the one before"},
	{changed, peeked, "the load sees the change"},
	{stored, stored, "the last value stays, unless both are the same"},
	{stored, changed, "the last one stays, and an update sees the one before"},
	{stored, peeked, "the load sees the value"},
	{stored, summed, "a store hides what was added before"},
	{stored, masked, "a store hides the bits that were cleared before"},
	{stored, united, "a store hides the bits that were set before"},
	{keyPeeked, keyChanged, "the entry of one key is changed and looked at"},
	{keyChanged, keyChanged, "the entry of one key is changed twice"},
	{keyChanged, peeked, "who looks at all entries sees the change"},
	{keyChanged, changed, "one changes all entries"},
	{keyPeeked, changed, "one changes all entries"},
	{summed, peeked, "the load sees the sum"},
	{summed, changed, "an update sees the sum, or a store hides what was added before"},
	{masked, peeked, "the load sees the bits"},
	{masked, changed, "an update sees the bits, or a store hides them"},
	{united, peeked, "the load sees the bits"},
	{united, changed, "an update sees the bits, or a store hides them"},
	{summed, masked, unlike},
	{summed, united, unlike},
	{masked, united, unlike},
	{enlisted, enlisted, "waiters are woken in the order in which they came"},
	{enlisted, notified, "only who waits already is woken"},
	{notified, notified, "the first one wakes the waiter that has waited longest"},
	{notified, awoken, "a waiter goes on because it is woken"},
	{put, put, "the pool returns first what was put last"},
	{put, took, "the pool returns what was put last"},
	{put, missedPool, "the pool is no longer empty"},
	{took, took, "two values have an order"},
	{took, missedPool, "the pool becomes empty"},
	{born, tallied, "the number grows"},
	{died, tallied, "the number shrinks"},
}

// allOrNone says why some effects never meet on one object.
const allOrNone = "a search keeps the order of all groups or of none"

// variableOrMap likewise.
const variableOrMap = "an atomic variable is no sync.Map"

// onlyReceived likewise.
const onlyReceived = "processes only receive from a timer's channel, which is never closed"

// neverFull, mailboxOrNot and servedOrNot likewise.
const (
	neverFull    = "a send to a mailbox is always possible"
	mailboxOrNot = "a channel is a mailbox for ever or never"
	servedOrNot  = "all that is sent into a channel that is served is a task, and nothing else is done with it but to close it"
)

// free lists the pairs of effects on one object that commute.
var free = []rule{
	{met, met, "different processes meet, and nobody sees which pair came first"},
	{met, sent, "a channel has a buffer or has none"},
	{met, received, "a channel has a buffer or has none"},
	{received, closed, "what is in the buffer can still be received"},
	{tasked, sent, servedOrNot},
	{tasked, received, servedOrNot},
	{tasked, counted, servedOrNot},
	{tasked, missedRecv, servedOrNot},
	{tasked, missedSend, servedOrNot},
	{tasked, posted, servedOrNot},
	{tasked, picked, servedOrNot},
	{tasked, looked, servedOrNot},
	{tasked, armed, servedOrNot},
	{tasked, rearmed, servedOrNot},
	{tasked, fired, servedOrNot},
	{tasked, slept, servedOrNot},
	{tasked, drained, "the channel was closed in between"},
	{tasked, bounced, "the channel was closed in between"},
	{tasked, reclosed, "the channel was closed in between"},
	{drained, drained, "a closed channel stays as it is"},
	{drained, bounced, "a closed channel stays as it is"},
	{drained, sent, "the channel was closed in between"},
	{drained, met, "the channel was closed in between"},
	{bounced, bounced, "a closed channel stays as it is"},
	{reclosed, reclosed, "a closed channel stays as it is"},
	{reclosed, drained, "a closed channel stays as it is"},
	{reclosed, bounced, "a closed channel stays as it is"},
	{reclosed, sent, "the channel was closed in between"},
	{reclosed, met, "the channel was closed in between"},
	{reclosed, received, "the close has no effect on the buffer"},
	{reclosed, counted, "the length stays as it is"},
	{reclosed, missedRecv, "the channel was closed in between"},
	{reclosed, missedSend, "the channel was closed in between"},
	{reclosed, posted, "the mailbox was closed in between"},
	{reclosed, picked, "the close has no effect on the mailbox"},
	{reclosed, looked, onlyReceived},
	{reclosed, armed, onlyReceived},
	{reclosed, rearmed, onlyReceived},
	{reclosed, fired, onlyReceived},
	{bounced, sent, "the channel was closed in between"},
	{bounced, met, "the channel was closed in between"},
	{bounced, received, "the send has no effect on the buffer"},
	{counted, counted, "len changes nothing"},
	{counted, met, "len of an unbuffered channel is always 0"},
	{counted, closed, "close changes no length"},
	{counted, drained, "the length stays 0"},
	{counted, bounced, "the length stays as it is"},
	{missedRecv, missedRecv, "default changes nothing"},
	{missedRecv, missedSend, "default changes nothing"},
	{missedSend, missedSend, "default changes nothing"},
	{missedRecv, met, "a select with default may miss a partner that has just come"},
	{missedSend, met, "a select with default may miss a partner that has just come"},
	{missedRecv, counted, "neither changes anything"},
	{missedSend, counted, "neither changes anything"},
	{missedRecv, drained, "the channel was closed in between"},
	{missedSend, drained, "the channel was closed in between"},
	{missedRecv, bounced, "the channel was closed in between"},
	{missedSend, bounced, "the channel was closed in between"},
	{posted, posted, "a mailbox keeps no order of sends"},
	{posted, drained, "the mailbox was closed in between"},
	{posted, bounced, "the mailbox was closed in between"},
	{picked, closed, "what is in the mailbox can still be received"},
	{picked, bounced, "the send has no effect on the mailbox"},
	{posted, missedSend, neverFull},
	{picked, missedSend, neverFull},
	{posted, sent, mailboxOrNot},
	{posted, received, mailboxOrNot},
	{posted, met, mailboxOrNot},
	{posted, looked, mailboxOrNot},
	{posted, armed, mailboxOrNot},
	{posted, rearmed, mailboxOrNot},
	{posted, fired, mailboxOrNot},
	{picked, sent, mailboxOrNot},
	{picked, received, mailboxOrNot},
	{picked, met, mailboxOrNot},
	{picked, looked, mailboxOrNot},
	{picked, armed, mailboxOrNot},
	{picked, rearmed, mailboxOrNot},
	{picked, fired, mailboxOrNot},
	{lockFailed, lockFailed, "both only look"},
	{read, read, "readers do not exclude each other"},
	{readIn, readIn, "readers do not exclude each other"},
	{readIn, read, "readers do not exclude each other"},
	{readIn, readFailed, "TryRLock fails because of a writer, not of readers"},
	{read, readFailed, "TryRLock fails because of a writer, not of readers"},
	{writeFailed, writeFailed, "both only look"},
	{writeFailed, readFailed, "both only look"},
	{readFailed, readFailed, "both only look"},
	{added, added, "a sum has no order"},
	{done, done, "a sum has no order"},
	{added, done,
		"each Done has an Add of its own before it, so no order is negative: see Matched"},
	{raised, raised, "a sum has no order"},
	{lowered, lowered, "a sum has no order"},
	{added, raised, allOrNone},
	{added, lowered, allOrNone},
	{done, raised, allOrNone},
	{done, lowered, allOrNone},
	{waited, waited, "both only look"},
	{later, later, "nothing happens any more"},
	{joined, joined, "both only look"},
	{peeked, peeked, "both only look"},
	{summed, summed, "a sum has no order, and nobody sees the terms"},
	{masked, masked, "bits are cleared in any order"},
	{united, united, "bits are set in any order"},
	{keyPeeked, keyPeeked, "both only look"},
	{keyPeeked, peeked, "both only look"},
	{keyPeeked, stored, variableOrMap},
	{keyPeeked, summed, variableOrMap},
	{keyPeeked, masked, variableOrMap},
	{keyPeeked, united, variableOrMap},
	{keyPeeked, overwritten, variableOrMap},
	{keyChanged, stored, variableOrMap},
	{keyChanged, summed, variableOrMap},
	{keyChanged, masked, variableOrMap},
	{keyChanged, united, variableOrMap},
	{keyChanged, overwritten, variableOrMap},
	{enlisted, awoken, "who has been woken is no longer waiting"},
	{awoken, awoken, "both have been woken before"},
	{missedPool, missedPool, "the pool stays empty"},
	{born, born, "a number has no order"},
	{born, died, "a number has no order"},
	{died, died, "a number has no order"},
	{ended, ended, "one process ends a subtest, and who waits for a bubble waits for all of it"},
	{tallied, tallied, "both only look"},
	{logged, joined, "who waits for a test does not read its log"},
	{looked, looked, "both only look"},
	{looked, armed, "arming a timer does not move the clock"},
	{looked, rearmed, "stopping a timer does not move the clock"},
	{looked, received, "receiving does not move the clock"},
	{looked, missedRecv, "both only look"},
	{looked, counted, "both only look"},
	{armed, armed, "two timers, and the clock stands still"},
	{armed, rearmed, "two timers, and the clock stands still"},
	{armed, received, "nobody else knows a new timer's channel"},
	{armed, missedRecv, "nobody else knows a new timer's channel"},
	{armed, counted, "nobody else knows a new timer's channel"},
	{sent, looked, onlyReceived},
	{sent, armed, onlyReceived},
	{sent, rearmed, onlyReceived},
	{sent, fired, onlyReceived},
	{met, looked, onlyReceived},
	{met, armed, onlyReceived},
	{met, rearmed, onlyReceived},
	{met, fired, onlyReceived},
	{drained, looked, onlyReceived},
	{drained, armed, onlyReceived},
	{drained, rearmed, onlyReceived},
	{drained, fired, onlyReceived},
	{bounced, looked, onlyReceived},
	{bounced, armed, onlyReceived},
	{bounced, rearmed, onlyReceived},
	{bounced, fired, onlyReceived},
	{slept, slept, "each wakes up by itself, and the clock stands still"},
	{slept, fired, "two timers, and the clock stands still"},
	{slept, looked, "waking up does not move the clock"},
	{slept, armed, "two timers, and the clock stands still"},
	{slept, rearmed, "nobody stops a sleep"},
	{slept, received, "a sleep has no channel"},
	{slept, missedRecv, "a sleep has no channel"},
	{slept, counted, "a sleep has no channel"},
	{slept, sent, onlyReceived},
	{slept, met, onlyReceived},
	{slept, drained, onlyReceived},
	{slept, bounced, onlyReceived},
	{slept, closed, onlyReceived},
	{slept, reclosed, onlyReceived},
	{slept, missedSend, onlyReceived},
	{slept, posted, mailboxOrNot},
	{slept, picked, mailboxOrNot},
	{closed, looked, onlyReceived},
	{closed, armed, onlyReceived},
	{closed, rearmed, onlyReceived},
	{closed, fired, onlyReceived},
	{missedSend, looked, onlyReceived},
	{missedSend, armed, onlyReceived},
	{missedSend, rearmed, onlyReceived},
	{missedSend, fired, onlyReceived},
}

// conflicting is why two sections of one mutex have an order, if they have one.
const conflicting = "the two sections do to some variable what does not commute"

// undecided is why two effects on one object that no rule names do not commute.
const undecided = "nothing says that they commute"

// why[a][b] is empty if effects a and b on one object commute.
var why = func() (t [numEffects][numEffects]string) {
	for a := range t {
		for b := range t {
			t[a][b] = undecided
		}
		t[a][yielded], t[yielded][a] = "", ""
	}
	for _, r := range dependent {
		t[r.a][r.b], t[r.b][r.a] = r.why, r.why
	}
	for _, r := range free {
		t[r.a][r.b], t[r.b][r.a] = "", ""
	}
	streamRules(&t)
	for _, pair := range [...][2]effect{{lost, sent}, {overwritten, changed}} {
		unseen, seen := pair[0], pair[1]
		for b := range t {
			t[unseen][b], t[b][unseen] = t[seen][b], t[b][seen]
		}
		t[unseen][unseen] = ""
	}
	t[lost][received], t[received][lost] = "", "" // it takes another value
	return t
}()

// Dependent reports whether event a and the later event b of one execution are dependent, and why.
func Dependent(a, b *trace.Event) (bool, string) {
	switch {
	case b.Involves(a.Proc), a.Partner >= 0 && b.Involves(a.Partner):
		return true, "one process does both"
	case servedBy(a, b), servedBy(b, a):
		return true, "the server does one after the other"
	case IsBarrier(a), IsBarrier(b):
		return true, "one waits until nothing else is possible"
	case a.Kind == trace.Default:
		return misses(a, b)
	case b.Kind == trace.Default:
		return misses(b, a)
	case a.Obj != b.Obj || a.Obj < 0:
		return false, ""
	}
	ea, eb := effectOf(a), effectOf(b)
	if ea+eb == sent+received && ea != eb && !sameSlot(a, b, ea) {
		return false, ""
	}
	if (ea == posted || ea == picked) && (eb == posted || eb == picked) && !sameMail(a, b) {
		return false, ""
	}
	if slotted(ea, eb) && ofSections(ea) && trace.Commute(a.Op.N, b.Op.N) {
		return false, ""
	}
	if ea+eb == notified+awoken && ea != eb && (ea == awoken || !woke(a, b)) {
		return false, ""
	}
	if keyed[ea] && apart(ea, eb, a.Op.Key(), b.Op.Key()) {
		return false, ""
	}
	if oneDirection(ea, eb) && !sameSegment(a, b) {
		return false, ""
	}
	w := why[ea][eb]
	return w != "", w
}

// IsBarrier reports whether e is a firing, or the end of a synctest.Wait, that waits until nothing
// else is possible: all that was done before it happens before it, and all that is done after it
// happens after it.
func IsBarrier(e *trace.Event) bool { return e.Kind.Late() && e.OK }

// Exhausts reports whether b, which was possible in the state before a, would panic right after a
// because both take from one WaitGroup counter, although neither does alone. Two calls of Done are
// independent but for this.
func Exhausts(a, b *trace.Event) bool {
	return a.Kind == trace.WgAdd && b.Kind == trace.WgAdd && a.Obj == b.Obj &&
		a.Counter()+b.Op.Delta() < 0
}

// sameSlot reports whether a, a send if ea is sent, else a receive, and the later b, the opposite,
// use one place of the buffer one right after the other.
func sameSlot(a, b *trace.Event, ea effect) bool {
	if ea == sent {
		return b.Seq == a.Seq
	}
	return b.Seq == a.Seq+a.Cap
}

// sameMail reports whether a and b, which put a message into one mailbox or took it out, do not
// commute: they are about one message or, where messages of one sender stay in order, are two
// receives of such.
func sameMail(a, b *trace.Event) bool {
	m, n := a.Message(), b.Message()
	return m == n || a.Cap == trace.Pairs && a.Kind == trace.Recv && b.Kind == trace.Recv &&
		m.Sender == n.Sender
}

// woke reports whether a, a Signal or Broadcast, woke the waiter that goes on with b.
func woke(a, b *trace.Event) bool {
	from, to := a.Woken()
	return from <= b.Op.Waiter() && b.Op.Waiter() < to
}

// misses is Dependent when d is a select that took default.
func misses(d, e *trace.Event) (bool, string) {
	if e.Kind == trace.Default {
		return false, ""
	}
	for _, c := range d.Op.Cases {
		if c.Obj >= 0 && c.Obj == e.Obj {
			if w := why[missed(c)][effectOf(e)]; w != "" {
				return true, w
			}
		}
	}
	return false, ""
}
