package races

import (
	"path"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
)

// A send on a channel that is closed panics. If nothing orders the close before the send, the two
// are a data race, as they are to Go's race detector, even if the panic is recovered:
//
//	go func() { defer func() { recover() }(); c <- 1 }()        close(c)
//
// In the order in which the send comes first the two are a race as well. That race is not reported:
// the other order is explored, and there the send panics.

// moment is a time of a process, which has a place in clocks; zero: none.
type moment struct{ own, at int32 }

// closes has the closes of an execution's channels, and the sends that came too late.
type closes struct {
	stacks []closeStack
	late   []string // texts of races
}

// closeStack is the stack of the close of a channel.
type closeStack struct {
	channel int32
	n       int
	pcs     [24]uintptr
}

func (c *closes) reset() { c.stacks, c.late = c.stacks[:0], c.late[:0] }

// closed notes the stack of the process that has closed a channel.
func (c *closes) closed(channel int32) {
	if len(c.stacks) == cap(c.stacks) {
		c.stacks = append(c.stacks, closeStack{})
	} else {
		c.stacks = c.stacks[:len(c.stacks)+1]
	}
	s := &c.stacks[len(c.stacks)-1]
	s.channel, s.n = channel, gate.Callers(3, s.pcs[:])
}

// placeOf is where a channel was closed.
func (c *closes) placeOf(channel int32) string {
	for i := range c.stacks {
		if s := &c.stacks[i]; s.channel == channel {
			return path.Base(sched.ShownIn(s.pcs[:s.n]))
		}
	}
	return "an unknown place"
}
