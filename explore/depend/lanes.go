package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// laneOf numbers the effects within their families.
var laneOf = [numEffects]uint8{
	unknown: unknownLane,
	sent:    0, received: 1, met: 2, drained: 3, bounced: 4, closed: 5, counted: 6, missedRecv: 7,
	missedSend: 8, unchosen: 9,
	// which no timer's channel has
	looked: 10, armed: 11, rearmed: 12, fired: 13, lost: 14, slept: 4,
	reclosed: 10, // what is closed is not the clock
	locked:   0, lockFailed: 1, sectioned: 2,
	wrote: 0, read: 1, writeFailed: 2, readFailed: 3, wroteIn: 4, readIn: 5,
	added: 0, done: 1, overdone: 2, waited: 3, raised: 4, lowered: 5,
	first: 0, later: 1,
	logged: 0, ended: 1, joined: 2,
	born: 0, died: 1, tallied: 2,
	yielded: 0,
	peeked:  0, changed: 1, overwritten: 2, summed: 3, masked: 4, united: 5, stored: 6,
	keyPeeked:  7,
	keyChanged: 8,
	enlisted:   0, notified: 1, awoken: 2,
	put: 0, took: 1, missedPool: 2,
	posted: 0, picked: 1,
	tasked: 11, laid: 12, // timers fill the others' channels
	wrote0: 0, wrote1: 1, took0: 2, took1: 3, ended0: 4, ended1: 5, failed0: 6, failed1: 7,
	shut0: 8, shut1: 9, half0: 10, half1: 11, timed0: 12, timed1: 13,
	disturbed: 14,
	faulted:   1,
}

var families = [][]effect{
	{sent, received, met, drained, bounced, closed, reclosed, counted, missedRecv, missedSend,
		looked,
		armed, rearmed, fired, slept, posted, picked, lost, tasked, laid},
	{locked, lockFailed, sectioned},
	{wrote, read, writeFailed, readFailed, wroteIn, readIn},
	{added, done, overdone, waited, raised, lowered},
	{first, later},
	{logged, ended, joined},
	{born, died, tallied},
	{yielded, faulted},
	{peeked, changed, overwritten, summed, masked, united, stored, keyPeeked, keyChanged},
	{enlisted, notified, awoken},
	{put, took, missedPool},
	streamEffects,
}

// entry is an event in a lane: its index, and in the lowest bit whether all earlier entries of the
// lane happen before it.
type entry int32

func (e entry) event() int32 { return int32(e >> 1) }

func (e entry) covers() bool { return e&1 != 0 }

// lane holds the events with one effect on one object, in the order of the execution.
type lane []entry

// before reports whether all entries of l happen before event k (or are k). It also returns false
// if it cannot see that quickly, which costs time later but is no error.
func (l lane) before(c *closure, k int32) bool {
	const patience = 16
	for n := 1; n <= len(l); n++ {
		e := l[len(l)-n]
		switch {
		case n > patience || e.event() != k && !c.Before(e.event(), k):
			return false
		case e.covers():
			return true
		}
	}
	return true
}

// object holds the lanes of one object, by laneOf. An object has effects of one family only (a
// channel's, a mutex's), so families share the numbers.
type object [numLanes]lane

// lanes holds the lanes of all objects.
type lanes struct {
	objects []object
	pushed  []push // the lanes to which an entry was added, in this order
}

// push names a lane of an object.
type push struct {
	obj  int32
	lane uint8
}

// object makes room for an object, and returns its lanes.
func (l *lanes) object(obj int32) *object {
	for len(l.objects) <= int(obj) {
		l.objects = append(l.objects, object{})
	}
	return &l.objects[obj]
}

// of returns the events with an effect on an object.
func (l *lanes) of(obj int32, eff effect) lane {
	if obj < 0 || int(obj) >= len(l.objects) {
		return nil
	}
	return l.objects[obj][laneOf[eff]]
}

// enter enters event k, which has row k of c.
func (l *lanes) enter(c *closure, obj int32, eff effect, k int32) {
	to := &l.object(obj)[laneOf[eff]]
	e := entry(k << 1)
	if to.before(c, k) {
		e |= 1
	}
	*to = append(*to, e)
	l.pushed = append(l.pushed, push{obj, laneOf[eff]})
}

// enterCases enters event k, which has done the select sel, in the lanes of the cases that it has
// not taken.
func (l *lanes) enterCases(c *closure, done trace.Kind, sel *trace.Op, taken, k int32) {
	for i, s := range sel.Cases {
		switch {
		case s.Obj < 0 || int32(i) == taken:
		case done == trace.Default:
			l.enter(c, s.Obj, missed(s), k)
		default:
			l.enter(c, s.Obj, unchosen, k)
		}
	}
}

