package image

import (
	"reflect"
	"unsafe"
)

// Channels knows the channels that were made before the first execution.
type Channels interface {
	// Closed reports whether a channel is closed; known is false for a channel that it does not
	// know.
	Closed(ch unsafe.Pointer) (closed, known bool)
	// Renew tells that a new channel takes the place of an old one.
	Renew(old, new unsafe.Pointer, closed bool)
}

// channel is the saved state of one channel.
type channel struct {
	live   reflect.Value   // of both directions
	buffer []reflect.Value // its values
	closed bool
	stale  bool            // saving has taken values out that cannot be put back
	slots  []reflect.Value // the saved contents that have it
}

// channel saves the state of the channel ch, once. slot, in a saved content, holds it.
func (m *Image) channel(ch, slot reflect.Value) {
	at := ch.UnsafePointer()
	closed, known := m.world.Closed(at)
	if !known {
		return
	}
	c := m.byPtr[at]
	if c == nil {
		c = &channel{live: bothWays(ch), closed: closed}
		for _, v := range drain(c.live) {
			c.buffer = append(c.buffer, m.copied(v))
		}
		c.stale = closed && len(c.buffer) > 0
		if !closed {
			c.fill()
		}
		m.byPtr[at] = c
		m.chans = append(m.chans, c)
	}
	c.slots = append(c.slots, slot)
}

// bothWays returns ch with a type that allows sends and receives.
func bothWays(ch reflect.Value) reflect.Value {
	p := reflect.New(reflect.ChanOf(reflect.BothDir, ch.Type().Elem()))
	*(*unsafe.Pointer)(p.UnsafePointer()) = ch.UnsafePointer()
	return p.Elem()
}

// drain takes all values out of a channel.
func drain(ch reflect.Value) []reflect.Value {
	var all []reflect.Value
	for ch.Len() > 0 {
		v, _ := ch.TryRecv()
		all = append(all, v)
	}
	return all
}

// fill puts the saved values into the channel, which is empty and open.
func (c *channel) fill() {
	for _, v := range c.buffer {
		c.live.TrySend(v)
	}
}

// restore gives the channel its state back, if need be as another channel.
func (c *channel) restore(world Channels) {
	closed, _ := world.Closed(c.live.UnsafePointer())
	switch {
	case c.stale, closed != c.closed, closed && c.live.Len() != len(c.buffer):
		c.replace(world)
	case !closed:
		drain(c.live)
		c.fill()
	}
}

// replace makes a new channel with the saved state and puts it where the old one was.
func (c *channel) replace(world Channels) {
	old := c.live
	c.live, c.stale = reflect.MakeChan(old.Type(), old.Cap()), false
	c.fill()
	if c.closed {
		c.live.Close()
	}
	world.Renew(old.UnsafePointer(), c.live.UnsafePointer(), c.closed)
	for _, slot := range c.slots {
		c.put(slot)
	}
}

// put stores the channel in a slot with the type that the old one has there.
func (c *channel) put(slot reflect.Value) {
	typ := slot.Type()
	if slot.Kind() == reflect.Interface {
		typ = slot.Elem().Type()
	}
	slot.Set(c.live.Convert(typ))
}
