// Package streams models connections, and the addresses where they are dialled and accepted: when a
// process may read and write, and with which result. Package runtime/stream has the effects of
// operations; this package has the processes that do them, the bytes, and the names.
//
// Vocabulary: see package runtime/stream. The value of a segment is its bytes, or, at an address, a
// connection.
//
// Guarantees: ports and hosts have the same numbers in all executions in which the same processes
// ask for them.
//
// LIMITS: an object belongs to one execution. Buffers have a fixed size, see stream.Bound, and no
// Read joins two segments; an execution that might have gone otherwise without these rules says so.
package streams

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Clocks knows what orders the processes of an execution.
type Clocks interface {
	On() bool                // whether there are any
	Now(p *sched.Proc) int32 // p's own time
	// whether p comes after what proc has done at that time
	Knows(p *sched.Proc, proc int32, at int32) bool
}

// The choices that are fixed.
const (
	Segments = "segments (no Read joins two Writes)"
	Buffers  = "sizes of network buffers"
)

// Object is a connection or an address.
type Object struct {
	id        int32
	medium    stream.Medium
	execution int
	state     stream.State
	queues    [2][]value
	hungry    [2]hunger
	full      bool    // a Write has had to wait for room
	joinable  [2]bool // a Read might have joined two segments, which has been noted
	tokens    [2]int64
}

// value is a segment that has not left.
type value struct {
	seq int32
	v   any
	at  int32 // how much of it has been read
	to  int32 // of an address: the listener
}

// hunger is the last Read that had room for more than it got.
type hunger struct {
	proc, at int32 // who has read, and when by its own time
	is       bool
}

// World holds the streams of one execution.
type World struct {
	s         *sched.Sched
	clocks    Clocks
	execution int
	addresses map[string]*Object
	hosts     map[string]int
	ports     map[int]bool
	asked     map[string]int // by process: how many ports it has been given
}

// New returns the streams of s's executions.
func New(s *sched.Sched, clocks Clocks) *World {
	w := &World{s: s, clocks: clocks}
	s.OnReset(w.reset)
	return w
}

// executions numbers the executions of all worlds.
var executions int

func (w *World) reset() {
	executions++
	w.execution = executions
	if len(w.addresses)+len(w.ports) > 0 || w.ports == nil {
		w.addresses, w.hosts = map[string]*Object{}, map[string]int{}
		w.ports, w.asked = map[int]bool{}, map[string]int{}
	}
}

// Make makes an object.
func (w *World) Make(medium stream.Medium, describe func() string) *Object {
	w.s.Borders()
	return &Object{id: w.s.NewObject(describe), medium: medium, execution: w.execution}
}

// At returns the object of an address.
func (w *World) At(medium stream.Medium, key string) *Object {
	o := w.addresses[key]
	if o == nil {
		o = w.Make(medium, func() string {
			return "address " + key + w.s.FirstUse()
		})
		w.s.Met()
		w.addresses[key] = o
	}
	return o
}

// Foreign reports whether o belongs to another execution.
func (w *World) Foreign(o *Object) bool { return o.execution != w.execution }

// Host numbers an IP address.
func (w *World) Host(ip string) int {
	if w.hosts[ip] == 0 {
		w.hosts[ip] = gate.HostNumber(len(w.hosts), !strings.Contains(ip, ":"))
	}
	return w.hosts[ip]
}

// The ports that Port gives: those of the first process in a row, and the others'.
const (
	firstPort = 40000
	firstRow  = 1000
	ports     = 20000
)

// Port returns p's next port. It depends on p's path and on how many p has been given.
func (w *World) Port(p *sched.Proc) int {
	n := w.asked[p.Path()]
	w.asked[p.Path()]++
	port := n
	if p.Path() != "0" || n >= firstRow {
		h := fnv.New32a()
		fmt.Fprint(h, p.Path(), n)
		port = firstRow + int(h.Sum32()%(ports-firstRow))
	}
	for w.ports[port] {
		port = (port + 1) % ports
	}
	w.ports[port] = true
	return firstPort + port
}

// Operation is the declared operation of one process; its memory is reused.
type Operation struct {
	w *World
	o *Object
	r stream.Result
}

var kinds = [...]trace.Kind{
	gate.StreamRead: trace.StreamRead, gate.StreamWrite: trace.StreamWrite,
	gate.StreamShut: trace.StreamShut, gate.StreamSet: trace.StreamSet,
	gate.StreamListen: trace.StreamListen, gate.StreamDial: trace.StreamDial,
	gate.StreamAccept: trace.StreamAccept,
}