// pull takes out all entries but the first n.
func (l *lanes) pull(n int) {
	for _, p := range l.pushed[n:] {
		to := &l.objects[p.obj][p.lane]
		*to = (*to)[:len(*to)-1]
	}
	l.pushed = l.pushed[:n]
}

// Closed reports whether any event shows that a channel is closed at some time.
func (l *lanes) Closed(obj int32) bool { return len(l.of(obj, closed)) > 0 || l.foundClosed(obj) }

// foundClosed reports whether some event found a channel closed.
func (l *lanes) foundClosed(obj int32) bool {
	return len(l.of(obj, drained))+len(l.of(obj, bounced))+len(l.of(obj, reclosed)) > 0
}

const (
	numLanes    = 16
	unknownLane = numLanes - 1
)

// source is a lane that holds predecessors of an event.
type source struct {
	lane  uint8
	total bool // the lane is ordered: its last entry stands for all
	// ordered lanes among the sources: before the last entry of one, no entry of this lane is new
	bars []effect
}

// sources lists, for each effect, the lanes that hold its predecessors.
var sources = func() (t [numEffects][]source) {
	for _, family := range families {
		for _, e := range family {
			t[e] = sourcesIn(family, e)
		}
	}
	for l := range uint8(numLanes) {
		t[unknown] = append(t[unknown], source{lane: l})
	}
	return t
}()

func sourcesIn(family []effect, e effect) []source {
	list := []source{{lane: unknownLane, total: true}}
	for _, f := range family {
		if why[f][e] == "" || slotted(e, f) {
			continue
		}
		s := source{lane: laneOf[f], total: ordered(f)}
		for _, b := range family {
			if !s.total && ordered(b) && why[b][e] != "" && why[f][b] != "" && !slotted(b, e) &&
				!slotted(b, f) {
				s.bars = append(s.bars, b)
			}
		}
		list = append(list, s)
	}
	return list
}

// ordered reports whether all events with effect e on one object are ordered.
func ordered(e effect) bool { return why[e][e] != "" && !slotted(e, e) }

// slotted reports whether effects a and b are dependent only in some cases. Such a case is that one
// enabled the other (by a place in the buffer, by the number of the waiter, or by a message), that
// they are about one key, or that two sections, or tasks, conflict.
func slotted(a, b effect) bool {
	return byKey(a, b) || oneDirection(a, b) || a == sent && b == received ||
		a == received && b == sent || a == notified && b == awoken ||
		a == awoken && b == notified ||
		mails(a) && mails(b) || ofSections(a) && ofSections(b) && (a != readIn || b != readIn)
}

// ofSections reports whether a is of a section, or a task.
func ofSections(a effect) bool {
	return a == sectioned || a == wroteIn || a == readIn || a == tasked || a == laid
}

// past is an event that is known to happen before the one whose predecessors are looked for, -1 if
// there is none.
type past struct {
	*closure
	last int32
}

// has reports whether event k is event last, or happens before it.
func (p past) has(k int32) bool { return k == p.last || p.Before(k, p.last) }

// predecessors appends candidates for the direct predecessors of event e, which has effect eff on
// object obj.
func (o *object) predecessors(events []trace.Event, e *trace.Event, eff effect, known past,
	dst []int32) []int32 {
	for i := range sources[eff] {
		s := &sources[eff][i]
		l := o[s.lane]
		if len(l) == 0 {
			continue
		}
		dst = append(dst, l[len(l)-1].event())
		if !s.total {
			dst = o.older(s, l[:len(l)-1], dst)
		}
	}
	switch eff {
	case sent:
		return slot(events, o[laneOf[received]], e.Seq-e.Cap, dst)
	case received:
		return slot(events, o[laneOf[sent]], e.Seq, dst)
	case wrote0, wrote1:
		return room(events, o[laneOf[eff-wrote0+took0]], e, dst)
	case took0, took1:
		return slot(events, o[laneOf[eff-took0+wrote0]], e.Seq, dst)
	case picked:
		return o.delivered(events, e, dst)
	case sectioned, wroteIn, tasked, laid:
		return o.conflicting(events, e, eff, known, dst)
	case readIn:
		return o.conflicting(events, e, wroteIn, known, dst)
	case awoken:
		return waker(events, o[laneOf[notified]], e, dst)
	case stored, rearmed, keyPeeked:
		return keyedBefore(events, o[laneOf[writerOf[eff]]], writerOf[eff], eff, e, dst)
	case keyChanged:
		dst = keyedBefore(events, o[laneOf[keyPeeked]], keyPeeked, eff, e, dst)
		return keyedBefore(events, o[laneOf[keyChanged]], keyChanged, eff, e, dst)
	}
	return dst
}

