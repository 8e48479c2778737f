package shards_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var programs = flag.Int("programs", 400, "random programs")

// seen is what a search saw of a program.
type seen struct {
	blocked, crashes, items int
	outcomes                map[string]int
	traces                  map[uint64]int
}

func newSeen() *seen { return &seen{outcomes: map[string]int{}, traces: map[uint64]int{}} }

// step runs one execution of s, and counts it.
func (r *seen) step(m *micro.Machine, s explore.Strategy) {
	x := m.Execute(s, false)
	s.End(x)
	if x.End == trace.Cut {
		r.blocked++
		return
	}
	if x.End == trace.Crashed || x.End == trace.Exited {
		r.crashes++
		return
	}
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	r.traces[o.Hash()]++
	r.outcomes[m.Observed()]++
}

// whole explores in one process; nil: that takes too long.
func whole(m *micro.Machine, s explore.Strategy, most int) *seen {
	r := newSeen()
	for n := 0; s.Begin(); n++ {
		if n == most {
			return nil
		}
		r.step(m, s)
	}
	return r
}

// planned makes a plan, and counts what has been run for it in r. A plan that does not look ahead
// leaves more to who merges.
func planned(m *micro.Machine, r *seen, atLeast int, ahead bool) *items.Keeper {
	k := items.New()
	why := shards.Plan(k, atLeast, func(it *dpor.Item, cut bool) dpor.Left {
		s := dpor.Below(it)
		if ahead {
			s.Ahead()
		}
		if s.Begin() {
			r.step(m, s)
		}
		if cut {
			return s.LeaveOne()
		}
		return s.Leave(0)
	})
	if why != "" {
		panic(why)
	}
	return k
}

// explore explores the items of k, each at once or in two pieces.
func (r *seen) explore(m *micro.Machine, k *items.Keeper, rnd *rand.Rand) {
	for !k.Done() {
		id, ok := k.Take()
		if !ok {
			panic("there is nothing to do, and the search is not done")
		}
		r.items++
		s := dpor.Below(k.Item(id))
		for n := rnd.IntN(20); n >= 0 && s.Begin(); n-- {
			r.step(m, s)
		}
		left := s.Leave(rnd.IntN(4))
		k.Accept(id, &left)
	}
}

// TestPlan: what the shards of a plan see, whatever their number and the size of the plan, is
// together what one search sees: the traces, each once, and the outcomes with their counts. All
// shards have the same plan.
func TestPlan(t *testing.T) {
	compared, pieces, rest, blocked, alone := 0, 0, 0, 0, 0
	for n := range uint64(*programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 177)))
		m := micro.New(micro.Parse(text))
		want := whole(m, exhaustive.New(), 8000)
		if want == nil || want.crashes > 0 {
			continue
		}
		one := whole(m, dpor.New(true), 1<<20)
		rnd := rand.New(rand.NewPCG(n, 178))
		got, of, atLeast := newSeen(), 1+rnd.IntN(5), 1+rnd.IntN(1+rnd.IntN(12))
		var parts []shards.Test
		for i := range of {
			first := newSeen()
			k := planned(m, first, atLeast, n%4 == 0)
			plan := k.Save()
			part := shards.Test{Plan: shards.Hash(&plan), Begun: &plan}
			shards.Shard{I: i + 1, N: of}.Keep(k)
			mine := newSeen()
			mine.explore(m, k, rnd)
			if i == 0 {
				got.add(first)
			}
			got.add(mine)
			pieces += mine.items
			part.Left = k.Save()
			if parts = append(parts, part); !bytes.Equal(part.Plan, parts[0].Plan) {
				t.Fatalf("program %d: the plans differ\n%s", n, text)
			}
		}
		k, err := shards.Rest(parts)
		if err != nil {
			t.Fatal(err)
		}
		last := newSeen()
		last.explore(m, k, rnd)
		got.add(last)
		rest += len(last.traces)
		compared++
		blocked, alone = blocked+got.blocked, alone+one.blocked
		if !reflect.DeepEqual(got.outcomes, one.outcomes) ||
			!reflect.DeepEqual(got.traces, one.traces) || len(got.traces) != len(want.traces) {
			t.Fatalf("program %d, %d shards of a plan of %d: %d of %d traces, %v, want %v\n%s", n,
				of, atLeast, len(got.traces), len(want.traces), got.outcomes, one.outcomes, text)
		}
	}
	t.Logf("%d programs, %d items, %d traces left to the last; cut off %d, in one process %d",
		compared, pieces, rest, blocked, alone)
	if compared*3 < *programs || 2*pieces < compared || rest == 0 {
		t.Error("too few programs or items tell anything")
	}
}

// TestLeft: of programs in which all is wanted everywhere, nothing is left to the last.
func TestLeft(t *testing.T) {
	text := "chan a 6\nmain: <-a; <-a; <-a; <-a; <-a; <-a\n" +
		"S0: a<-0\nS1: a<-1\nS2: a<-2\nS3: a<-3\nS4: a<-4\nS5: a<-5"
	m := micro.New(micro.Parse(text))
	got := newSeen()
	k := planned(m, got, 100, true)
	plan := k.Save()
	shards.Shard{I: 1, N: 1}.Keep(k)
	got.explore(m, k, rand.New(rand.NewPCG(1, 1)))
	if k, err := shards.Rest([]shards.Test{{Begun: &plan, Left: k.Save()}}); err != nil ||
		!k.Done() || len(got.traces) != 720 || got.blocked > 72 {
		t.Errorf("%v, %d traces of 720, %d cut off", err, len(got.traces), got.blocked)
	}
}

func (r *seen) add(p *seen) {
	r.blocked += p.blocked
	for o, n := range p.outcomes {
		r.outcomes[o] += n
	}
	for h, n := range p.traces {
		r.traces[h] += n
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"3/8": "3/8", "1/1": "1/1", "0/8": "numbered from 1 to 8", "9/8": "numbered from 1 to 8",
		"x": "is no shard", "1/": "is no shard", "/2": "is no shard", "1/2/3": "is no shard",
		"1/0": "1 to 1000", "1/9999": "1 to 1000", "-1/2": "numbered",
	} {
		s, err := shards.Parse(text)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
