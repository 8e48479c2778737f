package shards_test

import (
	"bytes"
	"encoding/gob"
	"flag"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/internal/lab/seen"
)

var programs = flag.Int("programs", 400, "random programs")

// planned makes a plan, and counts what has been run for it in r. A plan that does not look ahead
// leaves more to who merges.
func planned(m *micro.Machine, r *seen.Seen, atLeast int, ahead bool) *items.Keeper {
	k := items.New()
	why := shards.Plan(k, atLeast, func(it *dpor.Item, cut bool) dpor.Left {
		s := dpor.Below(it)
		if ahead {
			s.Ahead()
		}
		if s.Begin() {
			r.Step(m, s)
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

// work explores the items of k, each at once or in two pieces, and says how many there were.
func work(m *micro.Machine, r *seen.Seen, k *items.Keeper, rnd *rand.Rand) (n int) {
	for !k.Done() {
		id, ok := k.Take()
		if !ok {
			panic("there is nothing to do, and the search is not done")
		}
		n++
		s := dpor.Below(k.Item(id))
		for n := rnd.IntN(20); n >= 0 && s.Begin(); n-- {
			r.Step(m, s)
		}
		left := s.Leave(rnd.IntN(4))
		k.Accept(id, &left)
	}
	return n
}

// TestPlan: what the shards of a plan see, whatever their number and the size of the plan, is
// together what one search sees: the traces, each once, and the outcomes with their counts. All
// shards have the same plan.
func TestPlan(t *testing.T) {
	compared, pieces, rest, blocked, alone := 0, 0, 0, 0, 0
	for n := range uint64(*programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 177)))
		m := micro.New(micro.Parse(text))
		want := seen.Whole(m, exhaustive.New(), 8000)
		if want.Long || want.Crashes > 0 {
			continue
		}
		one := seen.Whole(m, dpor.New(true), 1<<20)
		rnd := rand.New(rand.NewPCG(n, 178))
		got, of, atLeast := seen.New(), 1+rnd.IntN(5), 1+rnd.IntN(1+rnd.IntN(12))
		var parts []shards.Test
		for i := range of {
			first := seen.New()
			k := planned(m, first, atLeast, n%4 == 0)
			plan := k.Save()
			part := shards.Test{Plan: shards.Hash(&plan), Begun: &plan}
			shards.Shard{I: i + 1, N: of}.Keep(k)
			mine := seen.New()
			pieces += work(m, mine, k, rnd)
			if i == 0 {
				got.Add(first)
			}
			got.Add(mine)
			part.Left = k.Save()
			if parts = append(parts, part); !bytes.Equal(part.Plan, parts[0].Plan) {
				t.Fatalf("program %d: the plans differ\n%s", n, text)
			}
		}
		k, err := shards.Rest(parts)
		if err != nil {
			t.Fatal(err)
		}
		last := seen.New()
		work(m, last, k, rnd)
		got.Add(last)
		rest += len(last.Traces)
		compared++
		blocked, alone = blocked+got.Blocked, alone+one.Blocked
		if !reflect.DeepEqual(got.Outcomes, one.Outcomes) ||
			!reflect.DeepEqual(got.Traces, one.Traces) || len(got.Traces) != len(want.Traces) {
			t.Fatalf("program %d, %d shards of a plan of %d: %d of %d traces, %v, want %v\n%s", n,
				of, atLeast, len(got.Traces), len(want.Traces), got.Outcomes, one.Outcomes, text)
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
	got := seen.New()
	k := planned(m, got, 100, true)
	plan := k.Save()
	shards.Shard{I: 1, N: 1}.Keep(k)
	work(m, got, k, rand.New(rand.NewPCG(1, 1)))
	if k, err := shards.Rest([]shards.Test{{Begun: &plan, Left: k.Save()}}); err != nil ||
		!k.Done() || len(got.Traces) != 720 || got.Blocked > 72 {
		t.Errorf("%v, %d traces of 720, %d cut off", err, len(got.Traces), got.Blocked)
	}
}

// FuzzRest: plans and the rests of shards, of any bytes, make items or are refused.
func FuzzRest(f *testing.F) {
	m := micro.New(micro.Parse("chan a 4\nmain: <-a; <-a; <-a; <-a\nS0: a<-0\nS1: a<-1\n" +
		"S2: a<-2\nS3: a<-3"))
	for _, ahead := range []bool{false, true} {
		var parts []shards.Test
		for i := range 2 {
			k := planned(m, seen.New(), 6, ahead)
			plan := k.Save()
			shards.Shard{I: i + 1, N: 2}.Keep(k)
			work(m, seen.New(), k, rand.New(rand.NewPCG(1, 1)))
			parts = append(parts, shards.Test{Begun: &plan, Left: k.Save()})
		}
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(parts); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var parts []shards.Test
		if gob.NewDecoder(bytes.NewReader(text)).Decode(&parts) != nil {
			return
		}
		k, err := shards.Rest(parts)
		if err != nil {
			return
		}
		for id, ok := k.Take(); ok; id, ok = k.Take() {
			k.Item(id)
		}
	})
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
