package depend_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var programs = flag.Int("programs", 500, "random programs")

type random struct{ *rand.Rand }

func (r random) Choose(s *trace.State) int { return r.IntN(len(s.Alts)) }

// each runs f on random executions of random programs that do not crash.
func each(t *testing.T, f func(m *micro.Machine, x *trace.Execution, text string)) {
	for n := range uint64(*programs) {
		r := rand.New(rand.NewPCG(n, 3))
		text := micro.Random(r)
		m := micro.New(micro.Parse(text))
		for range 5 {
			if x := m.Execute(random{r}, false); x.End == trace.Quiet {
				f(m, x, text)
			}
		}
		if t.Failed() {
			t.Fatalf("program %d:\n%s", n, text)
		}
	}
}

func orderOf(x *trace.Execution) *depend.Order {
	o := &depend.Order{}
	for range x.Events {
		o.Add(x)
	}
	return o
}

// closure is happens-before by definition: the transitive closure of dependence along the
// execution, and of birth.
func closure(x *trace.Execution) [][]bool {
	before := make([][]bool, len(x.Events))
	for k := range x.Events {
		before[k] = make([]bool, len(x.Events))
		for i := k - 1; i >= 0; i-- {
			direct, _ := depend.Dependent(&x.Events[i], &x.Events[k])
			for q := range x.Procs {
				born := int(x.Procs[q].Born) - 1
				direct = direct || i == born && x.Events[k].Involves(int32(q))
			}
			if direct {
				before[k][i] = true
				for j, b := range before[i] {
					before[k][j] = before[k][j] || b
				}
			}
		}
	}
	return before
}

func TestOrderIsTheClosureOfDependence(t *testing.T) {
	each(t, func(_ *micro.Machine, x *trace.Execution, _ string) {
		o := orderOf(x)
		for k, row := range closure(x) {
			for i := range k {
				if got := o.Before(int32(i), int32(k)); got != row[i] {
					t.Errorf("event %d before %d: %v, want %v: %+v, %+v", i, k, got, row[i],
						x.Events[i],
						x.Events[k])
				}
			}
		}
	})
}

func TestRewind(t *testing.T) {
	each(t, func(_ *micro.Machine, x *trace.Execution, _ string) {
		o := orderOf(x)
		for n := range x.Events {
			o.Rewind(n)
			for o.Len() < len(x.Events) {
				o.Add(x)
			}
			if o.Hash() != orderOf(x).Hash() {
				t.Fatalf("rewinding to %d changes the hash", n)
			}
		}
	})
}

// TestIndependentStepsCommute swaps neighbours: if they are independent, that is possible and
// changes nothing.
func TestIndependentStepsCommute(t *testing.T) {
	swaps := 0
	each(t, func(m *micro.Machine, x *trace.Execution, _ string) {
		hash, observed, choices := orderOf(x).Hash(), m.Observed(), explore.Choices(x)
		var free []int
		for k := range len(x.Events) - 1 {
			if !orderOf(x).Before(int32(k), int32(k+1)) {
				free = append(free, k)
			}
		}
		for _, k := range free {
			swaps++
			choices[k], choices[k+1] = choices[k+1], choices[k]
			c := &explore.Script{Alts: choices}
			y := m.Execute(c, false)
			if c.Missed > 0 || m.Observed() != observed || orderOf(y).Hash() != hash {
				t.Errorf("swapping %d and the next: missed %d, observed %s, want %s", k, c.Missed,
					m.Observed(),
					observed)
			}
			choices[k], choices[k+1] = choices[k+1], choices[k]
		}
	})
	t.Logf("%d swaps", swaps)
}

// TestDependentStepsDoNotCommute swaps neighbours that are dependent: if that is possible, it is
// another trace.
func TestDependentStepsDoNotCommute(t *testing.T) {
	each(t, func(m *micro.Machine, x *trace.Execution, _ string) {
		hash, choices, o := orderOf(x).Hash(), explore.Choices(x), orderOf(x)
		for k := range len(choices) - 1 {
			a, b := choices[k], choices[k+1]
			if !o.Before(int32(k), int32(k+1)) || b.Involves(a.Proc) ||
				a.Partner >= 0 && b.Involves(a.Partner) {
				continue
			}
			choices[k], choices[k+1] = choices[k+1], choices[k]
			c := &explore.Script{Alts: choices}
			if y := m.Execute(c, false); c.Missed == 0 && orderOf(y).Hash() == hash {
				t.Errorf("swapping %d and the next gives the same hash", k)
			}
			choices[k], choices[k+1] = choices[k+1], choices[k]
		}
	})
}

// TestLong goes past the events that an Order keeps bits of.
func TestLong(t *testing.T) {
	x := &trace.Execution{Procs: []trace.Proc{{Path: "0"}, {Path: "0.0"}}}
	for i := range int32(depend.MaxEvents + 100) {
		x.Events = append(x.Events,
			trace.Event{Alt: trace.Alt{Proc: i & 1, Partner: -1}, Kind: trace.Yield, Obj: -1})
	}
	o := orderOf(x)
	long := o.Hash()
	if !o.Before(0, 2) || o.Before(0, 3) {
		t.Error("program order is lost")
	}
	o.Rewind(10)
	for o.Len() < len(x.Events) {
		o.Add(x)
	}
	if o.Hash() != long {
		t.Error("rewinding changes the hash")
	}
}

// TestEveryPairIsDecided: no pair of effects of one object is dependent only for want of a rule.
func TestEveryPairIsDecided(t *testing.T) {
	for _, p := range depend.Undecided() {
		t.Error(p)
	}
}

// TestImmediate: the immediate predecessors are the least set whose past is all of the past.
func TestImmediate(t *testing.T) {
	each(t, func(_ *micro.Machine, x *trace.Execution, _ string) {
		o := orderOf(x)
		for k := range int32(len(x.Events)) {
			got := map[int32]bool{}
			for _, p := range o.Immediate(nil, k) {
				got[p] = true
			}
			for i := range k {
				between := false
				for j := i + 1; j < k; j++ {
					between = between || o.Before(i, j) && o.Before(j, k)
				}
				if want := o.Before(i, k) && !between; got[i] != want {
					t.Fatalf("event %d immediately before %d: %v, want %v", i, k, got[i], want)
				}
			}
		}
	})
}
