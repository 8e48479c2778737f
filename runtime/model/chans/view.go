package chans

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Letter is a value that was sent and has not been received. The message is named in a mailbox
// only.
type Letter struct {
	Message trace.Message
	Value   any
}

// Keep notes the value that was sent last.
func (c *Chan) Keep(v any) {
	l := Letter{Value: v}
	if c.mailbox() {
		l.Message = c.Latest
	}
	c.letters = append(c.letters, l)
}

// Accepts reports whether c, which may be nil, is open.
func (c *Chan) Accepts() bool { return c != nil && !c.closed }

// Drop forgets the value of a message, or, of a channel that is no mailbox, the oldest one.
func (c *Chan) Drop(m trace.Message) {
	i := slices.IndexFunc(c.letters, func(l Letter) bool { return l.Message == m })
	if i >= 0 {
		c.letters = slices.Delete(c.letters, i, i+1)
	}
}

// Content returns the kind of c (its capacity, or what kind of mailbox it is), whether it is
// closed, and what it holds; ok is false if that is not known.
func (c *Chan) Content() (kind int32, closed bool, letters []Letter, ok bool) {
	return c.kind, c.closed, c.letters, len(c.letters) == int(c.n)
}

// Number returns the number of the channel at an address. A channel from outside of the execution
// that the execution has not used has a number below -1, the same in all executions, and its first
// state. To ask for a number changes nothing.
func (w *World) Number(at unsafe.Pointer) (id int32, ok bool) {
	if c := w.chans[at]; c != nil {
		return c.ID, true
	}
	closed := w.static[at]
	if closed == nil {
		return 0, false
	}
	if w.numbers[closed] == 0 {
		w.numbers[closed] = -2 - int32(len(w.numbers))
	}
	return w.numbers[closed], true
}

// ByNumber returns the channel with a number, nil if that is no channel's.
func (w *World) ByNumber(id int32) *Chan {
	for _, c := range w.pool[:w.used] {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Posted returns how many messages process p has put into mailboxes.
func (w *World) Posted(p int32) int32 {
	if int(p) >= len(w.posted) {
		return 0
	}
	return w.posted[p]
}
