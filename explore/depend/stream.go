package depend

import (
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Streams. A connection is one object with two directions, which are independent as long as both
// sides write and read. The result of a Read follows from the Writes and Reads before it, but each
// Read is about one segment only. So a Read commutes with a later Write, unless the Write needs its
// room, and a Write commutes with a later Read of another segment. Sends and receives of a channel
// with a buffer do the same. An address is such an object, too: to dial is to write a connection,
// to accept is to read it.

// streamed returns the effect of an operation of a stream. ok: it has moved a segment; both: it has
// ended both halves of its side.
func streamed(op *trace.Op, ok, both bool) effect {
	o := stream.Unpack(op.Cap)
	me, other := effect(o.Side), effect(1-o.Side)
	switch op.Kind {
	case trace.StreamRead, trace.StreamAccept:
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
		set(disturbed, a, "the network ends what both sides do")
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

// oneDirection reports whether a and b write to a direction and read from it.
func oneDirection(a, b effect) bool {
	return a == wrote0 && b == took0 || a == took0 && b == wrote0 ||
		a == wrote1 && b == took1 || a == took1 && b == wrote1
}

// sameSegment reports whether a and b are about one segment, or the write needs the room that the
// read has made. One of them writes, the other one reads from the same direction.
func sameSegment(a, b *trace.Event) bool {
	w, r := a, b
	if e := effectOf(b); e == wrote0 || e == wrote1 {
		w, r = b, a
	}
	return r.Seq == w.Seq || r.Seq == w.Cap && r.Cap == 1
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

// aloof reports whether event a, on a stream, commutes with each operation of kind k on it,
// independent of the operation's effect.
func aloof(a *trace.Event, k trace.Kind, capacity int32) bool {
	op := trace.Op{Kind: k, Cap: capacity}
	ea := effectOf(a)
	for _, ok := range [...]bool{true, false} {
		eb := streamed(&op, ok, ok)
		if oneDirection(ea, eb) && stream.Unpack(capacity).Medium != stream.Datagrams {
			continue // it takes another segment, or waits; or there was room before, or it waits
		}
		if why[ea][eb] != "" {
			return false
		}
	}
	return true
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
func (c *Cut) on(obj int32, f func(k int32)) {
	var lanes [numLanes]lane
	n := 0
	for _, eff := range streamEffects {
		if l := c.lane(obj, eff); len(l) > 0 {
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
		if k := lanes[first][0].event(); c.Has(k) {
			f(k)
		}
		lanes[first] = lanes[first][1:]
	}
}
