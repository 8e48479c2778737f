package delay

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

const ms = int64(time.Millisecond)

// Processes and objects of the tests.
const (
	test, worker, other = 0, 1, 2
	result, done        = 10, 11
)

func op(k trace.Kind, obj int32) trace.Op { return trace.Op{Kind: k, Obj: obj} }

func alone(p int32, o trace.Op) Mover {
	return Mover{Alt: trace.Alt{Proc: p, Partner: -1}, Op: o}
}

func meeting(p int32, o trace.Op, q int32, w trace.Op) Mover {
	return Mover{Alt: trace.Alt{Proc: p, Partner: q}, Op: o, PartnerOp: w}
}

func event(p int32, k trace.Kind, obj int32) trace.Event {
	return trace.Event{Alt: trace.Alt{Proc: p, Partner: -1}, Op: op(k, obj), Kind: k, Obj: obj}
}

// reads is an access that was found in a data race.
func reads(p int32) trace.Event {
	e := event(p, trace.AtomicLoad, 6)
	e.Op.N = trace.Plain
	return e
}

// waits is a select that receives a result, or that time is up.
func waits() trace.Op {
	return trace.Op{Kind: trace.Select, Obj: -1,
		Cases: []trace.Case{{Kind: trace.Recv, Obj: result}, {Kind: trace.Recv, Obj: done}}}
}

// TestOf derives the numbers by hand.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name    string
		events  []trace.Event
		moments []Moment
		want    []Hold
	}{
		{"nothing is early", nil, nil, nil},
		{"a timer of 30ms fires before a goroutine takes a lock: it is held up for 30ms", nil,
			[]Moment{{By: 30 * ms, Movers: []Mover{alone(worker, op(trace.Lock, 3))}}},
			[]Hold{{worker, 30 * time.Millisecond}}},
		{"timers of 10 and 20ms in order: the first one's goroutine waits from 10 to 20ms",
			make([]trace.Event, 1),
			[]Moment{{At: 1, By: 10 * ms, Movers: []Mover{alone(worker, op(trace.Log, 3))}}},
			[]Hold{{worker, 10 * time.Millisecond}}},
		{"hold-ups of one goroutine are added, those of two are not", make([]trace.Event, 3),
			[]Moment{
				{At: 0, By: 10 * ms,
					Movers: []Mover{alone(worker, op(trace.Lock, 3)),
						alone(other, op(trace.Log, 4))}},
				{At: 2, By: 5 * ms, Movers: []Mover{alone(worker, op(trace.Unlock, 3))}},
			},
			[]Hold{{worker, 15 * time.Millisecond}, {other, 10 * time.Millisecond}}},
		{"of a sender and a select that waits for it or a timer, the sender is late", nil,
			[]Moment{{By: 30 * ms,
				Movers: []Mover{meeting(worker, op(trace.Send, result), test, waits())}}},
			[]Hold{{worker, 30 * time.Millisecond}}},
		{"who is late anyway explains that two did not meet", nil,
			[]Moment{{By: 30 * ms, Movers: []Mover{
				meeting(worker, op(trace.Send, result), test, op(trace.Recv, result)),
				alone(test, op(trace.Log, 4))}}},
			[]Hold{{test, 30 * time.Millisecond}}},
		{"a result is in the buffer, and the select does not see it: its sender is late",
			[]trace.Event{event(worker, trace.Send, result)},
			[]Moment{{At: 1, By: 30 * ms, Movers: []Mover{alone(test, waits())}}},
			[]Hold{{worker, 30 * time.Millisecond}}},
		{"but not if the sender has gone on: then the select is late",
			[]trace.Event{event(worker, trace.Send, result), event(worker, trace.Log, 4)},
			[]Moment{{At: 2, By: 30 * ms, Movers: []Mover{alone(test, waits())}}},
			[]Hold{{test, 30 * time.Millisecond}}},
		{"who goes round a loop in vain is not held up",
			[]trace.Event{event(worker, trace.AtomicLoad, 5), event(worker, trace.Yield, -1),
				event(worker, trace.AtomicLoad, 5), event(worker, trace.Yield, -1)},
			[]Moment{{At: 4, By: 30 * ms, Movers: []Mover{alone(worker, op(trace.AtomicLoad, 5))}}},
			nil},
		{"who reads the clock in a loop might have seen that it is time",
			[]trace.Event{event(worker, trace.Now, 9), event(worker, trace.Now, 9)},
			[]Moment{{At: 2, By: 30 * ms, Movers: []Mover{alone(worker, op(trace.Now, 9))}}},
			[]Hold{{worker, 30 * time.Millisecond}}},
		{"who has looked twice, and does something else then, goes round no loop",
			[]trace.Event{event(other, trace.AtomicLoad, 5), event(other, trace.AtomicLoad, 5)},
			[]Moment{{At: 2, By: 30 * ms, Movers: []Mover{alone(other, op(trace.AtomicLoad, 5))}}},
			[]Hold{{other, 30 * time.Millisecond}}},
		{"who has looked once may not be about to look for ever",
			[]trace.Event{event(worker, trace.AtomicLoad, 5)},
			[]Moment{{At: 1, By: 30 * ms, Movers: []Mover{alone(worker, op(trace.AtomicLoad, 5))}}},
			[]Hold{{worker, 30 * time.Millisecond}}},
		{"who reads three plain variables, which are one object, goes round no loop",
			[]trace.Event{reads(worker), reads(worker)},
			[]Moment{{At: 2, By: 30 * ms, Movers: []Mover{alone(worker, reads(worker).Op)}}},
			[]Hold{{worker, 30 * time.Millisecond}}},
		{"what a timer starts, when all have ended, comes only if the test is held up before its end",
			[]trace.Event{event(other, trace.Fire, 9), event(worker, trace.Log, 4)},
			[]Moment{{By: 30 * ms, Alone: true}},
			[]Hold{{test, 30 * time.Millisecond}}},
		{"a timer that fires when all have ended, and starts nothing, need not fire",
			[]trace.Event{event(worker, trace.Log, 4), event(other, trace.Fire, 9)},
			[]Moment{{At: 1, By: 30 * ms, Alone: true}}, nil},
	} {
		d := Of(&trace.Execution{Events: c.events, End: trace.Crashed}, c.moments, holds)
		least := time.Duration(0)
		for _, h := range c.want {
			least = max(least, h.For)
		}
		if !slices.Equal(d.Holds, c.want) || d.Least != least {
			t.Errorf("%s: %v %v, want %v", c.name, d.Least, d.Holds, c.want)
		}
	}
}

