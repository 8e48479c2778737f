package strategy

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// study is what is known of one execution, and of what could have been done after other sets of its events.
type study struct {
	p     *POP
	x     *trace.Execution
	n     int32
	width int32
	past  []uint64  // by event: a row of those that happen before it
	acts  [][]int32 // by process: its events
	skips []option  // what was possible in some state, ranked before what was done there, and never done
	open  [][]int32 // by event: the skips that nothing before it is in conflict with, in their order
	cut   depend.Cut

	list     []option // of the last call of options
	from, to config   // scratch
	pending  []option // scratch
	found    []schedule
	safe     []safety // by object
}

// option is what may be done in a state.
type option struct {
	event  trace.Event
	own    int32 // the event of the execution that it is; -1: none
	at     int32 // how many events had been done
	rank   rank
	panics bool // it may end the execution: all else is in conflict with it
}

// config is a set of events that contains all that happens before one of them.
type config struct {
	in   []uint64
	next []int32 // by process: how many of its events are in the set
	size int32
}

func (c *config) set(d *config) {
	c.in, c.next, c.size = append(c.in[:0], d.in...), append(c.next[:0], d.next...), d.size
}

func (c *config) has(k int32) bool { return k < 0 || hasBit(c.in, k) }

// holds reports whether all of row is in the set.
func (c *config) holds(row []uint64) bool {
	for w, b := range row {
		if b&^c.in[w] != 0 {
			return false
		}
	}
	return true
}

func (s *study) row(k int32) []uint64 { return s.past[k*s.width : (k+1)*s.width] }

// begin reads an execution.
func (s *study) begin(x *trace.Execution) {
	s.x, s.n = x, int32(len(x.Events))
	s.width = (s.n + 63) >> 6
	s.cut = depend.Cut{Order: &s.p.order, X: x}
	for len(s.acts) < len(x.Procs) {
		s.acts = append(s.acts, nil)
	}
	for q := range s.acts {
		s.acts[q] = s.acts[q][:0]
	}
	s.past = s.past[:0]
	s.past = append(s.past, make([]uint64, s.n*s.width)...)
	last := int32(-1) // the last event that panicked
	for k := range s.n {
		e := &x.Events[k]
		s.acts[e.Proc] = append(s.acts[e.Proc], k)
		if e.Partner >= 0 {
			s.acts[e.Partner] = append(s.acts[e.Partner], k)
		}
		row := s.row(k)
		copy(row, s.p.order.Row(k))
		until := last + 1
		if s.panicked(k) {
			until, last = k, k
			s.p.doubt = true
		}
		for w := range row {
			row[w] |= between(w, 0, until)
		}
	}
	s.p.sudden = s.p.sudden || final(x) && s.n > 0 && !s.panicked(s.n-1)
	s.safe = s.safe[:0]
}

// panicked reports whether event k ended the execution, or might have.
func (s *study) panicked(k int32) bool {
	e := &s.x.Events[k]
	switch e.Kind {
	case trace.Send, trace.Close:
		return e.Closed
	case trace.WgAdd:
		return !e.OK
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		return k == s.n-1 && final(s.x)
	}
	return e.Kind == trace.Stop
}

// start makes c the first i events.
func (s *study) start(c *config, i int32) {
	c.in, c.next, c.size = sized(c.in, s.n), c.next[:0], 0
	for range s.x.Procs {
		c.next = append(c.next, 0)
	}
	for k := range i {
		s.add(c, k)
	}
}

func (s *study) add(c *config, k int32) {
	setBit(c.in, k)
	e := &s.x.Events[k]
	c.next[e.Proc]++
	if e.Partner >= 0 {
		c.next[e.Partner]++
	}
	c.size++
}

// step returns what process q declares after c, and the event that this was; nil if there is nothing, -1 if it was never done.
func (s *study) step(c *config, q int32) (op *trace.Op, at int32) {
	p := &s.x.Procs[q]
	if !c.has(p.Born - 1) {
		return nil, -1
	}
	return s.nth(q, c.next[q])
}

func (s *study) nth(q, k int32) (op *trace.Op, at int32) {
	if int(k) < len(s.acts[q]) {
		at = s.acts[q][k]
		return opOf(&s.x.Events[at], q), at
	}
	if p := &s.x.Procs[q]; int(k) == len(s.acts[q]) && !p.Ended && p.Pending.Kind != trace.None {
		return &p.Pending, -1
	}
	return nil, -1
}

