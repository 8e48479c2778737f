package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The brute-force check of the operations that the micro language does not have: random programs
// over atomic variables, a Cond, a Pool and a Map, under the controlled runtime, by dpor and
// exhaustively.

// shared is what the processes of such a program share, and what each has seen.
type shared struct {
	vars    [2]atomic.Int32
	n       int64
	mu      [8]uint64
	cond    [8]uint64
	pool    [8]uint64
	m       [8]uint64
	entries [2]int // of m, by key; 0: there is none
	seen    []string
}

// step is one operation.
type step struct{ op, obj, v int }

const stepKinds = 14

func randomSteps(r *rand.Rand) [][]step {
	procs := make([][]step, 2+r.IntN(2))
	family := r.IntN(5) // most programs are about one kind of object
	for i := range procs {
		for range 1 + r.IntN(4) {
			op := r.IntN(stepKinds)
			switch family {
			case 0:
				op = r.IntN(7)
			case 1:
				op = 7 + r.IntN(3)
			case 2:
				op = 10 + r.IntN(2)
			case 3:
				op = 12 + r.IntN(2)
			}
			procs[i] = append(procs[i], step{op, r.IntN(2), 1 + r.IntN(3)})
		}
	}
	return procs
}

func (s *shared) run(i int, steps []step) {
	for _, st := range steps {
		s.seen[i] += " " + s.do(i, st)
	}
	s.seen[i] += "."
}

// do is a flat table of the operations.
func (s *shared) do(i int, st step) string {
	x := &s.vars[st.obj]
	switch v := int32(st.v); st.op {
	case 0:
		return fmt.Sprint(hook.AtInt32(x).Load())
	case 1:
		hook.AtInt32(x).Store(v)
	case 2:
		return fmt.Sprint(hook.AtInt32(x).Add(v))
	case 3:
		return fmt.Sprint(hook.AtInt32(x).CompareAndSwap(v-1, v))
	case 4:
		return fmt.Sprint(hook.AtInt32(x).Swap(v))
	case 5:
		return fmt.Sprint(hook.OrInt64(&s.n, int64(v)))
	case 6:
		return fmt.Sprint(hook.LoadInt64(&s.n))
	case 7:
		s.wait()
	case 8:
		gate.CondSignal(unsafe.Pointer(&s.cond))
	case 9:
		gate.CondBroadcast(unsafe.Pointer(&s.cond))
	case 10:
		return fmt.Sprint(gate.PoolGet(unsafe.Pointer(&s.pool)))
	case 11:
		gate.PoolPut(unsafe.Pointer(&s.pool), fmt.Sprint(i, st.v))
	case 12:
		return s.look(st)
	case 13:
		return s.change(i, st)
	}
	return ""
}

// look looks up a key, or all.
func (s *shared) look(st step) string {
	if st.v == 3 {
		gate.MapAccess(unsafe.Pointer(&s.m), nil, false, false)
		return fmt.Sprint(s.entries)
	}
	gate.MapAccess(unsafe.Pointer(&s.m), st.obj, true, false)
	return fmt.Sprint(s.entries[st.obj])
}

// change is Clear, Store or LoadOrStore.
func (s *shared) change(i int, st step) string {
	if st.v == 3 {
		gate.MapAccess(unsafe.Pointer(&s.m), nil, false, true)
		s.entries = [2]int{}
		return ""
	}
	gate.MapAccess(unsafe.Pointer(&s.m), st.obj, true, true)
	if there := s.entries[st.obj]; st.v == 2 && there != 0 {
		gate.MapKept()
		return fmt.Sprint(there)
	}
	s.entries[st.obj] = i + 1
	return ""
}

// wait is Cond.Wait.
func (s *shared) wait() {
	gate.MutexLock(unsafe.Pointer(&s.mu))
	n := gate.CondEnter(unsafe.Pointer(&s.cond))
	gate.MutexUnlock(unsafe.Pointer(&s.mu))
	gate.CondWait(unsafe.Pointer(&s.cond), n)
	gate.MutexLock(unsafe.Pointer(&s.mu))
	gate.MutexUnlock(unsafe.Pointer(&s.mu))
}

// exploreShared returns the outcomes and the traces that a strategy sees, or nil if they are too
// many.
func exploreShared(procs [][]step, s explore.Strategy) (outcomes map[string]bool,
	traces map[uint64]bool) {
	var now *shared
	ex := executor.New(gate.Test{Name: "Test", Run: func(gate.TB) {
		now = &shared{seen: make([]string, len(procs))}
		for i := range procs {
			hook.Go("process", func() { now.run(i, procs[i]) })
		}
	}}, world.Config{})
	return seenAll(ex, s, 30000, func() string { return fmt.Sprint(now.seen) })
}

