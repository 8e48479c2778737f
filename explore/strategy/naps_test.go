package strategy_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/runtime/world"
)

var nappers = flag.Int("nappers", 50, "random programs of the test of naps")

// Other timers of a napper wait for more than nappersWithin, so that none of them may fire early,
// mostly. Some wait for less than all Sleeps together.
const (
	nappersWithin = 4
	nappersShared = 12
)

// randomNapper makes a program that mostly sleeps. It has one oddity at most: a reading of the
// clock, a timer that is no Sleep, or processes that wait for each other.
func randomNapper(r *rand.Rand) timedProgram {
	words := []string{"sleep", "sleep", "sleep", "sleep", "offer", "offer", "glance", "glance"}
	odd := [][]string{nil, nil, nil, {"now"}, {"send", "take"}, {"stop", "reset"}, {"start", "recv"},
		{"start", "either"}, {"start", "poll"}, {"after"}, {"ticker", "recv"}}[r.IntN(11)]
	var p timedProgram
	for range 2 + r.IntN(2) {
		var ops []timedOp
		for range 2 + r.IntN(2) {
			o := timedOp{words[r.IntN(len(words))], r.IntN(3), time.Duration(1 + r.IntN(3)),
				r.IntN(2)}
			if len(odd) > 0 && r.IntN(3) == 0 {
				o.word = odd[r.IntN(len(odd))]
			}
			if o.word != "sleep" && r.IntN(8) > 0 {
				o.d += nappersWithin
			}
			ops = append(ops, o)
		}
		p = append(p, ops)
	}
	return p
}

// TestNaps compares executions in which Sleep takes no time with those in which timers fire, early
// or when nothing else is possible.
func TestNaps(t *testing.T) {
	defer func(before time.Duration) { sharedWait = before }(sharedWait)
	sharedWait = nappersShared
	all := world.Clock{Early: -1, Within: nappersWithin}
	naps := all
	naps.Naps = true
	compared, broken, fewer := 0, 0, 0
	for seed := range uint64(*nappers) {
		p := randomNapper(rand.New(rand.NewPCG(seed, 17)))
		with, short := p.explored(optimal.New(), naps, 2000)
		if world.W.Clock.Naps.Broken == short.Complete {
			t.Fatalf("seed %d: %v\nbroken: %v, complete: %v (%s)", seed, p,
				world.W.Clock.Naps.Broken, short.Complete, short.Reason)
		}
		if !short.Complete {
			broken++
			continue
		}
		without, long := p.explored(exhaustive.New(), all, 1000)
		compared++
		if short.Executions < long.Executions {
			fewer++
		}
		if lost := notIn(without, with); lost != "" {
			t.Fatalf("seed %d: %v\n%d executions, %d with naps, lost:\n%s", seed, p,
				long.Executions, short.Executions, lost)
		}
	}
	t.Logf("%d programs compared, %d have fewer executions with naps; %d broke a condition",
		compared, fewer, broken)
	if compared < *nappers/4 || broken < *nappers/20 {
		t.Errorf("%d of %d programs compared, %d broke a condition", compared, *nappers, broken)
	}
}
