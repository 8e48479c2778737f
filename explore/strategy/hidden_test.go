package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The brute-force check of hidden choices: random programs that draw numbers, iterate over maps and
// communicate, under the controlled runtime, by dpor and exhaustively.

// chanceProgram is one run of such a program.
type chanceProgram struct {
	ch   [2]chan int
	n    atomic.Int32
	seen []string
}

// randomChances makes the steps of the processes. step.op is a number of chanceProgram.do, below
// kinds.
func randomChances(r *rand.Rand, kinds int) [][]step {
	procs := make([][]step, 2+r.IntN(2))
	for i := range procs {
		for range 1 + r.IntN(3) {
			procs[i] = append(procs[i], step{r.IntN(kinds), r.IntN(2), 2 + r.IntN(2)})
		}
	}
	return procs
}

func (c *chanceProgram) run(i int, steps []step) {
	for _, st := range steps {
		c.seen[i] += " " + c.do(st)
	}
	c.seen[i] += "."
}

func (c *chanceProgram) do(st step) string {
	switch st.op {
	case 0:
		hook.Send(c.ch[st.obj]).V(st.v)
	case 1:
		return fmt.Sprint(hook.Recv(c.ch[st.obj]))
	case 2:
		if gate.Draw(uint64(st.v), 1) == 0 { // what is drawn decides what is done
			return "0" + fmt.Sprint(hook.AtInt32(&c.n).Load())
		}
	case 3:
		return fmt.Sprint(hook.AtInt32(&c.n).Add(int32(gate.Draw(uint64(st.v), 1))))
	case 4:
		return fmt.Sprint(gate.Draw(1000, 500))
	case 5:
		return c.iterate(map[int]int{1: 1, 2: 2, 3: 3}, st.v)
	case 6:
		for it := hook.Range(map[int]int{0: 1, 1: 1}); it.Next(); {
			hook.Send(c.ch[it.K]).V(it.K)
		}
	case 7:
		return fmt.Sprint(hook.AtInt32(&c.n).Load())
	case 8:
		if gate.Fault(gate.FaultRefuse) {
			return "!" + fmt.Sprint(hook.AtInt32(&c.n).Add(1))
		}
	case 9:
		if gate.Fault(gate.FaultRefuse) {
			hook.Select(true, hook.S(c.ch[st.obj]).Case(st.v))
			return "!"
		}
	case 10: // a fault that there is in some orders only
		if n := hook.AtInt32(&c.n).Load(); n > 0 {
			return fmt.Sprint(n, gate.Fault(gate.FaultRefuse))
		}
	case 11:
		if library.Fault("a", "b") == 2 {
			return "b" + fmt.Sprint(hook.Recv(c.ch[st.obj]))
		}
	}
	return ""
}

// iterate changes a map while it ranges over it.
func (c *chanceProgram) iterate(m map[int]int, v int) (seen string) {
	for it := hook.Range(m); it.Next(); {
		seen += fmt.Sprint(it.K)
		delete(m, v)
		m[v+it.K] = 1
		if len(seen) == 2 {
			return seen + fmt.Sprint(hook.AtInt32(&c.n).Load())
		}
	}
	return seen
}

// exploreChances returns the outcomes and the traces that a strategy sees, or nil if they are too
// many.
func exploreChances(procs [][]step, most int, s explore.Strategy) (outcomes map[string]bool,
	traces map[uint64]bool) {
	var now *chanceProgram
	ex := executor.New(gate.Test{Name: "Test", Run: func(gate.TB) {
		now = &chanceProgram{seen: make([]string, len(procs))}
		now.ch = [2]chan int{hook.Made(make(chan int)), hook.Made(make(chan int, 1))}
		for i := range procs {
			hook.Go("process", func() { now.run(i, procs[i]) })
		}
	}}, world.Config{Rand: true, Maps: true, Faults: gate.FaultRefuse, MaxFaults: most})
	return seenAll(ex, s, 2000, func() string { return fmt.Sprint(now.seen) })
}

func TestChances(t *testing.T) { compareChances(t, 8, 0) }

// TestFaults has programs in which one thing may go wrong, or two things.
func TestFaults(t *testing.T) {
	t.Run("one", func(t *testing.T) { compareChances(t, 12, 1) })
	t.Run("two", func(t *testing.T) { compareChances(t, 12, 2) })
}

var chances = flag.Int("chances", 30,
	"random programs of TestChances, and of each part of TestFaults")

func compareChances(t *testing.T, kinds, faults int) {
	compared, most := 0, 0
	for n := range uint64(*chances) {
		procs := randomChances(rand.New(rand.NewPCG(n, 9)), kinds)
		want, wantTraces := exploreChances(procs, faults, exhaustive.New())
		if want == nil {
			continue
		}
		compared++
		most = max(most, len(wantTraces))
		optimal := &tallied{Strategy: optimal.New()}
		for _, s := range []explore.Strategy{dpor.New(true), dpor.New(false), optimal, pop.New()} {
			got, gotTraces := exploreChances(procs, faults, s)
			if len(missing(want, got)) > 0 || len(missing(got, want)) > 0 {
				t.Fatalf("program %d: %v:\noutcomes %v,\nwant %v", n, procs, keys(got), keys(want))
			}
			if len(gotTraces) != len(wantTraces) {
				t.Fatalf("program %d: %v:\n%d traces, want %d", n, procs, len(gotTraces),
					len(wantTraces))
			}
		}
		if optimal.n != len(wantTraces) {
			t.Errorf("program %d: %v: %d executions of %d traces", n, procs, optimal.n,
				len(wantTraces))
		}
	}
	t.Logf("%d programs, up to %d traces", compared, most)
}
