package depend

// rule says why two effects on one object are dependent.
type rule struct {
	a, b effect
	why  string
}

// unlike is why updates of two sorts are dependent.
const unlike = "an Add, an And and an Or do not commute with each other"

// dependent lists the pairs of effects on one object that do not commute; free lists those that do.
// Pairs in neither list are dependent, too: either they cannot meet on one object, or they are
// never adjacent.
var dependent = []rule{
	{faulted, faulted, "an execution has only so many faults"},
	{sent, sent, "a channel keeps the order of sends"},
	{received, received, "who receives first gets the older value"},
	{sent, received,
		"a value is sent before it is received, and received before its place in the buffer is used again"},
	{sent, closed, "a send on a closed channel panics"},
	{met, closed, "a send on a closed channel panics"},
	{tasked, tasked, "the two tasks do to some variable what does not commute"},
	{tasked, met, "the server does one after the other"},
	{tasked, closed, "a send on a closed channel panics"},
	{laid, laid, conflicting},
	{laid, sent, "a channel keeps the order of sends"},
	{laid, received, "all is sent before the first value is received"},
	{laid, closed, "a send on a closed channel panics"},
	{laid, counted, "len counts the value"},
	{laid, missedRecv, "the send makes the select's receive case ready"},
	{laid, missedSend, "the send fills the buffer, so that the select takes default"},
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

// laidOrServed likewise.
const laidOrServed = "the server of a channel comes to its loop before all sends or after them"

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
	{laid, met, "a channel has a buffer or has none"},
	{laid, tasked, laidOrServed},
	{laid, posted, mailboxOrNot},
	{laid, picked, mailboxOrNot},
	{laid, looked, onlyReceived},
	{laid, armed, onlyReceived},
	{laid, rearmed, onlyReceived},
	{laid, fired, onlyReceived},
	{laid, slept, onlyReceived},
	{laid, drained, "the channel was closed in between"},
	{laid, bounced, "the channel was closed in between"},
	{laid, reclosed, "the channel was closed in between"},
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

// streamRules enters which effects on a connection do not commute, and why. Side s does wrote,
// failed, shut, half and timed of s, and took and ended of 1-s.
func streamRules(t *[numEffects][numEffects]string) {
	set := func(a, b effect, why string) { t[a][b], t[b][a] = why, why }
	for _, a := range streamEffects {
		for _, b := range streamEffects {
			t[a][b] = ""
		}
	}
	for _, a := range streamEffects {
		set(disturbed, a, "the network ends what both sides do, or a look tells what has arrived")
	}
	for s := range effect(2) {
		me, other := s, 1-s
		set(wrote0+me, wrote0+me, "a connection keeps the order of what is written")
		set(wrote0+me, took0+me, "what is read has been written before, and leaves room")
		set(took0+me, took0+me, "who reads first gets the older bytes")
		own := [...]effect{wrote0 + me, failed0 + me, took0 + other, ended0 + other, timed0 + me}
		for _, own := range own {
			set(timed0+me, own, "a deadline ends what its own side does")
			set(shut0+me, own, "who closes a side ends what it does")
			set(shut0+me, shut0+me, "the second close is an error")
		}
		// the next operation finds what an end, an error or a reset leaves behind
		set(ended0+other, ended0+other, "an error is told once")
		set(ended0+other, failed0+me, "an error is told once")
		set(failed0+me, failed0+me, "an error is told once")
		set(took0+other, ended0+other, "what has been written is read before the end")
		set(wrote0+me, failed0+me, "a connection keeps the order of what is written")
		set(wrote0+other, ended0+other, "what has been written is read before the end")
		set(took0+me, failed0+me, "there is room for what is sent, or none")
		set(half0+me, wrote0+me, "who has closed a side for writing does not write")
		set(half0+me, failed0+me, "who has closed a side for writing does not write")
		set(half0+me, ended0+me, "the end is read because of the close")
		set(half0+me, failed0+other, "who hears no more resets the connection")
		set(failed0+me, ended0+me, "who hears no more resets the connection")
		set(failed0+me, failed0+other, "who hears no more resets the connection")
		set(half0+me, half0+me, "the second close is an error")
		set(half0+me, half0+other, "when both sides have ended there is nothing to close")
		set(half0+me, shut0+me, "who closes a side ends what it does")
		set(half0+me, shut0+other, "what the other side has not read resets the connection")
		set(shut0+me, ended0+me, "the end is read because of the close")
		set(shut0+me, wrote0+other, "what nobody will read breaks the connection")
		set(shut0+me, failed0+other, "what nobody will read breaks the connection")
		set(shut0+me, shut0+other, "what the other side has not read resets the connection")
	}
}
