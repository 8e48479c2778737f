package strategy_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestStatefulRandom compares stateful search without comparison of states with exhaustive search,
// on random programs of all delivery models: what is left out with Macro must not be missed.
// Comparison itself is tested on real programs, in package internal/lab/states.
func TestStatefulRandom(t *testing.T) {
	compared, fewer := 0, 0
	for n := range uint64(150) {
		text := micro.Random(rand.New(rand.NewPCG(n, 17)))
		if model := []string{"", "bag", "pairs"}[n%3]; model != "" {
			text = micro.RandomMail(rand.New(rand.NewPCG(n, 17)), model)
		}
		want := run(micro.New(micro.Parse(text)), exhaustive.New(), 3000)
		if !want.complete {
			continue
		}
		compared++
		for _, o := range []stateful.Options{{}, {Breadth: true}, {Macro: true},
			{Macro: true, Big: true},
			{Macro: true, Big: true, Breadth: true}} {
			s := stateful.New(o)
			got := run(micro.New(micro.Parse(text)), s, 100000)
			if !got.complete || !maps.Equal(got.outcomes, want.outcomes) {
				t.Errorf("%+v: outcomes %q, want %q\nprogram %d:\n%s", o, keys(got.outcomes),
					keys(want.outcomes), n, text)
			}
			if o.Macro && got.executions < want.executions {
				fewer++
			}
		}
	}
	t.Logf("%d programs; fewer executions in %d searches", compared, fewer)
	if compared < 120 || fewer == 0 {
		t.Error("too few programs say something")
	}
}

// TestStatefulStates counts the states and messages of small programs, without comparison: those of
// the tree of choices.
func TestStatefulStates(t *testing.T) {
	for _, c := range []struct {
		name, program    string
		o                stateful.Options
		states, messages int
	}{
		// Two messages to one actor: the beginning, then either one, then the other.
		{"two messages", "bag a\nP: a<-1\nQ: a<-2\nR: <-a; <-a", stateful.Options{Macro: true}, 5,
			4},
		{"big steps", "bag a\nP: a<-1\nQ: a<-2\nR: <-a; <-a",
			stateful.Options{Macro: true, Big: true},
			3, 4},
		// With sends as steps, since somebody looks into the mailbox: it may be looked at before,
		// between and after them.
		{"somebody looks", "bag a\nP: a<-1\nR: len a", stateful.Options{Macro: true}, 5, 0},
	} {
		for _, c.o.Breadth = range []bool{false, true} {
			s := stateful.New(c.o)
			run(micro.New(micro.Parse(c.program)), s, 1000)
			if sum := s.Summary(); sum.States != c.states || sum.Messages != c.messages {
				t.Errorf("%s, %+v: %d states and %d messages, want %d and %d", c.name, c.o,
					sum.States,
					sum.Messages, c.states, c.messages)
			}
		}
	}
}
