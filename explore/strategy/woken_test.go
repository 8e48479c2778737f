package strategy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestWoken: in random programs that sleep, close channels and wait for several of them, the
// executions that are possible show all that plain Go does, whose goroutines have come to where
// they wait when time passes; each strategy finds the same outcomes; and some are left out.
func TestWoken(t *testing.T) {
	compared, out := 0, 0
	possible := func(x *trace.Execution) bool { return !explore.Impossible(x) }
	for seed := range uint64(max(*timedPrograms, 60)) {
		p := randomWoken(rand.New(rand.NewPCG(seed, 12)))
		want := newArrivals(exhaustive.New(), possible)
		if !p.exploredAs(want).Complete {
			continue
		}
		compared++
		out += want.out
		for name, s := range map[string]explore.Strategy{"dpor": dpor.New(true),
			"optimal": optimal.New()} {
			got := newArrivals(s, possible)
			if r := p.exploredAs(got); !r.Complete ||
				!slices.Equal(keysOf(want.real), keysOf(got.real)) {
				t.Fatalf("seed %d: %v: %s (%s)\nmissed:\n%s\ntoo much:\n%s", seed, p, name,
					r.Reason, notIn(want.real, got.real), notIn(got.real, want.real))
			}
		}
		for n := range 20 {
			if got := p.asPlainGo(t, timedJitter(uint64(n))); !want.real[got] {
				t.Fatalf("seed %d: %v\nplain Go did what no order does:\n%s\nall:\n%s", seed, p,
					got, strings.Join(keysOf(want.real), "\n"))
			}
		}
	}
	t.Logf("%d programs compared, %d executions were left out", compared, out)
	if out == 0 {
		t.Error("nothing is tested")
	}
}

// randomWoken makes programs in which a process waits at two channels, another one closes some
// after a while, and a third one does so behind a receive, now and then with more steps. In every
// other program one of the channels has a buffer, which others fill or empty.
func randomWoken(r *rand.Rand) timedProgram {
	buffered := r.IntN(2) == 0
	op := func(words string) timedOp {
		list := strings.Fields(words)
		o := timedOp{list[r.IntN(len(list))], 0, time.Duration(1 + r.IntN(2)), 2 * r.IntN(2)}
		if buffered && (o.word == "send" || o.word == "take" && o.ch == 0) {
			o.ch = 1
		}
		return o
	}
	p, more := timedProgram{{op("meet")}, {op("sleep"), op("close")},
		{op("take meet"), op("close")}}, "sleep close meet take"
	if buffered {
		p, more = timedProgram{{op("pick pick push")},
			{op("sleep"), op("send take"), op("close send")}}, "sleep close pick take send"
		if p[0][0].word == "push" {
			p[1] = slices.Insert(p[1], 0, op("send"))
		}
		if r.IntN(2) == 0 {
			p = append(p, []timedOp{op("sleep pick take send"), op("pick take send")})
		}
	}
	for range r.IntN(3) {
		i := r.IntN(len(p))
		at := r.IntN(len(p[i]) + 1)
		p[i] = slices.Insert(p[i], at, op(more))
	}
	return p.closedOnce()
}

// closedOnce leaves out all but the first close of each channel.
func (p timedProgram) closedOnce() timedProgram {
	var closed [3]bool
	for i := range p {
		p[i] = slices.DeleteFunc(p[i], func(o timedOp) bool {
			again := o.word == "close" && closed[o.ch]
			closed[o.ch] = closed[o.ch] || o.word == "close"
			return again
		})
	}
	return p
}
