package strategy_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// TestDelayOfTraces attacks the lemmas of package delay: for each trace of random programs, it
// compares the earliest order with all executions of the trace.
//
//   - The earliest order is an execution of the trace.
//   - Its delay is no more than all hold-ups of any execution of the trace together; so no more
//     than that of one goroutine, where an execution holds up only one.
func TestDelayOfTraces(t *testing.T) {
	compared, traces, late, larger := 0, 0, 0, 0
	for seed := range uint64(*timedPrograms) {
		p := randomTimed(rand.New(rand.NewPCG(seed, 11)))
		found := tracesOf(p, 3000)
		if found == nil {
			continue
		}
		compared++
		for _, f := range found {
			traces++
			x, d := f.again()
			if hashOf(x) != f.hash {
				t.Fatalf("seed %d: %v\nthe earliest order is none of the trace", seed, p)
			}
			if d.Least > f.sum {
				t.Fatalf(
					"seed %d: %v\nthe trace takes %v, and holding up goroutines for %v in all does it",
					seed, p, d.Least, f.sum)
			}
			if d.Least > 0 {
				late++
			}
			if f.most > d.Least {
				larger++
			}
		}
	}
	t.Logf("%d programs, %d traces, %d of them need a delay; other executions of %d need more",
		compared, traces, late, larger)
	if late == 0 || larger == 0 {
		t.Error("the programs show nothing")
	}
}

// timedTrace is what is known of a trace from all its executions.
type timedTrace struct {
	hash     uint64
	earliest []trace.Alt
	// the least that all goroutines together are held up for, of all executions
	sum  time.Duration
	most time.Duration // the largest delay of an execution
	ex   *explore.Measured
}

// again runs the earliest order.
func (f *timedTrace) again() (*trace.Execution, delay.Delay) {
	x := f.ex.Execute(&explore.Script{Alts: f.earliest}, false)
	return x, f.ex.Delay(x)
}

// tracesOf runs all executions of p; nil if there are more than most.
func tracesOf(p timedProgram, most int) map[uint64]*timedTrace {
	ex := &explore.Measured{Executor: p.controlled(world.Clock{Early: -1}, func(func() string) {})}
	found, s := map[uint64]*timedTrace{}, exhaustive.New()
	for n := 0; s.Begin(); n++ {
		if n == most {
			return nil
		}
		x := ex.Execute(s, false)
		s.End(x)
		if x.End == trace.Cut {
			continue
		}
		h, d, sum := hashOf(x), ex.Delay(x), time.Duration(0)
		for _, hold := range d.Holds {
			sum += hold.For
		}
		f := found[h]
		if f == nil {
			f = &timedTrace{hash: h, earliest: ex.Earliest(x), sum: sum, ex: ex}
			found[h] = f
		}
		f.sum, f.most = min(f.sum, sum), max(f.most, d.Least)
	}
	return found
}