// Do does an operation of p on an object.
func (w *World) Do(p *sched.Proc, op *Operation, o *Object, do *gate.StreamOp) {
	op.w, op.o = w, o
	code := stream.Op{
		Side: int32(do.Side), Medium: o.medium, Mode: stream.Mode(do.Mode), Host: int32(do.Host),
	}
	p.Op = trace.Op{Kind: kinds[do.Kind], Obj: o.id, Cap: code.Cap(), N: int32(do.N)}
	w.s.Do(p, op)
	do.Err, do.Got = int(op.r.Err), int(op.r.N)
	if op.r.Err != stream.OK {
		return
	}
	switch do.Kind {
	case gate.StreamWrite, gate.StreamDial:
		o.queues[do.Side] = append(o.queues[do.Side],
			value{seq: op.r.Seq, v: do.Value, to: op.r.To})
		w.written(p, o, do.Side)
	case gate.StreamShut:
		if o.medium >= stream.Address {
			o.drop(do.N, do)
		}
	case gate.StreamRead, gate.StreamAccept:
		o.take(1-do.Side, &op.r, do)
		if o.medium < stream.Address && do.N > do.Got {
			w.read(p, o, 1-do.Side)
		}
	}
}

// take finds the value of a segment that has been read.
func (o *Object) take(d int, r *stream.Result, do *gate.StreamOp) {
	q := o.queues[d]
	for i := range q {
		if v := &q[i]; v.seq == r.Seq {
			do.From, do.At = v.v, int(v.at)
			if v.at += r.N; r.Emptied {
				v.v = nil
				o.queues[d] = append(q[:i], q[i+1:]...)
			}
			return
		}
	}
}

// read notes a Read that had room for more.
func (w *World) read(p *sched.Proc, o *Object, d int) {
	switch {
	case o.joinable[d]:
	case len(o.queues[d]) > 0:
		w.joins(o, d)
	case w.clocks.On():
		o.hungry[d] = hunger{p.ID, w.clocks.Now(p) - 1, true}
	default:
		o.hungry[d] = hunger{is: true}
	}
}

// joins notes that a Read might have joined two segments.
func (w *World) joins(o *Object, d int) {
	o.joinable[d] = true
	w.s.Fix(Segments)
}

// written looks whether a Read might have joined what p has written with what it got.
func (w *World) written(p *sched.Proc, o *Object, d int) {
	h := o.hungry[d]
	if h.is && !o.joinable[d] && (!w.clocks.On() || !w.clocks.Knows(p, h.proc, h.at)) {
		w.joins(o, d)
	}
}

// drop takes the connections that nobody has accepted at an address away from its listener, which
// is closed.
func (o *Object) drop(listener int, do *gate.StreamOp) {
	var dropped []any
	q := o.queues[0][:0]
	for _, v := range o.queues[0] {
		if v.to == int32(listener) {
			dropped = append(dropped, v.v)
			continue
		}
		q = append(q, v)
	}
	o.queues[0], do.From = q, dropped
}

// Alts implements sched.Operation.
func (op *Operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	if op.o.state.Enabled(&p.Op) {
		return trace.Alone(dst, p.ID, 0)
	}
	if p.Op.Kind == trace.StreamWrite && !op.o.full {
		op.o.full = true
		op.w.s.FixAt(Buffers, "")
	}
	return dst
}

// Apply implements sched.Operation.
func (op *Operation) Apply(p *sched.Proc, ev *trace.Event) {
	op.r, _ = op.o.state.Do(&ev.Op)
	op.r.Fill(ev)
	op.o.announce(p, ev)
}

// announce tells the race detector what ev synchronises: a read comes after the write of the same
// data, and an operation that finds a change comes after that change.
func (o *Object) announce(p *sched.Proc, ev *trace.Event) {
	if !gate.Race || stream.Disturbs(&ev.Op) {
		return
	}
	d := stream.Unpack(ev.Op.Cap).Side
	if ev.Kind == trace.StreamRead || ev.Kind == trace.StreamAccept {
		p.Acquire(unsafe.Pointer(&o.tokens[1-d]))
		return
	}
	p.Acquire(unsafe.Pointer(&o.tokens[1-d]))
	p.ReleaseMerge(unsafe.Pointer(&o.tokens[d]))
	if ev.Kind != trace.StreamWrite && ev.Kind != trace.StreamDial {
		p.ReleaseMerge(unsafe.Pointer(&o.tokens[1-d]))
	}
}

// Delivers implements sched.Deliverer: a Read that its own side has not ended learns of an action
// of the other side.
func (op *Operation) Delivers(p *sched.Proc) bool {
	return p.Op.Kind == trace.StreamRead && op.o.state.Delivers(&p.Op)
}

// Sleeps implements sched.Sleeper.
func (op *Operation) Sleeps() {}
