package delay

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Meter is a chooser that watches the clock while another one makes the choices. It is for one
// execution after the other.
type Meter struct {
	chooser trace.Chooser
	firings []int32
	moments []Moment
	came    []came      // by process
	ticks   []trace.Alt // receives from timers that were possible before the last firing
	times   []int64     // of the events
	chosen  []chosen    // cases of selects that waited while time passed
}

// chosen is a case of a select, event step, of a process that had come to it at an earlier time.
type chosen struct {
	came
	step, proc int32
}

// came is the moment at which a process has declared its operation: the time, the number of events
// until then, and whether the operation was possible then.
type came struct {
	at    int64
	since int32
	able  bool
	rings []ring // of the timers for which the process waits in a select
}

// ring is a firing, event at, that has made a case of a select possible.
type ring struct{ at, by int32 }

// Begin makes m ready for an execution in which c makes the choices.
func (m *Meter) Begin(c trace.Chooser) {
	m.chooser, m.firings, m.moments, m.came = c, m.firings[:0], m.moments[:0], m.came[:0]
	m.times, m.chosen = m.times[:0], m.chosen[:0]
}

// Choose implements trace.Chooser.
func (m *Meter) Choose(s *trace.State) int {
	m.arrive(s)
	i := m.chooser.Choose(s)
	if i >= 0 && i < len(s.Alts) {
		m.choose(s, &s.Alts[i])
		if s.Procs[s.Alts[i].Proc].Kind == trace.Fire {
			m.ticks = ticks(s, m.ticks[:0])
		}
	}
	if moves := len(s.Alts) - s.Moves; i >= moves && i < len(s.Alts) && s.Next > s.Now {
		m.firings = append(m.firings, int32(s.Depth))
		m.note(s, moves)
	}
	return i
}

// arrive notes the processes that have declared an operation since the state before.
func (m *Meter) arrive(s *trace.State) {
	now := func(p int32) came {
		able := slices.ContainsFunc(s.Alts, func(a trace.Alt) bool { return a.Involves(p) })
		return came{at: s.Now, since: int32(s.Depth), able: able}
	}
	for p := len(m.came); p < len(s.Procs); p++ {
		m.came = append(m.came, now(int32(p)))
	}
	if s.Depth > 0 {
		e := &s.Events[s.Depth-1]
		m.came[e.Proc] = now(e.Proc)
		if e.Partner >= 0 {
			m.came[e.Partner] = now(e.Partner)
		}
		if e.Kind == trace.Fire {
			m.ring(s)
		}
	}
}

// ring notes the cases of a select that the last event, a firing, has made possible. If several
// processes wait for that timer, nobody knows which one it has woken up.
func (m *Meter) ring(s *trace.State) {
	woken := slices.DeleteFunc(ticks(s, nil),
		func(a trace.Alt) bool { return slices.Contains(m.ticks, a) })
	for _, a := range woken {
		if a.Proc != woken[0].Proc {
			return
		}
	}
	for _, a := range woken {
		if c := &m.came[a.Proc]; s.Procs[a.Proc].Kind == trace.Select && !c.able &&
			c.rang(a.Case) < 0 {
			c.rings = append(c.rings, ring{int32(s.Depth) - 1, a.Case})
		}
	}
}

// ticks appends the receives from timers, by processes that wait for them.
func ticks(s *trace.State, list []trace.Alt) []trace.Alt {
	for _, a := range s.Alts {
		op := s.Procs[a.Proc]
		if op.Kind == trace.Recv && op.Cap == trace.Timers || op.Kind == trace.Select &&
			!op.Default && op.Cases[a.Case].Cap == trace.Timers {
			list = append(list, a)
		}
	}
	return list
}

// rang returns the firing that has made case i possible, -1 if there is none.
func (c *came) rang(i int32) int32 {
	for _, r := range c.rings {
		if r.by == i {
			return r.at
		}
	}
	return -1
}

// choose notes what a select chooses.
func (m *Meter) choose(s *trace.State, a *trace.Alt) {
	for len(m.times) <= s.Depth {
		m.times = append(m.times, s.Now)
	}
	if a.Case < 0 {
		m.miss(s, a)
		return
	}
	for _, p := range []int32{a.Proc, a.Partner} {
		if p >= 0 && s.Procs[p].Kind == trace.Select && m.came[p].at < s.Now && !m.came[p].able {
			m.chosen = append(m.chosen, chosen{m.came[p], int32(s.Depth), p})
		}
	}
}