// seenAll runs a program as s says, and returns what its processes have seen at the ends of its
// executions, and their traces; nil if there are as many as most, cut ones included.
func seenAll(ex explore.Executor, s explore.Strategy, most int,
	seen func() string) (outcomes map[string]bool, traces map[uint64]bool) {
	outcomes, traces = map[string]bool{}, map[uint64]bool{}
	var o depend.Order
	for n := 0; s.Begin(); n++ {
		if n == most {
			return nil, nil
		}
		x := ex.Execute(s, false)
		s.End(x)
		if x.End == trace.Cut {
			continue
		}
		outcomes[seen()] = true
		o.Rewind(0)
		for range x.Events {
			o.Add(x)
		}
		if d, ok := s.(*dpor.Search); ok && d.Last().Distinct && traces[o.Hash()] {
			panic("a trace was run twice")
		}
		traces[o.Hash()] = true
	}
	return outcomes, traces
}

// TestShared compares dpor and optimal with exhaustive search. If a CompareAndSwap was foreseen to
// write and does not, optimal may cut an execution off, but that is rare.
func TestShared(t *testing.T) {
	compared, vain := 0, 0
	for n := range uint64(*sharedCompared) {
		procs := randomSteps(rand.New(rand.NewPCG(n, 8)))
		want, wantTraces := exploreShared(procs, exhaustive.New())
		if want == nil {
			continue
		}
		compared++
		got, gotTraces := exploreShared(procs, dpor.New(true))
		if len(missing(want, got)) > 0 || len(missing(got, want)) > 0 {
			t.Fatalf("program %d: %v:\noutcomes %v,\nwant %v", n, procs, keys(got), keys(want))
		}
		if len(gotTraces) != len(wantTraces) {
			t.Fatalf("program %d: %v:\n%d traces, want %d", n, procs, len(gotTraces),
				len(wantTraces))
		}
		o := &tallied{Strategy: optimal.New()}
		got, gotTraces = exploreShared(procs, o)
		if len(missing(want, got)) > 0 || len(missing(got, want)) > 0 ||
			len(gotTraces) != len(wantTraces) {
			t.Fatalf("program %d, optimal: %v:\n%d traces of %d, outcomes %v,\nwant %v", n, procs,
				len(gotTraces), len(wantTraces), keys(got), keys(want))
		}
		switch {
		case o.n == len(wantTraces):
		case compares(procs):
			vain++
		default:
			t.Errorf("program %d: %v: %d executions of %d traces", n, procs, o.n, len(wantTraces))
		}
	}
	t.Logf("%d programs, %d with executions that are cut off", compared, vain)
	if vain > compared/20 {
		t.Errorf("in %d of %d programs an execution is cut off", vain, compared)
	}
}

// compares reports whether a process does a CompareAndSwap, or a LoadOrStore.
func compares(procs [][]step) bool {
	return slices.ContainsFunc(procs, func(steps []step) bool {
		return slices.ContainsFunc(steps, func(s step) bool {
			return s.op == 3 || s.op == 13 && s.v == 2
		})
	})
}

// spinner has a process that looks until another one has set a flag.
func spinner(set bool) func(gate.TB) {
	return func(gate.TB) {
		flag := new(atomic.Bool)
		if set {
			hook.Go("setter", func() { hook.AtBool(flag).Store(true) })
		}
		for !hook.AtBool(flag).Load() {
		}
	}
}

// TestSpin: a loop that waits lets others go first, and the exploration ends and says that it is
// incomplete; but one that waits for nobody is a livelock.
func TestSpin(t *testing.T) {
	explored := func(set bool) explore.Result {
		ex := executor.New(gate.Test{Name: "Test", Run: spinner(set)}, world.Config{MaxSteps: 1000})
		return explore.Run(ex, dpor.New(true), explore.Limits{}, nil)
	}
	// The flag is set before the first look, or after one, and so on.
	if r := explored(true); r.Complete || r.Executions < 10 || r.Executions > 20 ||
		len(r.Findings) != 0 {
		t.Errorf("with a setter: %+v", r)
	}
	if r := explored(false); len(r.Findings) != 1 || r.Findings[0].Kind != explore.Livelock {
		t.Errorf("without: %+v", r)
	}
}

// tallied counts executions that are neither cut off nor redundant.
type tallied struct {
	explore.Strategy
	n int
}

func (s *tallied) End(x *trace.Execution) {
	s.Strategy.End(x)
	r, ok := s.Strategy.(interface{ Repeats() bool })
	if x.End != trace.Cut && !(ok && r.Repeats()) {
		s.n++
	}
}
