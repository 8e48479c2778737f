package traces

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/rehearse-go/rehearse/explore/record"
)

// The kinds of events of Go's execution traces, version 1.22, that are written, each with its
// arguments; internal/trace/tracev2 of the Go distribution has all. Times are differences.
const (
	evBatch           = 1  // generation, thread, time, size
	evStacks          = 2  // begins a batch of stacks
	evStack           = 3  // number, frames, of each: pc, function, file, line
	evStrings         = 4  // begins a batch of strings
	evString          = 5  // number, length, bytes
	evFrequency       = 8  // units of time in a second
	evProcStatus      = 13 // time, processor, status
	evGoCreate        = 14 // time, goroutine, its stack, the stack here
	evGoStart         = 16 // time, goroutine, sequence
	evGoDestroy       = 17 // time
	evGoBlock         = 20 // time, reason, stack
	evGoUnblock       = 21 // time, goroutine, sequence, stack
	evUserTaskBegin   = 40 // time, task, parent, name, stack
	evUserRegionBegin = 42 // time, task, name, stack
	evUserRegionEnd   = 43 // time, task, name, stack
)

const (
	goHeader  = "go 1.22 trace\x00\x00\x00"
	running   = 1          // the status of the only processor
	noThread  = ^uint64(0) // batches that belong to no thread
	theTask   = 1
	mostBatch = 60 << 10 // a reader takes 64 kB
	mostText  = 1000     // and strings of 1 kB
	mostDeep  = 100      // and stacks of 128 frames
)

// GoTrace writes Go's own execution trace, for go tool trace. There is one processor: each step is
// a region of its goroutine, as long as a millisecond, or two halves for the parties of a
// rendezvous. A goroutine that does not come next is blocked, for the reason that its next step, or
// its end, tells.
func GoTrace(w io.Writer, t *record.Trace) error {
	g := &goTrace{t: t, texts: map[string]uint64{}, at: map[frame]uint64{}, running: -1,
		seq: make([]uint64, len(t.Procs)), waits: make([]bool, len(t.Procs))}
	g.batch(evProcStatus, 0, 0, running)
	g.born(0)
	e := &t.Events
	for k := range e.Kind {
		if k > 0 {
			g.born(k)
		}
		q := e.Partner[k]
		g.party(k, e.Proc[k], t.Texts[e.Text[k]], g.stack(e.Stack, k, e.Site[k]), 0)
		if q >= 0 {
			g.party(k, q, received(t, k), g.stack(e.PartnerStack, k, e.PartnerSite[k]), perStep/2)
		}
	}
	g.block(len(e.Kind)*perStep, len(e.Kind))
	g.flush()
	return g.write(w)
}

// frame is a function at a place.
type frame struct {
	name string
	site int32
}

// goTrace is a trace that is being written.
type goTrace struct {
	t       *record.Trace
	events  bytes.Buffer // whole batches
	open    bytes.Buffer // the events of the last one
	base    int          // its time
	now     int          // of the last event, in microseconds
	running int32        // the goroutine that runs; -1: none
	seq     []uint64     // of each goroutine, how often it was started or unblocked
	waits   []bool       // it is blocked
	tasked  bool

	texts  map[string]uint64
	list   []string // those texts in order
	at     map[frame]uint64
	stacks bytes.Buffer // whole batches
	part   bytes.Buffer // the stacks of the last one
	number uint64       // of stacks
}

func number(b *bytes.Buffer, n uint64) { b.Write(binary.AppendUvarint(nil, n)) }

// batch adds an event at a time, in microseconds.
func (g *goTrace) batch(kind byte, at int, args ...uint64) {
	if g.open.Len() > mostBatch {
		g.flush()
	}
	if g.open.Len() == 0 {
		g.base, g.now = at, at
	}
	g.open.WriteByte(kind)
	number(&g.open, uint64(at-g.now))
	for _, n := range args {
		number(&g.open, n)
	}
	g.now = at
}

// flush ends a batch of events.
func (g *goTrace) flush() {
	wrap(&g.events, 0, g.base, g.open.Bytes())
	g.open.Reset()
}

// wrap writes a batch.
func wrap(to *bytes.Buffer, thread uint64, at int, data []byte) {
	to.WriteByte(evBatch)
	for _, n := range []uint64{1, thread, uint64(at) + 1, uint64(len(data))} {
		number(to, n)
	}
	to.Write(data)
}

// text is the number of a string.
func (g *goTrace) text(s string) uint64 {
	s = s[:min(len(s), mostText)]
	if g.texts[s] == 0 {
		g.list = append(g.list, s)
		g.texts[s] = uint64(len(g.list))
	}
	return g.texts[s]
}

