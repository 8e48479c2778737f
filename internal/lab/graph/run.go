package graph

import (
	"fmt"
	"math"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// run is one execution of a node, and the maximal graph to which it comes.
type run struct {
	g *Graph
	// the events of the node that the program does, in the order in which they are done
	node []int32
	line Line
	fit  fit

	seen   int     // events of the execution that have been taken down
	procs  []int32 // by process of the execution: its number in g
	moves  []int32 // likewise: how many events it has had
	number []int32 // by process of g: its number in the execution, -1 if it is not there
	place  []int32 // likewise: where it is in the order in which processes come next
	chans  []int32 // by object of the execution: its number as a channel of g, -1 if it is none
	queues []queue // by channel of g
	steps  []int32 // by event of g: its number in the execution
	logger int32   // the process that has logged, -1 if there is none, or several
	log    int32   // the log, as a channel of g; -1 if nobody has logged
}

// queue is a channel.
type queue struct {
	sends    []int32 // all, in their order
	received int     // how many of these have been received
	closed   int32   // the close, -1 if there is none
	room     int32   // the capacity
}

// reader is the process that reads the log. It comes after all others.
var reader = Proc{Parent: Root, Event: -1, Rank: math.MaxInt32}

// begin makes r run a node.
func (r *run) begin(node *Graph) {
	r.g, r.seen, r.log, r.logger = node, 0, -1, -1
	r.procs, r.moves, r.chans, r.queues, r.node = r.procs[:0], r.moves[:0], r.chans[:0],
		r.queues[:0],
		r.node[:0]
	r.number = r.number[:0]
	for range node.Procs {
		r.number = append(r.number, -1)
	}
	for range node.Chans {
		r.newQueue()
	}
	r.steps = append(r.steps[:0], make([]int32, len(node.Events))...)
	r.rank()
	r.fit.begin()
	r.plan()
}

// plan lists the events that the program is to do first.
func (r *run) plan() {
	events, ok := r.line.Linearise(r.g)
	if !ok {
		panic("strategy: a graph that is not consistent")
	}
	for _, n := range events {
		if r.g.Procs[r.g.Events[n].Proc] != reader {
			r.node = append(r.node, n)
		}
	}
}

// rank finds the places of the processes.
func (r *run) rank() {
	r.place = append(r.place[:0], r.g.Order()...)
	for i, p := range r.g.Order() {
		r.place[p] = int32(i)
	}
}

func (r *run) newQueue() {
	if n := len(r.queues); n < cap(r.queues) {
		r.queues = r.queues[:n+1]
		r.queues[n] = queue{sends: r.queues[n].sends[:0], closed: -1}
		return
	}
	r.queues = append(r.queues, queue{closed: -1})
}

// see takes down the event and the processes that are new. The state has n processes.
func (r *run) see(events []trace.Event, n int) {
	p := Proc{Parent: Root, Event: -1}
	if r.seen < len(events) {
		e := &events[r.seen]
		r.step(e)
		p.Parent, p.Event = r.procs[e.Proc], r.moves[e.Proc]-1
	}
	for ; len(r.procs) < n; p.Rank++ {
		r.born(p)
	}
}

// born takes down a new process.
func (r *run) born(p Proc) {
	q, ok := r.g.Find(p)
	if !ok {
		q = r.g.AddProc(p)
		r.number = append(r.number, -1)
		r.rank()
	}
	r.number[q] = int32(len(r.procs))
	r.procs, r.moves = append(r.procs, q), append(r.moves, 0)
}

// step takes down the next event of the execution.
func (r *run) step(e *trace.Event) {
	at := r.seen
	r.seen++
	r.moves[e.Proc]++
	if r.fit.step(e, at); r.fit.why != "" {
		return
	}
	var planned *Event
	if at < len(r.node) {
		planned = &r.g.Events[r.node[at]]
	}
	ev := r.describe(e, planned)
	switch {
	case r.fit.why != "":
	case planned == nil:
		r.steps = append(r.steps, 0)
		r.enter(r.g.Add(ev), at)
	case !same(&ev, planned):
		panic(explore.Mismatch{Depth: at, Want: fmt.Sprintf("event %+v", *planned),
			Got: fmt.Sprintf("%+v", ev)})
	default:
		r.enter(r.node[at], at)
	}
}

func same(a, b *Event) bool {
	return a.Proc == b.Proc && a.Kind == b.Kind && a.Chan == b.Chan && a.Case == b.Case &&
		a.From == b.From
}

// describe makes an event of g. planned is the expected event; nil for a new event, whose channels
// may be new, too.
func (r *run) describe(e *trace.Event, planned *Event) Event {
	ev := Event{Proc: r.procs[e.Proc], Chan: -1, From: -1}
	want := Event{Chan: -1}
	if planned != nil {
		want = *planned
	}
	switch e.Kind {
	case trace.Yield:
	case trace.Log, trace.End:
		ev.Kind, ev.Chan = Send, r.logs(e.Proc, want.Chan)
	case trace.Send:
		ev.Kind, ev.Chan = Send, r.channel(e.Obj, e.Cap, want.Chan)
		r.used(int(e.Seq) != len(r.queues[ev.Chan].sends))
	case trace.Close:
		ev.Kind, ev.Chan = Close, r.channel(e.Obj, e.Cap, want.Chan)
	default:
		ev.Kind, ev.Case, ev.Cases = Receive, e.Case, r.cases(&e.Op, want.Cases)
		ev.Chan = ev.Cases[e.Case]
		ev.From = r.source(e, &r.queues[ev.Chan])
	}
	return ev
}

// logs returns the log. want is the log's number if nobody has logged yet, -1 if it is new.
func (r *run) logs(proc, want int32) int32 {
	if r.log < 0 {
		r.log, r.logger = r.numbered(want, unbounded), proc
	}
	if r.logger != proc {
		r.logger = -1
	}
	return r.log
}

// channel returns the channel that is object obj. want is its number if that is not known yet, -1
// if it is new.
func (r *run) channel(obj, room, want int32) int32 {
	if obj < 0 {
		return -1
	}
	for len(r.chans) <= int(obj) {
		r.chans = append(r.chans, -1)
	}
	if r.chans[obj] < 0 {
		r.chans[obj] = r.numbered(want, room)
	}
	return r.chans[obj]
}

// numbered returns channel c, or a new one if that is -1.
func (r *run) numbered(c, room int32) int32 {
	if c < 0 {
		c = r.g.Chans
		r.g.Chans++
		r.newQueue()
	}
	r.queues[c].room = room
	return c
}

// cases are the channels that op, a receive or a select of receives, waits for. want is as in
// channel.
func (r *run) cases(op *trace.Op, want []int32) []int32 {
	if want != nil && len(want) != max(1, len(op.Cases)) {
		want = nil // it is something else than planned
	}
	number := func(i int, obj, room int32) int32 {
		if want == nil {
			return r.channel(obj, room, -1)
		}
		return r.channel(obj, room, want[i])
	}
	if op.Kind == trace.Recv {
		return []int32{number(0, op.Obj, op.Cap)}
	}
	list := make([]int32, len(op.Cases))
	for i, c := range op.Cases {
		list[i] = number(i, c.Obj, c.Cap)
	}
	return list
}

// source returns the event whose value e receives.
func (r *run) source(e *trace.Event, q *queue) int32 {
	switch {
	case e.Closed:
		r.used(q.closed < 0)
		return q.closed
	case int(e.Seq) != q.received, q.received >= len(q.sends):
		r.used(true)
		return -1
	}
	return q.sends[q.received]
}

// used notes that a channel has been used before the execution, if so.
func (r *run) used(yes bool) {
	if yes {
		r.fit.refuse(r.seen-1, "a channel has been used before the test began")
	}
}

// enter does event n of g, which is step at of the execution, on its channel.
func (r *run) enter(n int32, at int) {
	r.steps[n] = int32(at)
	e := &r.g.Events[n]
	if e.Chan < 0 {
		return
	}
	switch q := &r.queues[e.Chan]; e.Kind {
	case Send:
		q.sends = append(q.sends, n)
	case Close:
		q.closed = n
	case Receive:
		if r.g.Events[e.From].Kind == Send {
			q.received++
		}
	}
}

// choose makes the next choice: the planned event, or else the event that graph.player.next would
// take.
func (r *run) choose(s *trace.State) int {
	if r.seen < len(r.node) {
		return r.follow(s)
	}
	best, place := -1, int32(math.MaxInt32)
	for i, a := range s.Alts {
		op := s.Procs[a.Proc]
		if unfit(op, a) != "" {
			return i // where it is seen, the search ends
		}
		at := r.place[r.procs[a.Proc]]
		if op.Kind == trace.Recv || op.Kind == trace.Select {
			at += int32(len(r.place))
		}
		if at < place {
			best, place = i, at
		}
	}
	return best
}

// follow chooses what is planned.
func (r *run) follow(s *trace.State) int {
	e := &r.g.Events[r.node[r.seen]]
	proc := r.number[e.Proc]
	for i, a := range s.Alts {
		if a.Proc == proc && a.Case == e.Case && a.Partner < 0 {
			return i
		}
	}
	if proc >= 0 && s.Procs[proc] != nil && s.Procs[proc].Kind == trace.Send {
		r.fit.refuseOf(proc, full)
		return -1
	}
	panic(explore.Mismatch{Depth: s.Depth, Want: fmt.Sprintf("process %d does event %+v", proc, *e),
		Got: fmt.Sprint(s.Alts)})
}

// readLog has the log read, if several processes have written to it.
func (r *run) readLog() {
	p, ok := r.g.Find(reader)
	switch {
	case r.log < 0 || r.logger >= 0 && !ok:
		return
	case !ok:
		p = r.g.AddProc(reader)
	}
	read := 0
	for i := range r.g.Events {
		if r.g.Events[i].Proc == p {
			read++
		}
	}
	for _, n := range r.queues[r.log].sends[read:] {
		r.g.Add(Event{Proc: p, Kind: Receive, Chan: r.log, Cases: []int32{r.log}, From: n})
	}
}
