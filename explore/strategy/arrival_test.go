package strategy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestArrival: in random programs that sleep, and look for partners without waiting, the outcomes
// of the executions that are possible are those of the orders in which no select misses a process
// that has come to rest; each strategy finds all of them; and plain Go does nothing else.
func TestArrival(t *testing.T) {
	compared, outcomes, out, begun, cut, base := 0, 0, 0, 0, 0, 0
	for seed := range uint64(max(*timedPrograms, 40)) { // few of fewer tell anything
		p := randomArrivals(rand.New(rand.NewPCG(seed, 11)))
		if seed%2 > 0 {
			p = randomLeaves(rand.New(rand.NewPCG(seed, 11)))
		}
		want, traces := newArrivals(exhaustive.New(), inOrder), map[string]int{}
		if !p.exploredAs(want).Complete {
			continue
		}
		compared++
		outcomes += len(want.real)
		out += want.out
		for name, s := range map[string]explore.Strategy{
			"exhaustive": exhaustive.New(), "dpor": dpor.New(true), "optimal": optimal.New(),
		} {
			got := newArrivals(s, func(x *trace.Execution) bool { return !explore.Impossible(x) })
			r := p.exploredAs(got)
			if !r.Complete || !slices.Equal(keysOf(want.real), keysOf(got.real)) {
				t.Fatalf("seed %d: %v: %s (%s)\nmissed:\n%s\ntoo much:\n%s", seed, p, name,
					r.Reason,
					notIn(want.real, got.real), notIn(got.real, want.real))
			}
			traces[name] = len(got.hashes)
			if name == "optimal" {
				base += r.Blocked
			}
		}
		for name, s := range map[string]explore.Strategy{
			"exhaustive": exhaustive.New(), "dpor": dpor.New(true), "optimal": optimal.New(),
		} {
			got := newArrivals(s, inOrder)
			got.arrives = true
			r := p.exploredAs(got)
			if !r.Complete || got.out > 0 || !slices.Equal(keysOf(want.real), keysOf(got.real)) ||
				len(got.hashes) != traces[name] {
				t.Fatalf("seed %d: %v: %s where nobody misses who rests (%s), %d traces for %d, "+
					"%d impossible\nmissed:\n%s\ntoo much:\n%s", seed, p, name, r.Reason,
					len(got.hashes), traces[name], got.out, notIn(want.real, got.real),
					notIn(got.real, want.real))
			}
			if name == "optimal" {
				cut += r.Blocked
				begun += r.Executions + r.Blocked
			}
		}
		for n := range 5 {
			if got := p.asPlainGo(t, timedJitter(uint64(n))); !want.real[got] {
				t.Fatalf("seed %d: %v\nplain Go did what no order does:\n%s\nall:\n%s", seed,
					p, got,
					strings.Join(keysOf(want.real), "\n"))
			}
		}
	}
	t.Logf("%d programs compared, %d outcomes; %d executions were left out; of optimal's %d "+
		"where nobody misses who rests, %d were cut off, and %d where they may", compared, outcomes,
		out, begun, cut, base)
	if out == 0 {
		t.Error("nothing is tested")
	}
}

func randomArrivals(r *rand.Rand) timedProgram {
	words := []string{"sleep", "send", "take", "offer", "offer", "glance", "glance", "either"}
	var p timedProgram
	for range 3 {
		var ops []timedOp
		for range 1 + r.IntN(3) {
			ops = append(ops, timedOp{words[r.IntN(len(words))], 0, time.Duration(1 + r.IntN(2)),
				max(0, r.IntN(4)-2)})
		}
		p = append(p, ops)
	}
	return p
}

// randomLeaves makes programs in which a process rests at two channels. One select looks at the
// first of these without waiting, and goes on to what is in a race with a step before the send into
// the other one.
func randomLeaves(r *rand.Rand) timedProgram {
	op := func(words string, chans ...int) timedOp {
		list := strings.Fields(words)
		return timedOp{list[r.IntN(len(list))], 0, time.Duration(1 + r.IntN(2)),
			chans[r.IntN(len(chans))]}
	}
	late := timedOp{"sleep", 0, 1, 0}
	p := timedProgram{{op("meet meet take", 0)},
		{late, op("send offer glance", 1), op("send", 0, 2, 2)},
		{late, op("offer", 0), op("send offer glance", 1)}}
	switch r.IntN(4) {
	case 0:
		p[0] = append(p[0], op("take send meet", 0, 2))
	case 1:
		p = append(p, []timedOp{late, op("send offer glance take", 0, 1, 2)})
	case 2:
		p = append(p, []timedOp{op("meet take send", 0, 2)})
	}
	return p
}

// arrivals is a strategy of which the outcomes of the real executions are kept.
type arrivals struct {
	explore.Strategy
	real    map[string]bool
	hashes  map[uint64]bool // of the traces of the real executions
	order   depend.Order
	arrives bool // the program is one in which nobody misses who rests
	out     int  // executions that are not real
	isReal  func(*trace.Execution) bool
	outcome func() string
}

func newArrivals(s explore.Strategy, isReal func(*trace.Execution) bool) *arrivals {
	return &arrivals{Strategy: s, isReal: isReal, real: map[string]bool{},
		hashes: map[uint64]bool{}}
}

func (a *arrivals) End(x *trace.Execution) {
	switch {
	case x.End == trace.Cut:
	case a.isReal(x):
		a.real[a.outcome()] = true
		a.order.Rewind(0)
		for range x.Events {
			a.order.Add(x)
		}
		a.hashes[a.order.Hash()] = true
	default:
		a.out++
	}
	a.Strategy.End(x)
}

// inOrder reports whether no select of x takes default, at that very time, beside a partner that
// rests.
func inOrder(x *trace.Execution) bool {
	rests := map[int32]bool{}
	for k := range x.Events {
		e := &x.Events[k]
		if depend.IsBarrier(e) {
			for p := range x.Procs {
				rests[int32(p)] = int(x.Procs[p].Born) <= k
			}
		}
		delete(rests, e.Proc)
		delete(rests, e.Partner)
		for p := range rests {
			if rests[p] && e.Kind == trace.Default && restsAt(x, p, k, e.Op.Cases[0]) {
				return false
			}
		}
	}
	return true
}

// restsAt reports whether p waits, at event k, for the other side of a rendezvous.
func restsAt(x *trace.Execution, p int32, k int, c trace.Case) bool {
	op := x.Procs[p].Pending
	if x.Procs[p].Ended {
		op = trace.Op{}
	}
	if i := slices.IndexFunc(x.Events[k:],
		func(e trace.Event) bool { return e.Involves(p) }); i >= 0 {
		e := &x.Events[k+i]
		if op = e.Op; e.Partner == p {
			op = e.PartnerOp
		}
	}
	waits := op.Cases
	if op.Kind != trace.Select {
		waits = []trace.Case{{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}}
	}
	return c.Cap == 0 && slices.ContainsFunc(waits, func(w trace.Case) bool {
		return w.Obj == c.Obj && w.Cap == 0 && w.Kind != c.Kind &&
			(w.Kind == trace.Send || w.Kind == trace.Recv)
	})
}
