package pop

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// reading has an execution, and tells what its events say of states that it has not reached.
type reading struct {
	x     *trace.Execution
	n     int32
	width int32
	past  []uint64  // by event: a row of those that happen before it
	acts  [][]int32 // by process: its events
	cut   depend.Cut
	sums  search.Counts // of the groups of x
	safe  []safety      // by object
}

// study looks for the children of an execution. It has a method for each kind of step that may
// follow a set of events.
type study struct {
	reading
	p     *Search
	skips []option // see POP
	// by event: the skips of earlier states that nothing before it settles, in their order
	open  [][]int32
	found []schedule

	list     []option // of the last call of options
	ranked   []*option
	from, to config   // scratch
	pending  []option // scratch
}

// config is the state after a set of events. The set contains all that happens before its events.
type config struct {
	in   []uint64
	next []int32 // by process: how many of its events are in the set
	size int32
}

func (c *config) set(d *config) {
	c.in, c.next, c.size = append(c.in[:0], d.in...), append(c.next[:0], d.next...), d.size
}

func (c *config) has(k int32) bool { return k < 0 || search.HasBit(c.in, k) }

// holds reports whether all of row is in the set.
func (c *config) holds(row []uint64) bool {
	for w, b := range row {
		if b&^c.in[w] != 0 {
			return false
		}
	}
	return true
}

// isPrefix reports whether the set is a prefix of the execution.
func (c *config) isPrefix() bool {
	for w, b := range c.in {
		if b != search.Between(w, 0, c.size) {
			return false
		}
	}
	return true
}

func (r *reading) row(k int32) []uint64 { return r.past[k*r.width : (k+1)*r.width] }

// begin reads an execution.
func (s *study) begin(x *trace.Execution) {
	s.x, s.n = x, int32(len(x.Events))
	s.width = (s.n + 63) >> 6
	s.sums.Known = nil
	s.cut = depend.Cut{Set: depend.Set{Order: &s.p.order}, X: x}
	s.safe, s.found = s.safe[:0], nil
	for len(s.acts) < len(x.Procs) {
		s.acts = append(s.acts, nil)
	}
	for q := range s.acts {
		s.acts[q] = s.acts[q][:0]
	}
	for k := range s.n {
		e := &x.Events[k]
		s.acts[e.Proc] = append(s.acts[e.Proc], k)
		if e.Partner >= 0 {
			s.acts[e.Partner] = append(s.acts[e.Partner], k)
		}
	}
	s.order()
}

// order fills past with happens-before. An event that ended the execution comes after all others.
func (s *study) order() {
	s.past = append(s.past[:0], make([]uint64, s.n*s.width)...)
	for k := range s.n {
		row := s.row(k)
		copy(row, s.p.order.Row(k))
		if !s.ended(k) {
			continue
		}
		for w := range row {
			row[w] |= search.Between(w, 0, k)
		}
		s.p.doubt, s.p.sudden = true, s.p.sudden || !canEnd(s.x.Events[k].Kind)
	}
}

// ended reports whether event k ended the execution.
func (r *reading) ended(k int32) bool { return k == r.n-1 && search.Final(r.x) }

// start makes c the state after the first i events.
func (r *reading) start(c *config, i int32) {
	c.in, c.next, c.size = search.Sized(c.in, r.n), c.next[:0], 0
	for range r.x.Procs {
		c.next = append(c.next, 0)
	}
	for k := range i {
		r.add(c, k)
	}
}

func (r *reading) add(c *config, k int32) {
	search.SetBit(c.in, k)
	e := &r.x.Events[k]
	c.next[e.Proc]++
	if e.Partner >= 0 {
		c.next[e.Partner]++
	}
	c.size++
}

// step returns the step that process q has declared in state c.
func (r *reading) step(c *config, q int32) (a search.Act, ok bool) {
	if !c.has(r.x.Procs[q].Born - 1) {
		return a, false
	}
	return r.act(q, c.next[q])
}

// act returns step k of process q.
func (r *reading) act(q, k int32) (a search.Act, ok bool) {
	a = search.Act{Proc: q, Index: k, At: r.n, Prev: r.x.Procs[q].Born - 1}
	if int(k) > len(r.acts[q]) {
		return a, false
	}
	if k > 0 {
		a.Prev = r.acts[q][k-1]
	}
	if int(k) < len(r.acts[q]) {
		a.At = r.acts[q][k]
		a.Op = search.OpOf(&r.x.Events[a.At], q)
		return a, true
	}
	p := &r.x.Procs[q]
	a.Op = &p.Pending
	// see crashes.go
	return a, !p.Ended && p.Pending.Kind != trace.None && p.Pending.Kind != trace.Stop
}

// steps yields all steps of process q.
func (r *reading) steps(q int32) func(func(search.Act) bool) {
	return func(yield func(search.Act) bool) {
		for k := int32(0); ; k++ {
			if a, ok := r.act(q, k); !ok || !yield(a) {
				return
			}
		}
	}
}

// done is event k as an option.
func (r *reading) done(k int32) option {
	return option{event: r.x.Events[k], own: k, ends: r.ended(k)}
}

// findSkips fills skips and open. It reports whether each event was the first in rank of those
// events of the execution that could be done.
func (s *study) findSkips() bool {
	s.skips, s.open = s.skips[:0], s.open[:0]
	s.start(&s.from, 0)
	var open []int32
	for k := range s.n {
		s.open = append(s.open, slices.Clone(open))
		list := s.options(&s.from)
		s.compare(list, k)
		for _, o := range list {
			if o.own == k {
				break
			}
			if o.own >= 0 {
				return false
			}
			open = append(open, int32(len(s.skips)))
			s.skips = append(s.skips, *o)
		}
		d := s.done(k)
		open = slices.DeleteFunc(open, func(z int32) bool {
			return s.exclude(&s.from, &s.skips[z], &d)
		})
		s.add(&s.from, k)
	}
	return true
}

// compare checks the options that were foreseen against those that were possible before event k.
func (s *study) compare(list []*option, k int32) {
	seen := s.p.seen.at(k)
	same := len(list) == len(seen)
	for i := 0; i < len(seen) && same; i++ {
		same = slices.ContainsFunc(list, func(o *option) bool { return o.event.Alt == seen[i] })
	}
	s.p.lost = s.p.lost || !same
}
