package executor

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The differential test: random programs over channels run many times as plain Go (the hooks fall
// back to the plain operations when no execution runs) and once under every order of their steps.
// Whatever plain Go did, some order must have done, too.
var (
	programs   = flag.Int("programs", 150, "random programs of the differential test")
	nativeRuns = flag.Int("native", 60, "plain runs of each program")
)

// op is one operation of a random program.
type op struct {
	kind     trace.Kind
	ch, v    int
	cases    []op
	fallback bool // of a select: it has a default branch
	reflects bool // it is done by package reflect
}

// random program: processes, each a list of operations, over channels of the given capacities.
type randomProgram struct {
	caps  []int
	procs [][]op
}

func newProgram(r *rand.Rand) randomProgram {
	var p randomProgram
	for range 1 + r.IntN(2) {
		p.caps = append(p.caps, r.IntN(3))
	}
	v := 0
	for range 2 + r.IntN(2) {
		var ops []op
		for range 1 + r.IntN(3) {
			v++
			ops = append(ops, newOp(r, len(p.caps), v))
		}
		p.procs = append(p.procs, ops)
	}
	return p
}

func newOp(r *rand.Rand, chans, v int) op {
	o := op{ch: r.IntN(chans), v: v, reflects: r.IntN(3) == 0}
	switch n := r.IntN(20); {
	case n < 6:
		o.kind = trace.Send
	case n < 12:
		o.kind = trace.Recv
	case n < 13:
		o.kind = trace.Close
	case n < 14:
		o.kind = trace.Len
	default:
		o.kind, o.fallback = trace.Select, r.IntN(2) == 0
		for range 1 + r.IntN(2) {
			c := op{kind: trace.Send, ch: r.IntN(chans), v: v}
			if r.IntN(2) == 0 {
				c.kind = trace.Recv
			}
			o.cases = append(o.cases, c)
		}
	}
	return o
}

// run is one run of a random program: its channels, and what each process has seen.
type run struct {
	randomProgram
	chans []chan int
	seen  []strings.Builder
	done  []bool
	stop  atomic.Bool // plain runs: processes that are released at the end do no more
}

func (p randomProgram) start(jitter func()) *run {
	r := &run{randomProgram: p, seen: make([]strings.Builder, len(p.procs)),
		done: make([]bool, len(p.procs))}
	for _, n := range p.caps {
		r.chans = append(r.chans, hook.Made(make(chan int, n)))
	}
	for i := range p.procs {
		hook.Go("process", func() { r.process(i, jitter) })
	}
	return r
}

func (r *run) process(i int, jitter func()) {
	defer func() {
		if e := recover(); e != nil && !r.stop.Load() {
			fmt.Fprint(&r.seen[i], e)
			r.done[i] = true
		}
	}()
	for _, o := range r.procs[i] {
		jitter()
		s := r.do(o)
		if r.stop.Load() {
			return
		}
		r.seen[i].WriteString(s + " ")
	}
	r.done[i] = true
}

func (r *run) do(o op) string {
	if o.reflects {
		return r.byReflection(o)
	}
	switch o.kind {
	case trace.Send:
		hook.Send(r.chans[o.ch]).V(o.v)
	case trace.Recv:
		return fmt.Sprint(hook.Recv2(r.chans[o.ch]))
	case trace.Close:
		hook.Close(r.chans[o.ch])
	case trace.Len:
		return fmt.Sprint(hook.Len(r.chans[o.ch]))
	case trace.Select:
		return r.doSelect(o)
	}
	return "."
}

func (r *run) doSelect(o op) string {
	var cases []hook.Case
	for _, c := range o.cases {
		if c.kind == trace.Send {
			cases = append(cases, hook.S(r.chans[c.ch]).Case(c.v))
		} else {
			cases = append(cases, hook.R(r.chans[c.ch]))
		}
	}
	i := hook.Select(o.fallback, cases...)
	if i >= 0 {
		if c, ok := cases[i].(*hook.RecvCase[int]); ok {
			return fmt.Sprint(i, c.V, c.OK)
		}
	}
	return fmt.Sprint(i)
}

func (r *run) outcome() string {
	var b strings.Builder
	for i := range r.seen {
		fmt.Fprintf(&b, "%d: %s", i, r.seen[i].String())
		if !r.done[i] {
			b.WriteString("blocked")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// native runs p as plain Go and returns what it did once no goroutine can go on.
func (p randomProgram) native(t *testing.T, jitter func()) (outcome string) {
	synctest.Test(t, func(*testing.T) {
		r := p.start(jitter)
		synctest.Wait()
		outcome = r.outcome()
		r.stop.Store(true)
		for _, ch := range r.chans {
			func() {
				defer func() { recover() }()
				close(ch)
			}()
		}
	})
	return outcome
}

// dfs is the naive search through all alternatives.
type dfs struct {
	path []int // the alternative taken at each depth
	size []int // how many there were
}

func (d *dfs) Choose(s *trace.State) int {
	if s.Depth == len(d.path) {
		d.path, d.size = append(d.path, 0), append(d.size, len(s.Alts))
	}
	return d.path[s.Depth]
}

// next goes on to the next path in depth-first order.
func (d *dfs) next() bool {
	for i := len(d.path) - 1; i >= 0; i-- {
		if d.path[i]+1 < d.size[i] {
			d.path[i]++
			d.path, d.size = d.path[:i+1], d.size[:i+1]
			return true
		}
	}
	return false
}

// explored returns all outcomes of p, or nil if there are too many executions.
func (p randomProgram) explored() map[string]bool {
	all := map[string]bool{}
	var r *run
	e := program("coroutine", func(gate.TB) { r = p.start(func() {}) })
	d := &dfs{}
	for n := 0; n == 0 || d.next(); n++ {
		if n == 20000 {
			return nil
		}
		e.Execute(d, false)
		all[r.outcome()] = true
	}
	return all
}

func TestDifferential(t *testing.T) {
	outcomes, skipped := 0, 0
	for seed := range uint64(*programs) {
		p := newProgram(rand.New(rand.NewPCG(20, seed)))
		all := p.explored()
		if all == nil {
			skipped++
			continue
		}
		outcomes += len(all)
		for n := range *nativeRuns {
			if got := p.native(t, jitter(uint64(n))); !all[got] {
				t.Fatalf("seed %d: plain Go did what no order does:\n%s\nprogram %+v\nall %v", seed,
					got, p, all)
			}
		}
	}
	t.Logf("%d programs, %d skipped as too large, %d outcomes", *programs, skipped, outcomes)
}

// jitter returns a function that yields now and then, so that plain runs differ.
func jitter(seed uint64) func() {
	var state atomic.Uint64
	state.Store(seed * 0x9e3779b97f4a7c15)
	return func() {
		for x := state.Add(0x9e3779b97f4a7c15) >> 60; x > 8; x-- {
			runtime.Gosched()
		}
	}
}
