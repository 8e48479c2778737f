package keeper

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// machine returns what makes a machine that runs a program.
func machine(text string) func() explore.Executor {
	return func() explore.Executor { return micro.New(micro.Parse(text)) }
}

// two has two traces.
const two = "chan a 2\nmain: <-a; <-a\nS0: a<-0\nS1: a<-1"

// TestKills: each trace counts once, whichever processes die, and when. rehearse test explores
// every order of the messages, and every death.
func TestKills(t *testing.T) {
	counts := Search(machine(two), 2, 1)
	if len(counts) != 2 {
		t.Errorf("%d traces, want 2", len(counts))
	}
	for _, n := range counts {
		if n != 1 {
			t.Errorf("a trace counts %d times", n)
		}
	}
}

// TestLarger is one order of a larger search.
func TestLarger(t *testing.T) {
	if testing.Short() {
		t.Skip("its orders have no end")
	}
	const text = "chan a 4\nmain: <-a; <-a; <-a; <-a\nS0: a<-0\nS1: a<-1\nS2: a<-2\nS3: a<-3"
	for deaths := range 8 {
		counts := Search(machine(text), 3, deaths)
		sum := 0
		for _, n := range counts {
			sum += n
		}
		if len(counts) != 24 || sum != 24 {
			t.Errorf("%d deaths: %d traces, %d times, want 24", deaths, len(counts), sum)
		}
	}
}