// overtaken adds the moments at which processes must come late to a select that they have come to
// earlier, as it takes another case than that for which it was woken up.
func (m *Meter) overtaken(x *trace.Execution) {
	if len(m.chosen) == 0 || len(x.Events) > depend.MaxEvents {
		return
	}
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	for _, c := range m.chosen {
		if int(c.step) >= len(x.Events) {
			break // the execution ended before
		}
		n := c.wokenBy(x, &o, m.times)
		if n >= 0 && x.Events[n].Kind == trace.Fire {
			n++ // the clock has moved
		}
		if n >= 0 && m.times[n] > c.at {
			m.moments = append(m.moments, Moment{At: c.step, By: m.times[n] - c.at,
				Late: c.proc + 1, Since: c.since})
		}
	}
	m.chosen = m.chosen[:0]
}

// tie is the time within which two timers may ring in either order: each processor has timers of
// its own.
const tie = int64(time.Millisecond)

// wokenBy returns the event that has woken up the process for another case than c: -1 if there is
// none.
func (c *chosen) wokenBy(x *trace.Execution, o *depend.Order, times []int64) int32 {
	r := depend.Rest{At: c.step, Proc: c.proc, From: c.since, Late: true}
	if n := o.WokenBy(x, r); n >= 0 || len(c.rings) == 0 {
		return n
	}
	first, e := c.rings[0].at, &x.Events[c.step]
	if e.Kind == trace.Recv && e.Cap == trace.Timers {
		if n := c.rang(e.Case); n < 0 || !o.Before(first, n) || times[n+1]-times[first+1] < tie {
			return -1
		}
		return first
	}
	for n := first + 1; n < c.step && times[n]-times[first+1] < tie; n++ {
		f := &x.Events[n]
		if f.Obj == e.Obj || e.Partner >= 0 && f.Involves(e.Proc+e.Partner-c.proc) {
			return -1
		}
	}
	if o.IsBeforeReady(x, first, r) {
		return first
	}
	return -1
}

// miss notes the processes that a select misses when it takes its default although they already
// wait: they must be late.
func (m *Meter) miss(s *trace.State, a *trace.Alt) {
	for q, op := range s.Procs {
		if c := m.came[q]; op != nil && int32(q) != a.Proc && c.at < s.Now &&
			meets(s.Procs[a.Proc].Cases, op) {
			m.moments = append(m.moments,
				Moment{At: int32(s.Depth), By: s.Now - c.at, Late: int32(q) + 1,
					Since: c.since})
		}
	}
}

// meets reports whether op waits to be the other side of one of the cases, on a channel without a
// buffer.
func meets(cases []trace.Case, op *trace.Op) bool {
	other := func(c trace.Case) bool {
		return c.Obj >= 0 && c.Cap == 0 && slices.ContainsFunc(cases, func(d trace.Case) bool {
			return d.Obj == c.Obj && d.Kind != c.Kind
		})
	}
	switch op.Kind {
	case trace.Send, trace.Recv:
		return other(trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap})
	case trace.Select:
		return !op.Default && slices.ContainsFunc(op.Cases, other)
	}
	return false
}

// note notes the alternatives of processes.
func (m *Meter) note(s *trace.State, moves int) {
	at := Moment{At: int32(s.Depth), By: s.Next - s.Now, Alone: s.Alone}
	for _, a := range s.Alts[:moves] {
		op := s.Procs[a.Proc]
		if op.Kind == trace.Fire {
			continue // in a bubble
		}
		v := Mover{Alt: a, Op: declared(op)}
		if a.Partner >= 0 {
			v.PartnerOp = declared(s.Procs[a.Partner])
		}
		at.Movers = append(at.Movers, v)
	}
	if len(at.Movers) > 0 || at.Alone {
		m.moments = append(m.moments, at)
	}
}

// declared copies an operation, because its memory is used again.
func declared(op *trace.Op) trace.Op {
	kept := *op
	kept.Cases = slices.Clone(op.Cases)
	return kept
}

// Delay returns the delay of x, the execution that m has watched. holds says whether a claim holds.
func (m *Meter) Delay(x *trace.Execution, holds func(Claim) bool) Delay {
	m.overtaken(x)
	return Of(x, m.moments, holds)
}

// Firings are the events of the execution that moved the clock. The slice is valid until the next
// one.
func (m *Meter) Firings() []int32 { return m.firings }
