package depend_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// eachOf is each for programs that a generator makes.
func eachOf(t *testing.T, seed uint64, make func(r *rand.Rand) string,
	f func(m *micro.Machine, x *trace.Execution)) {
	for n := range uint64(*programs) {
		r := rand.New(rand.NewPCG(n, seed))
		text := make(r)
		m := micro.New(micro.Parse(text))
		for range 5 {
			if x := m.Execute(random{r}, false); x.End == trace.Quiet {
				f(m, x)
			}
		}
		if t.Failed() {
			t.Fatalf("program %d:\n%s", n, text)
		}
	}
}

// TestKeyedOrder: happens-before is the closure of dependence, and neighbours that are independent
// by their keys or values can change places, which changes nothing that is seen.
func TestKeyedOrder(t *testing.T) {
	swaps(t, 42, func(r *rand.Rand) string { return micro.RandomKeyed(r, true) })
}

// TestStreamOrder is TestKeyedOrder for connections and addresses.
func TestStreamOrder(t *testing.T) { swaps(t, 43, micro.RandomStreams) }

func swaps(t *testing.T, seed uint64, make func(r *rand.Rand) string) {
	swaps := 0
	eachOf(t, seed, make, func(m *micro.Machine, x *trace.Execution) {
		o, choices, observed := orderOf(x), explore.Choices(x), m.Observed()
		for k, row := range closure(x) {
			for i := range k {
				if got := o.Before(int32(i), int32(k)); got != row[i] {
					t.Errorf("event %d before %d: %v, want %v: %+v, %+v", i, k, got, row[i],
						x.Events[i],
						x.Events[k])
				}
			}
		}
		hash := o.Hash()
		var free []int
		for k := range len(x.Events) - 1 {
			if !o.Before(int32(k), int32(k+1)) {
				free = append(free, k)
			}
		}
		for _, k := range free {
			swaps++
			choices[k], choices[k+1] = choices[k+1], choices[k]
			c := &explore.Script{Alts: choices}
			if y := m.Execute(c, false); c.Missed > 0 || m.Observed() != observed ||
				orderOf(y).Hash() != hash {
				t.Errorf("swapping %d and the next: missed %d, observed %s, want %s", k, c.Missed,
					m.Observed(),
					observed)
			}
			choices[k], choices[k+1] = choices[k+1], choices[k]
		}
	})
	if swaps == 0 {
		t.Error("nothing was swapped")
	}
}