// holds is true of the worker's claims, when they are of what comes behind all steps.
func holds(c Claim) bool { return c.Proc == worker && c.Step == c.At }

// TestEarliest has a timer that fires between two sends of other goroutines. One of them has
// nothing to do with it.
func TestEarliest(t *testing.T) {
	fire := trace.Event{Alt: trace.Alt{Proc: 3, Partner: -1},
		Op: trace.Op{Kind: trace.Fire, Obj: 9, Cap: trace.Timers}, Kind: trace.Fire, Obj: 9,
		Cap: trace.Timers}
	looks := event(worker, trace.Now, 9)
	looks.Cap = trace.Timers
	x := &trace.Execution{Events: []trace.Event{fire, event(other, trace.Log, 5), looks,
		event(worker, trace.Log, 6)},
		Procs: []trace.Proc{{Path: "0", Parent: -1}, {Path: "0.0"}, {Path: "0.1"}, {Path: "0.2"}}}
	if got, want := order(x, []int32{0}), []int32{1, 0, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestMeter checks what is noted of a state: the firings that move the clock are the last
// alternatives.
func TestMeter(t *testing.T) {
	lock := op(trace.Lock, 3)
	fire := op(trace.Fire, 9)
	s := &trace.State{Alts: []trace.Alt{{Proc: worker, Partner: -1}, {Proc: other, Partner: -1}},
		Procs: []*trace.Op{nil, &lock, &fire}, Next: 7, Moves: 1}
	var m Meter
	m.Begin(pick(1))
	m.Choose(s)
	if d := m.Delay(&trace.Execution{}, holds); d.Least != 7 || len(m.Firings()) != 1 {
		t.Errorf("%v at %v", d, m.Firings())
	}
	m.Begin(pick(0))
	m.Choose(s)
	if d := m.Delay(&trace.Execution{}, holds); d.Least != 0 || len(m.Firings()) != 0 {
		t.Errorf("without the firing: %v at %v", d, m.Firings())
	}
}

type pick int

func (p pick) Choose(*trace.State) int { return int(p) }

// TestRing: a firing that only one process waits for has woken it up.
func TestRing(t *testing.T) {
	tick := trace.Case{Kind: trace.Recv, Obj: 9, Cap: trace.Timers}
	either := trace.Op{Kind: trace.Select, Obj: -1, Cases: []trace.Case{{Kind: trace.Recv}, tick}}
	polls := either
	polls.Default = true
	plain := trace.Op{Kind: trace.Recv, Obj: 9, Cap: trace.Timers}
	fire := op(trace.Fire, 9)
	for _, c := range []struct {
		beside trace.Op
		rings  int
	}{{op(trace.Lock, 3), 1}, {polls, 1}, {plain, 0}, {either, 0}} {
		s := &trace.State{Alts: []trace.Alt{{Proc: 3, Partner: -1}},
			Procs: []*trace.Op{nil, &either, &c.beside, &fire}}
		var m Meter
		m.Begin(pick(0))
		m.Choose(s)
		s.Depth, s.Events = 1, []trace.Event{event(3, trace.Fire, 9)}
		s.Alts = []trace.Alt{{Proc: worker, Case: 1, Partner: -1},
			{Proc: other, Case: 1, Partner: -1}}
		m.Choose(s)
		if n := len(m.came[worker].rings); n != c.rings {
			t.Errorf("beside %v: %d rings, want %d", c.beside, n, c.rings)
		}
	}
}