// writerOf is the effect on which the effect of a key depends for some keys, if there is only one.
var writerOf = [numEffects]effect{stored: stored, rearmed: rearmed, keyPeeked: keyChanged}

// conflicting appends events after the last ordinary lock whose sections conflict with that of
// event e. eff is their effect; if it is also that of e, readers are appended as well.
func (o *object) conflicting(events []trace.Event, e *trace.Event, eff effect, known past,
	dst []int32) []int32 {
	dst = o.conflictingIn(events, e, o[laneOf[eff]], known, dst)
	if eff == wroteIn && e.Kind != trace.RLock && e.Kind != trace.RUnlock {
		dst = o.conflictingIn(events, e, o[laneOf[readIn]], known, dst)
	}
	return dst
}

// conflictingIn appends those of a lane. It ends at an event that happens after all earlier ones of
// the lane, if that is appended, or known to happen before e.
func (o *object) conflictingIn(events []trace.Event, e *trace.Event, l lane, known past,
	dst []int32) []int32 {
	bar := int32(-1)
	// wrote, of an RWMutex, has the same lane number
	if ordinary := o[laneOf[locked]]; len(ordinary) > 0 {
		bar = ordinary[len(ordinary)-1].event()
	}
	for i := len(l) - 1; i >= 0 && l[i].event() > bar; i-- {
		k := l[i].event()
		conflicts := !trace.Commute(did(&events[k]), did(e))
		if conflicts {
			dst = append(dst, k)
		}
		if l[i].covers() && (conflicts || known.has(k)) {
			break
		}
	}
	return dst
}

// older appends the entries of an unordered lane, except those that must come before another
// source.
func (o *object) older(s *source, l lane, dst []int32) []int32 {
	bar := int32(-1)
	for _, b := range s.bars {
		if t := o[laneOf[b]]; len(t) > 0 {
			bar = max(bar, t[len(t)-1].event())
		}
	}
	for i := len(l) - 1; i >= 0 && l[i].event() > bar; i-- {
		if dst = append(dst, l[i].event()); l[i].covers() {
			break
		}
	}
	return dst
}

// slot appends the event of lane l that has number seq. The first one need not have number 0: a
// channel may have been used before the execution.
func slot(events []trace.Event, l lane, seq int32, dst []int32) []int32 {
	if len(l) == 0 {
		return dst
	}
	i := seq - events[l[0].event()].Seq
	if i >= 0 && int(i) < len(l) {
		dst = append(dst, l[i].event())
	}
	return dst
}

// mails reports whether a is about one message of a mailbox.
func mails(a effect) bool { return a == posted || a == picked }

// delivered appends the send of the message that event e takes from a mailbox and, if the messages
// of one sender stay in order, the receive of the message before.
func (o *object) delivered(events []trace.Event, e *trace.Event, dst []int32) []int32 {
	for _, eff := range [...]effect{posted, picked} {
		l := o[laneOf[eff]]
		for i := len(l) - 1; i >= 0; i-- {
			if k := l[i].event(); sameMail(&events[k], e) {
				dst = append(dst, k)
				break
			}
		}
	}
	return dst
}

// waker appends the event of lane l that woke the waiter of event e.
func waker(events []trace.Event, l lane, e *trace.Event, dst []int32) []int32 {
	for i := len(l) - 1; i >= 0; i-- {
		if woke(&events[l[i].event()], e) {
			return append(dst, l[i].event())
		}
	}
	return dst
}

// dedupe sorts indices in descending order and drops doubles.
func dedupe(list []int32) []int32 {
	switch {
	case len(list) < 2:
		return list
	case len(list) == 2 && list[0] > list[1]:
		return list
	}
	slices.SortFunc(list, func(a, b int32) int { return int(b - a) })
	return slices.Compact(list)
}

// keyedBefore appends candidates for the direct predecessors of e, which has effect eff, among the
// events of lane l that have effect f, which is dependent on eff for some keys.
func keyedBefore(events []trace.Event, l lane, f, eff effect, e *trace.Event, dst []int32) []int32 {
	for i := len(l) - 1; i >= 0; i-- {
		k := l[i].event()
		if key := events[k].Op.Key(); apart(f, eff, key, e.Op.Key()) {
			continue
		}
		if dst = append(dst, k); l[i].covers() {
			break
		}
	}
	return dst
}

// sameMail reports whether a and b, which put a message into one mailbox or took it out, do not
// commute. They concern one message or, if messages of one sender stay in order, receive two
// messages of one sender.
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

// room appends the read of lane l that has made room for write e.
func room(events []trace.Event, l lane, e *trace.Event, dst []int32) []int32 {
	for i := len(l) - 1; i >= 0 && e.Cap >= 0; i-- {
		if k := l[i].event(); sameSegment(&events[k], e) {
			return append(dst, k)
		}
	}
	return dst
}