// add adds a stack, and returns its number.
func (g *goTrace) add(calls []record.Call) uint64 {
	if len(calls) == 0 {
		return 0
	}
	calls = calls[:min(len(calls), mostDeep)]
	if g.part.Len() > mostBatch/2 {
		g.endStacks()
	}
	if g.part.Len() == 0 {
		g.part.WriteByte(evStacks)
	}
	g.number++
	g.part.WriteByte(evStack)
	number(&g.part, g.number)
	number(&g.part, uint64(len(calls)))
	for _, c := range calls {
		at := frame{c.Func, c.Site}
		if g.at[at] == 0 {
			g.at[at] = uint64(len(g.at)) + 1
		}
		file, line := "", 0
		if c.Site >= 0 {
			file, line = g.t.Sites[c.Site].File, g.t.Sites[c.Site].Line
		}
		for _, n := range []uint64{g.at[at], g.text(c.Func), g.text(file), uint64(line)} {
			number(&g.part, n)
		}
	}
	return g.number
}

func (g *goTrace) endStacks() {
	if g.part.Len() > 0 {
		wrap(&g.stacks, noThread, 0, g.part.Bytes())
		g.part.Reset()
	}
}

// stack is that of step k, or if it is not known its place alone.
func (g *goTrace) stack(column []int32, k int, site int32) uint64 {
	switch {
	case k < len(column) && column[k] >= 0:
		return g.add(g.t.Stacks[column[k]])
	case site >= 0:
		return g.add([]record.Call{{Func: g.t.Sites[site].Place, Site: site}})
	}
	return 0
}

// born starts the goroutines that exist before step k and not before the one before it. The last
// frame of a goroutine's first stack is its name in viewers.
func (g *goTrace) born(k int) {
	for p, q := range g.t.Procs {
		if int(q.Born) == k || k == 0 && q.Born < 0 {
			g.batch(evGoCreate, k*perStep, uint64(p)+1,
				g.add([]record.Call{{Func: q.Name, Site: q.Site}}), 0)
		}
	}
}

// party is what one party does in step k, some time after it has begun.
func (g *goTrace) party(k int, p int32, what string, stack uint64, after int) {
	at := k*perStep + after
	if g.running != p {
		if g.waits[p] {
			g.seq[p]++
			g.batch(evGoUnblock, at, uint64(p)+1, g.seq[p], 0)
			g.waits[p] = false
		}
		g.block(at, k+min(after, 1)) // the first party of step k has done its part
		g.seq[p]++
		g.batch(evGoStart, at, uint64(p)+1, g.seq[p])
		g.running = p
	}
	if !g.tasked {
		g.tasked = true
		g.batch(evUserTaskBegin, at, theTask, 0, g.text(g.t.Test), 0)
	}
	name := g.text(what)
	g.batch(evUserRegionBegin, at+perStep/20, theTask, name, stack)
	g.batch(evUserRegionEnd, at+perStep/2-perStep/20, theTask, name, stack)
	if int(g.t.Procs[p].Ends) == k {
		g.batch(evGoDestroy, at+perStep/2-perStep/40)
		g.running = -1
	}
}

// block blocks the goroutine that runs, until it takes part in step k or a later one.
func (g *goTrace) block(at, k int) {
	p := g.running
	if p < 0 {
		return
	}
	g.running, g.waits[p] = -1, true
	g.batch(evGoBlock, at, g.text(g.reason(p, k)), 0)
}

// reason is what a process without steps before step k waits for.
func (g *goTrace) reason(p int32, k int) string {
	e := &g.t.Events
	for ; k < len(e.Kind); k++ {
		switch {
		case e.Proc[k] == p && e.Wants[k] >= 0:
			return g.t.Texts[e.Wants[k]]
		case e.Partner[k] == p && e.PartnerWants[k] >= 0:
			return g.t.Texts[e.PartnerWants[k]]
		}
	}
	return g.t.Procs[p].Waits
}

// write writes all batches.
func (g *goTrace) write(w io.Writer) error {
	var out, texts, rate bytes.Buffer
	out.WriteString(goHeader)
	out.Write(g.events.Bytes())
	g.endStacks()
	out.Write(g.stacks.Bytes())
	for i, s := range g.list {
		if texts.Len() == 0 {
			texts.WriteByte(evStrings)
		}
		texts.WriteByte(evString)
		number(&texts, uint64(i)+1)
		number(&texts, uint64(len(s)))
		texts.WriteString(s)
		if texts.Len() > mostBatch || i == len(g.list)-1 {
			wrap(&out, noThread, 0, texts.Bytes())
			texts.Reset()
		}
	}
	rate.WriteByte(evFrequency)
	number(&rate, 1_000_000)
	wrap(&out, noThread, 0, rate.Bytes())
	_, err := w.Write(out.Bytes())
	return err
}