// options fills list with what is possible after c, the first one first.
func (s *study) options(c *config) []option {
	s.list = s.list[:0]
	s.cut.From, s.cut.In = 0, c.in
	for q := range int32(len(s.x.Procs)) {
		op, at := s.step(c, q)
		if op == nil {
			continue
		}
		if at >= 0 && !c.holds(s.row(at)) {
			at = -1
		}
		if at >= 0 && s.x.Events[at].Proc == q {
			s.list = append(s.list, option{event: s.x.Events[at], own: at, panics: s.panicked(at)})
		}
		s.offer(c, q, op, at)
	}
	s.offerLate(c)
	for i := range s.list {
		o := &s.list[i]
		o.at = c.size
		o.rank = s.p.rankOf(o.event.Alt, o.event.Op.Kind, int(c.size))
	}
	slices.SortFunc(s.list, func(a, b option) int {
		if a.rank.less(b.rank) {
			return -1
		}
		return 1
	})
	return s.list
}

// offer adds the alternatives of process q but that of its event own.
func (s *study) offer(c *config, q int32, op *trace.Op, own int32) {
	switch {
	case op.Kind == trace.Select:
		for i, k := range op.Cases {
			s.offerCase(c, q, op, own, int32(i), k)
		}
		if op.Default {
			s.alone(q, op, own, -1, trace.Case{Kind: trace.Default, Obj: -1})
		}
	case op.Kind == trace.Send || op.Kind == trace.Recv:
		s.offerCase(c, q, op, own, 0, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap})
	case op.Kind.Hidden():
		s.offerHidden(c, q, op, own)
	case own < 0 && !op.Kind.Late() && op.Kind != trace.Join:
		s.alone(q, op, own, 0, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap})
	}
}

func (s *study) offerCase(c *config, q int32, op *trace.Op, own, i int32, k trace.Case) {
	if k.Obj < 0 {
		return
	}
	if k.Cap == 0 && !s.p.order.Closed(k.Obj) {
		if k.Kind == trace.Send {
			s.offerPartners(c, q, op, own, i, k.Obj)
		}
		return
	}
	n := len(s.list)
	s.alone(q, op, own, i, k)
	if k.Cap == 0 && k.Kind == trace.Send && n == len(s.list) {
		s.offerPartners(c, q, op, own, i, k.Obj)
	}
}

// alone adds what q can do by itself.
func (s *study) alone(q int32, op *trace.Op, own, i int32, k trace.Case) {
	e := trace.Event{Alt: trace.Alt{Proc: q, Case: i, Partner: -1}, Op: *op, Kind: k.Kind, Obj: k.Obj, Cap: k.Cap, OK: true}
	if own >= 0 && s.x.Events[own].Alt == e.Alt {
		return
	}
	switch s.cut.Foresee(&e) {
	case depend.Perhaps:
		s.p.refuse(s.x.Events, "strategy pop does not know channels of timers, and channels in use before the test: use -strategy optimal")
	case depend.Sure:
		if e.Kind == trace.AtomicUpdate {
			e.OK, _ = s.writes(s.cut.In, q, &e)
		}
		s.list = append(s.list, option{event: e, own: -1, panics: s.cut.Panics(&e)})
	}
}

// writes reports whether e, an AtomicUpdate that process q does after the given events, writes. known is false if that cannot be told:
// a CompareAndSwap is done as it was in the execution where the last write before it is the same.
func (s *study) writes(in []uint64, q int32, e *trace.Event) (ok, known bool) {
	k := int32(0)
	for _, b := range s.acts[q] {
		if hasBit(in, b) {
			k++
		}
	}
	_, at := s.nth(q, k)
	if at < 0 {
		return true, false
	}
	last, then := int32(-1), int32(-1)
	for b := range s.n {
		if f := &s.x.Events[b]; f.Obj != e.Obj || f.Kind != trace.AtomicStore && !(f.Kind == trace.AtomicUpdate && f.OK) {
			continue
		}
		if hasBit(in, b) {
			last = b
		}
		if b < at {
			then = b
		}
	}
	if last == then {
		return s.x.Events[at].OK, true
	}
	return true, false
}

