package graph

// player runs a maximal graph again, from any of its parts. It tells which event comes next, and
// from which event a receive reads.
type player struct {
	g      *Graph
	done   cut
	queue  [][]int32 // by channel: the sends that are done
	head   []int32   // by channel: how many of these have been received
	closed []int32   // by channel: its close; -1: it is not closed
}

// begin goes back to the beginning.
func (p *player) begin(g *Graph) {
	p.g = g
	p.done, p.head, p.closed = zeros(p.done, len(g.own)), zeros(p.head, int(g.Chans)),
		zeros(p.closed, int(g.Chans))
	for len(p.queue) < int(g.Chans) {
		p.queue = append(p.queue, nil)
	}
	for c := range p.closed {
		p.queue[c], p.closed[c] = p.queue[c][:0], -1
	}
}

// play does event n.
func (p *player) play(n int32) {
	e := &p.g.Events[n]
	p.done[e.Proc]++
	switch e.Kind {
	case Send:
		p.queue[e.Chan] = append(p.queue[e.Chan], n)
	case Close:
		p.closed[e.Chan] = n
	case Receive:
		if p.g.Events[e.From].Kind == Send {
			p.head[e.Chan]++
		}
	}
}

// take returns the case and the source of receive r now: those of its first case that can go on.
// from is -1 if there is none.
func (p *player) take(r *Event) (c, from int32) {
	for i, ch := range r.Cases {
		switch {
		case ch < 0:
		case int(p.head[ch]) < len(p.queue[ch]):
			return int32(i), p.queue[ch][p.head[ch]]
		case p.closed[ch] >= 0:
			return int32(i), p.closed[ch]
		}
	}
	return -1, -1
}

// usual reports whether receive n reads now from the event from which it reads in the graph.
func (p *player) usual(n int32) bool {
	e := &p.g.Events[n]
	c, from := p.take(e)
	return c == e.Case && from == e.From
}

// next is the papers' next(G): the first process, in their order, whose next event is possible; a
// receive counts only if no other event is possible. -1: there is none.
func (p *player) next() int32 {
	receive := int32(-1)
	for _, q := range p.g.order {
		if int(p.done[q]) == len(p.g.own[q]) {
			continue
		}
		n := p.g.own[q][p.done[q]]
		switch e := &p.g.Events[n]; {
		case !p.g.follows(e, p.done):
		case e.Kind != Receive:
			return n
		case receive < 0:
			if _, from := p.take(e); from >= 0 {
				receive = n
			}
		}
	}
	return receive
}

// witness reports whether T is the graph of this run: the events that split has listed, without s;
// then e; then further events in the fixed order.
func (v *view) witness(e, s int32) bool {
	if !v.line.linearise(v.g, v.without(s)) {
		return false
	}
	p := &v.player
	p.begin(v.g)
	for _, n := range v.line.events {
		p.play(n)
	}
	for n := e; n >= 0; n = p.next() {
		if v.g.Events[n].Kind == Receive && !p.usual(n) {
			return false
		}
		p.play(n)
	}
	return true
}

// without returns v.order without s.
func (v *view) without(s int32) []int32 {
	v.line.order = v.line.order[:0]
	for _, n := range v.order {
		if n != s {
			v.line.order = append(v.line.order, n)
		}
	}
	return v.line.order
}
