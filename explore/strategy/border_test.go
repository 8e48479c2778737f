package strategy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	border "github.com/rehearse-go/rehearse/explore/whole"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestBorder compares the search over whole steps with exhaustive search over whole steps, on
// random programs some of whose processes and statements are inner, a quarter of -programs of each
// kind. It attacks Lemma W2; objects have the same numbers in all executions here.
func TestBorder(t *testing.T) {
	kinds := map[string]func(*rand.Rand) string{
		"random": micro.Random, "streams": micro.RandomStreams, "crashes": micro.RandomCrashes,
		"roomy": micro.RandomRoomy, "keyed": func(r *rand.Rand) string {
			return micro.RandomKeyed(r, true)
		},
		"twins": func(r *rand.Rand) string { return micro.RandomTwins(r, "") },
	}
	for kind, random := range kinds {
		lost, all, run, blocked := 0, 0, 0, 0
		for n := *firstOne; n < *firstOne+uint64(*programs/4); n++ {
			r := rand.New(rand.NewPCG(n, 45))
			text := micro.Bordered(r, random(r))
			m := micro.New(micro.Parse(text))
			want := exploredBy(m, exhaustive.New(), *largest/4)
			if !want.complete {
				continue
			}
			got := exploredBy(m, border.New(), *largest)
			all, run, blocked = all+1, run+got.executions, blocked+got.blocked
			why := outcomesFault(got.unnamed, want.unnamed) // processes are numbered as they begin
			if !got.complete {
				why = "incomplete: " + got.partial
			}
			if why == "" {
				continue
			}
			if lost++; lost <= *keepGoing {
				t.Errorf("%s, program %d: %s\n%s", kind, n, why, text)
			}
		}
		t.Logf("%s: %d programs, %d executions, %d blocked, %d at fault", kind, all, run, blocked,
			lost)
		if all < *programs/8 {
			t.Errorf("%s: only %d programs are compared", kind, all)
		}
	}
}