func (s *study) offerPartners(c *config, q int32, op *trace.Op, own, i, obj int32) {
	for t := range int32(len(s.x.Procs)) {
		if t == q {
			continue
		}
		to, _ := s.step(c, t)
		if to == nil {
			continue
		}
		for j := range receivesOn(to, obj, op) {
			e := trace.Event{Alt: trace.Alt{Proc: q, Case: i, Partner: t, PartnerCase: j}, Op: *op, PartnerOp: *to, Kind: trace.Send, Obj: obj}
			if own >= 0 && s.x.Events[own].Alt == e.Alt {
				continue
			}
			if s.cut.Foresee(&e) == depend.Sure {
				s.list = append(s.list, option{event: e, own: -1})
			}
		}
	}
}

// receivesOn yields the cases of op that may meet a send of with on obj.
func receivesOn(op *trace.Op, obj int32, with *trace.Op) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		switch {
		case op.Kind == trace.Recv && op.Obj == obj:
			yield(0)
		case op.Kind == trace.Select && !(op.Default && with.Kind == trace.Select && with.Default):
			for j, c := range op.Cases {
				if c.Kind == trace.Recv && c.Obj == obj && !yield(int32(j)) {
					return
				}
			}
		}
	}
}

// offerLate adds what waits until nothing else is possible, where that has been seen: in the states of the execution.
func (s *study) offerLate(c *config) {
	if int(c.size) >= len(s.p.seen.from) {
		return
	}
	for w, b := range c.in {
		if b != between(w, 0, c.size) {
			return
		}
	}
	for _, a := range s.p.seen.at(c.size) {
		if op, _ := s.step(c, a.Proc); op.Kind.Late() && (c.size == s.n || s.x.Events[c.size].Alt != a) {
			s.list = append(s.list, option{event: lone(a.Proc, op, a.Case, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}), own: -1})
		}
	}
}

// offerHidden adds the values of a hidden choice, which are the same wherever it is made.
func (s *study) offerHidden(c *config, q int32, op *trace.Op, own int32) {
	_, at := s.step(c, q)
	if at < 0 {
		s.p.coarse = true
		return
	}
	for _, a := range s.p.seen.at(at) {
		if a.Proc == q && !(own >= 0 && s.x.Events[own].Alt == a) {
			s.list = append(s.list, option{event: trace.Event{Alt: a, Op: *op, Kind: op.Kind, Obj: -1}, own: -1})
		}
	}
}

// conflict reports whether b cannot come after a, as it is without a, or the other way round.
func conflict(a, b *option) bool {
	return a.panics || b.panics || dependent(&a.event, &b.event)
}

// exclude is conflict for what is possible after c, where two calls of Done can be too many although they commute.
func (s *study) exclude(c *config, a, b *option) bool {
	return conflict(a, b) || lowers(a, b) && s.counter(c, a)+a.event.Op.N+b.event.Op.N < 0
}

// lowers reports whether a and b both take from one WaitGroup's counter.
func lowers(a, b *option) bool {
	e, f := &a.event, &b.event
	return e.Kind == trace.WgAdd && f.Kind == trace.WgAdd && e.Obj == f.Obj && e.Op.N < 0 && f.Op.N < 0
}

// counter is that of the WaitGroup of a after c.
func (s *study) counter(c *config, a *option) int32 {
	s.cut.From, s.cut.In = 0, c.in
	e := a.event
	s.cut.Foresee(&e)
	return e.Seq - e.Op.N
}

// done is event k as an option.
func (s *study) done(k int32) option {
	return option{event: s.x.Events[k], own: k, panics: s.panicked(k)}
}

// findSkips fills skips and open. It reports whether each event was the first one that could have been done of those in the execution.
func (s *study) findSkips() bool {
	s.skips, s.open = s.skips[:0], s.open[:0]
	s.start(&s.from, 0)
	var open []int32
	for k := range s.n {
		s.open = append(s.open, slices.Clone(open))
		for _, o := range s.options(&s.from) {
			if o.own == k {
				break
			}
			if o.own >= 0 {
				return false
			}
			open = append(open, int32(len(s.skips)))
			s.skips = append(s.skips, o)
		}
		d := s.done(k)
		open = slices.DeleteFunc(open, func(z int32) bool { return s.exclude(&s.from, &s.skips[z], &d) })
		s.add(&s.from, k)
	}
	return true
}
