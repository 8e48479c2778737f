package graph

import "slices"

// view has the results that are worked out of a maximal graph T to find the nodes whose witness is
// T.
type view struct {
	g       *Graph
	prefix  []int32   // by event, a cut: it, and what it needs
	sources [][]int32 // by channel: its sends and closes
	reader  []int32   // by send: the receive that reads from it, -1 if there is none
	turn    int32     // the last event that is Turned, -1 if there is none
	before  cut       // the first many events of g
	many    int
	order   []int32 // the events of a node, and below, of what is run before its receive
	part    cut     // those listed in order
	line    Line
	player  player
}

// look makes v the view of g.
func (v *view) look(g *Graph) {
	v.g, v.many, v.turn = g, 0, -1
	v.before = zeros(v.before, len(g.own))
	v.part = zeros(v.part, len(g.own))
	v.prefix, v.reader = zeros(v.prefix, len(g.Events)*len(g.own)), zeros(v.reader, len(g.Events))
	for c := range v.sources {
		v.sources[c] = v.sources[c][:0]
	}
	for len(v.sources) < int(g.Chans) {
		v.sources = append(v.sources, nil)
	}
	// A revisit puts the event from which a receive reads before the receive, so all events that an
	// event needs have smaller numbers.
	for n := range g.Events {
		v.add(int32(n))
	}
}

func (v *view) add(n int32) {
	e := &v.g.Events[n]
	need := v.need(n)
	switch p := &v.g.Procs[e.Proc]; {
	case e.Index > 0:
		need.join(v.need(v.g.own[e.Proc][e.Index-1]))
	case p.Parent != Root:
		need.join(v.need(v.g.own[p.Parent][p.Event]))
	}
	if e.Turned {
		v.turn = n
	}
	v.reader[n] = -1
	switch e.Kind {
	case Receive:
		need.join(v.need(e.From))
		v.reader[e.From] = n
	case Send, Close:
		v.sources[e.Chan] = append(v.sources[e.Chan], n)
	}
	need[e.Proc] = e.Index + 1
}

// need is the porf prefix of event n, and n.
func (v *view) need(n int32) cut {
	w := len(v.g.own)
	return cut(v.prefix[int(n)*w : (int(n)+1)*w])
}

// revisit returns the node in which event e, case c, reads from s, if T is its witness, and nil if
// there is no such node.
func (v *view) revisit(e, c, s int32) *Graph {
	r := &v.g.Events[e]
	if r.From == s && r.Case == c || v.need(s).has(r) || !v.free(r, s) {
		return nil
	}
	direct := s < r.Base // P is a part of A
	if direct && !v.straight(e) {
		return nil
	}
	if v.split(r, s); !direct && !v.witness(e, s) {
		return nil
	}
	node := v.node(r, c, s)
	if _, ok := v.line.Linearise(node); !ok {
		return nil
	}
	return node
}

// straight reports whether T is the graph of the run of A, then e, and then further events in the
// fixed order: whether that holds from e on.
func (v *view) straight(e int32) bool { return v.turn < e }

// free reports whether r may read from s, by a quick check. It requires that no earlier receive
// reads from s, and that the event from which r reads in T need not come first.
func (v *view) free(r *Event, s int32) bool {
	if v.g.Events[s].Kind == Close {
		return !slices.ContainsFunc(v.sources[v.g.Events[s].Chan], func(u int32) bool {
			return u != s && !v.isRead(u, r)
		})
	}
	from := &v.g.Events[r.From]
	return !v.isRead(s, r) &&
		!(r.From != s && from.Kind == Send && from.Chan == v.g.Events[s].Chan &&
			v.need(s).has(from))
}

// isRead reports whether a receive before r reads from s.
func (v *view) isRead(s int32, r *Event) bool {
	return v.reader[s] >= 0 && v.g.Events[v.reader[s]].Index < r.Index
}

// split lists A, the events that had been added before r, in that order. Then it lists P, the other
// events that s needs, and s, in an order that depends on A and P alone.
func (v *view) split(r *Event, s int32) {
	v.rewind(int(r.Base))
	v.order = v.order[:0]
	for n := range r.Base {
		v.order = append(v.order, n)
	}
	copy(v.part, v.before)
	need := v.need(s)
	for more := s >= r.Base; more; {
		more = false
		for _, p := range v.g.order {
			for v.part[p] < need[p] && v.given(v.g.own[p][v.part[p]]) {
				v.order = append(v.order, v.g.own[p][v.part[p]])
				v.part[p]++
				more = true
			}
		}
	}
}

// given reports whether all events that event n needs are in v.part.
func (v *view) given(n int32) bool {
	e := &v.g.Events[n]
	return v.g.follows(e, v.part) && (e.Kind != Receive || v.part.has(&v.g.Events[e.From]))
}

// rewind makes v.before the first n events.
func (v *view) rewind(n int) {
	for ; v.many < n; v.many++ {
		v.before[v.g.Events[v.many].Proc]++
	}
	for ; v.many > n; v.many-- {
		v.before[v.g.Events[v.many-1].Proc]--
	}
}

// node returns the graph of A, P, and r, case c, reading from s.
func (v *view) node(r *Event, c, s int32) *Graph {
	b := builder{g: &Graph{}, from: v.g, procs: filled(len(v.g.Procs)),
		chans:  filled(int(v.g.Chans)),
		events: filled(len(v.g.Events))}
	for i, n := range v.order {
		e := v.g.Events[n]
		if i >= int(r.Base) {
			e.Base = Fixed
		}
		b.events[n] = b.add(e)
	}
	e := *r
	e.Turned = true
	e.Case, e.Chan, e.From = c, r.Cases[c], s
	b.add(e)
	return b.g
}

// filled returns n times -1.
func filled(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// builder copies events of one graph to another one, which has only the processes and channels that
// occur there.
type builder struct {
	g, from              *Graph
	procs, chans, events []int32 // the new numbers, -1 if there is none yet
}

func (b *builder) add(e Event) int32 {
	e.Proc, e.Chan = b.proc(e.Proc), b.channel(e.Chan)
	if e.Kind == Receive {
		e.From, e.Cases = b.events[e.From], b.cases(e.Cases)
	}
	return b.g.add(e)
}

func (b *builder) proc(p int32) int32 {
	if b.procs[p] < 0 {
		q := b.from.Procs[p]
		if q.Parent != Root {
			q.Parent = b.proc(q.Parent)
		}
		b.procs[p] = b.g.AddProc(q)
	}
	return b.procs[p]
}

func (b *builder) channel(c int32) int32 {
	if c < 0 {
		return c
	}
	if b.chans[c] < 0 {
		b.chans[c] = b.g.Chans
		b.g.Chans++
	}
	return b.chans[c]
}

// cases renumbers the channels of a receive.
func (b *builder) cases(of []int32) []int32 {
	same := true
	for _, c := range of {
		same = b.channel(c) == c && same
	}
	if same {
		return of
	}
	list := make([]int32, len(of))
	for i, c := range of {
		list[i] = b.channel(c)
	}
	return list
}
