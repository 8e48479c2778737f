package chans

import (
	"math"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A mailbox holds the messages that are under way to an actor. A send never blocks. A receive has
// an alternative for each message that it may take: for all of them under trace.Bag, for the oldest
// one of each sender under trace.Pairs. So a send decides nothing; it only adds a message to choose
// from. A closed mailbox delivers all of its messages before its end is seen, in any order that the
// model allows; len counts its messages; cap stays that of the channel.
//
// A channel that was filled before the execution stays an ordinary channel: its values have no
// senders.
//
// Package hook keeps the values: the program's channel, with a bounded buffer in order, does not
// fit.

// unbounded is the capacity of a mailbox.
const unbounded = math.MaxInt32

// SetModel sets the delivery model of mailboxes: trace.Bag, trace.Pairs, or 0 for Go's channels.
func (w *World) SetModel(model int32) { w.model = model }

// Relax makes a new channel a mailbox; one that is made outside of executions, in every execution
// that finds it empty.
func (w *World) Relax(ch unsafe.Pointer) {
	if !w.s.Active() {
		w.boxes[ch] = true
	} else if c := w.chans[ch]; c != nil {
		w.relax(c)
	}
}

func (w *World) relax(c *Chan) {
	if w.model != 0 {
		c.Cap, c.kind = unbounded, w.model
	}
}

func (c *Chan) mailbox() bool { return trace.Mailbox(c.kind) }

// Mailbox reports whether c, which may be nil, is one.
func (c *Chan) Mailbox() bool { return c != nil && c.mailbox() }

// delivers reports whether c, which may be nil, is a mailbox that holds messages.
func (c *Chan) delivers() bool { return c.Mailbox() && c.n > 0 }

// At returns the channel at an address, nil if there is none.
func (w *World) At(address uintptr) *Chan {
	for _, c := range w.pool[:w.used] {
		if uintptr(c.at) == address {
			return c
		}
	}
	return nil
}

// Open reports whether c, which may be nil, is a mailbox and not closed.
func (c *Chan) Open() bool { return c.Mailbox() && !c.closed }

// Pending returns how many messages there are that the program is to see.
func (c *Chan) Pending() int {
	if c.Hidden {
		return 0
	}
	return int(c.n)
}

// number names the next message that process p puts into a mailbox.
func (w *World) number(p int32) trace.Message {
	for len(w.posted) <= int(p) {
		w.posted = append(w.posted, 0)
	}
	w.posted[p]++
	return trace.Message{Sender: p, Number: w.posted[p]}
}

// post puts the message of ev into the mailbox.
func (c *Chan) post(m trace.Message, ev *trace.Event) {
	c.pending = append(c.pending, m)
	c.Latest, ev.Seq = m, m.Number
	c.n++
}

// pick takes the message that ev names.
func (c *Chan) pick(ev *trace.Event) {
	i := slices.Index(c.pending, ev.Takes)
	if i < 0 {
		panic("chans: a message that is not in the mailbox")
	}
	ev.Seq = ev.Takes.Number
	c.pending = slices.Delete(c.pending, i, i+1)
	c.n--
}

// deliveries appends the receives that process p, in case index, may do.
func (c *Chan) deliveries(p, index int32, dst []trace.Alt) []trace.Alt {
	for i, m := range c.pending {
		if c.kind == trace.Bag || !sends(c.pending[:i], m.Sender) {
			dst = append(dst, trace.Alt{Proc: p, Case: index, Partner: -1, Takes: m})
		}
	}
	return dst
}

// sends reports whether one of ms is from process p.
func sends(ms []trace.Message, p int32) bool {
	return slices.ContainsFunc(ms, func(m trace.Message) bool { return m.Sender == p })
}
