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
	compared, outcomes, out := 0, 0, 0
	for seed := range uint64(max(*timedPrograms, 60)) { // few of fewer tell anything
		p := randomArrivals(rand.New(rand.NewPCG(seed, 11)))
		want := newArrivals(exhaustive.New(), inOrder)
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
			if r := p.exploredAs(got); !r.Complete ||
				!slices.Equal(keysOf(want.real), keysOf(got.real)) {
				t.Fatalf("seed %d: %v: %s (%s)\nmissed:\n%s\ntoo much:\n%s", seed, p, name,
					r.Reason,
					notIn(want.real, got.real), notIn(got.real, want.real))
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
	t.Logf("%d programs compared, %d outcomes; %d executions were left out", compared, outcomes,
		out)
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

// arrivals is a strategy of which the outcomes of the real executions are kept.
type arrivals struct {
	explore.Strategy
	real    map[string]bool
	out     int // executions that are not real
	isReal  func(*trace.Execution) bool
	outcome func() string
}

func newArrivals(s explore.Strategy, isReal func(*trace.Execution) bool) *arrivals {
	return &arrivals{Strategy: s, isReal: isReal, real: map[string]bool{}}
}

func (a *arrivals) End(x *trace.Execution) {
	switch {
	case x.End == trace.Cut:
	case a.isReal(x):
		a.real[a.outcome()] = true
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
