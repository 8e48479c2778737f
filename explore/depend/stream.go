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

// Passes reports whether a and e, a Write and a Read of one direction, would have done the same in
// the other order: the Read takes an earlier segment, and the room for the Write is not the Read's.
func Passes(a, e *trace.Event) bool {
	return a.Obj == e.Obj && stream.Unpack(a.Op.Cap).Medium < stream.Address &&
		oneDirection(effectOf(a), effectOf(e)) && !sameSegment(a, e)
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
