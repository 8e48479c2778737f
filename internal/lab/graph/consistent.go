package graph

// Linearise lists the events of g in an order in which a program can do them. Of the events that
// are possible next, it takes the one that was added first. ok is false if there is no such order,
// so that g is not consistent. The list is valid until l is used again.
func (l *Line) Linearise(g *Graph) (events []int32, ok bool) {
	l.order = l.order[:0]
	for e := range g.Events {
		l.order = append(l.order, int32(e))
	}
	ok = l.linearise(g, l.order)
	return l.events, ok
}

// Line is a linearisation, with the state of the channels on the way. The zero value is ready.
type Line struct {
	events []int32 // in their order
	order  []int32 // scratch
	done   cut     // what is listed
	listed []bool  // by event: likewise
	place  []int32 // by send: how many are read before it, from its channel; -1: nobody reads it
	read   []int32 // by channel: how many sends are read
	sends  []int32 // by channel: how many there are
	sent   []int32 // by channel: how many of those that are read are listed
}

// linearise lists the given events of g, which are a cut. Of the events that are possible, it takes
// the one that comes first in order. It reports whether there is always one.
func (l *Line) linearise(g *Graph, order []int32) bool {
	if !l.channels(g, order) {
		return false
	}
	for first := 0; len(l.events) < len(order); {
		for l.listed[order[first]] {
			first++
		}
		i := first
		for l.listed[order[i]] || !l.possible(g, order[i]) {
			if i++; i == len(order) {
				return false
			}
		}
		l.list(g, order[i])
	}
	return true
}

// channels finds the order of the sends of each channel. It reports whether no two receives read
// from one send, and receives read from the close only after all sends.
func (l *Line) channels(g *Graph, order []int32) bool {
	l.events = l.events[:0]
	l.done, l.place, l.listed = zeros(l.done, len(g.own)), zeros(l.place, len(g.Events)),
		zeros(l.listed, len(g.Events))
	l.read, l.sends, l.sent = zeros(l.read, int(g.Chans)), zeros(l.sends, int(g.Chans)),
		zeros(l.sent, int(g.Chans))
	for _, n := range order {
		l.place[n] = -1
		if e := &g.Events[n]; e.Kind == Send {
			l.sends[e.Chan]++
		}
	}
	for _, n := range order {
		e := &g.Events[n]
		switch {
		case e.Kind != Receive:
		case g.Events[e.From].Kind == Close:
			if l.read[e.Chan] < l.sends[e.Chan] {
				return false
			}
		case l.place[e.From] >= 0:
			return false
		default:
			l.place[e.From] = l.read[e.Chan]
			l.read[e.Chan]++
		}
	}
	return true
}

// possible reports whether event n can come next.
func (l *Line) possible(g *Graph, n int32) bool {
	e := &g.Events[n]
	if !g.follows(e, l.done) {
		return false
	}
	switch e.Kind {
	case Receive:
		return l.listed[e.From]
	case Send:
		return l.sent[e.Chan] == l.read[e.Chan] || l.sent[e.Chan] == l.place[n]
	}
	return true
}

// follows reports whether e is the next event of its process after a cut.
func (g *Graph) follows(e *Event, c cut) bool {
	if e.Index != c[e.Proc] {
		return false
	}
	p := &g.Procs[e.Proc]
	return e.Index > 0 || p.Parent == Root || c[p.Parent] > p.Event
}

func (l *Line) list(g *Graph, n int32) {
	e := &g.Events[n]
	if e.Kind == Send && l.place[n] >= 0 {
		l.sent[e.Chan]++
	}
	l.done[e.Proc]++
	l.listed[n] = true
	l.events = append(l.events, n)
}

// zeros returns n zero values, in the memory of s if that is enough.
func zeros[S ~[]E, E any](s S, n int) S {
	if cap(s) < n {
		return make(S, n)
	}
	s = s[:n]
	clear(s)
	return s
}
