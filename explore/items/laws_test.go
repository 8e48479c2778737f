package items_test

import (
	"bytes"
	"encoding/gob"
	"flag"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/internal/lab/seen"
)

var (
	programs = flag.Int("programs", 400, "random programs")
	firstOne = flag.Uint64("first", 0, "number of the first random program")
)

// keys are those of a set.
func keys[K comparable](m map[K]int) map[K]bool {
	set := map[K]bool{}
	for k := range m {
		set[k] = true
	}
	return set
}

// divided explores by items, in a random order, for random slices, with results that get lost, or
// come late, or twice.
func divided(t *testing.T, m *micro.Machine, rnd *rand.Rand) (r *seen.Seen, parts int) {
	k, r := items.New(), seen.New()
	for !k.Done() {
		if rnd.IntN(10) == 0 {
			k = saved(t, k) // the keeper has died, and another goes on
		}
		var ids []uint64
		var all []*dpor.Item
		for range 1 + rnd.IntN(4) { // workers
			if id, ok := k.Take(); ok {
				ids, all = append(ids, id), append(all, k.Item(id))
			}
		}
		if len(ids) == 0 {
			t.Fatalf("there is nothing to do, and the search is not done")
		}
		for _, i := range rnd.Perm(len(ids)) {
			part, left := work(m, all[i], rnd)
			if rnd.IntN(5) == 0 {
				k.Return(ids[i]) // the worker has died
				if rnd.IntN(2) == 0 {
					continue // else what it has done comes all the same, late
				}
			}
			if left.Whole != "" {
				t.Fatal(left.Whole)
			}
			if !k.Accept(ids[i], &left) {
				t.Fatal("the first result of an item does not count")
			}
			r.Add(part)
			parts++
			if rnd.IntN(5) == 0 {
				_, again := work(m, all[i], rnd)
				if k.Accept(ids[i], &again) {
					t.Fatal("two results of an item count")
				}
			}
		}
	}
	return r, parts
}

// saved writes a keeper down, and reads it again.
func saved(t *testing.T, k *items.Keeper) *items.Keeper {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(k.Save()); err != nil {
		t.Fatal(err)
	}
	var s items.Saved
	if err := gob.NewDecoder(&b).Decode(&s); err != nil {
		t.Fatal(err)
	}
	again, err := items.Restore(&s)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// FuzzRestore: what is read of a file makes a keeper or is refused.
func FuzzRestore(f *testing.F) {
	k := items.New()
	id, _ := k.Take()
	m := micro.New(micro.Parse("chan a 2\nmain: <-a; <-a\nS0: a<-0\nS1: a<-1\nS2: a<-2"))
	_, left := work(m, k.Item(id), rand.New(rand.NewPCG(1, 1)))
	k.Accept(id, &left)
	for _, k := range []*items.Keeper{items.New(), k} {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(k.Save()); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s items.Saved
		if gob.NewDecoder(bytes.NewReader(text)).Decode(&s) != nil {
			return
		}
		k, err := items.Restore(&s)
		if err != nil {
			return
		}
		for id, ok := k.Take(); ok; id, ok = k.Take() {
			k.Item(id)
		}
	})
}

// work does an item for a random number of executions.
func work(m *micro.Machine, it *dpor.Item, rnd *rand.Rand) (*seen.Seen, dpor.Left) {
	s, r := dpor.Below(it), seen.New()
	for n := rnd.IntN(1 + rnd.IntN(12)); n >= 0 && s.Begin(); n-- {
		r.Step(m, s)
	}
	return r, s.Leave(rnd.IntN(4))
}

// TestLaws: whatever the order of the items, their slices and what is published, they have the
// executions, the traces, the outcomes with their counts and the findings of one search, and no
// trace twice. A crash hides the events that would have followed, so for a program that can crash
// the numbers of executions may differ.
func TestLaws(t *testing.T) {
	compared, parts, blocked, alone, crashing := 0, 0, 0, 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs); n++ {
		text := micro.Random(rand.New(rand.NewPCG(n, 77)))
		m := micro.New(micro.Parse(text))
		want := seen.Whole(m, exhaustive.New(), 8000)
		if want.Long {
			continue
		}
		one := seen.Whole(m, dpor.New(true), 1<<20)
		got, of := divided(t, m, rand.New(rand.NewPCG(n, 78)))
		if !reflect.DeepEqual(keys(got.Outcomes), keys(want.Outcomes)) ||
			!reflect.DeepEqual(keys(got.Traces), keys(want.Traces)) {
			t.Fatalf("program %d: %d of %d traces, outcomes %v, want %v\n%s", n, len(got.Traces),
				len(want.Traces), got.Outcomes, want.Outcomes, text)
		}
		compared, parts = compared+1, parts+of
		if want.Crashes > 0 {
			crashing++
			continue
		}
		blocked, alone = blocked+got.Blocked, alone+one.Blocked
		if got.Executions != len(want.Traces) || !reflect.DeepEqual(got.Outcomes, one.Outcomes) {
			t.Fatalf("program %d: %d executions of %d traces, outcomes %v, want %v\n%s", n,
				got.Executions, len(want.Traces), got.Outcomes, one.Outcomes, text)
		}
	}
	t.Logf("%d programs, %d can crash, %d items; cut off %d, in one process %d", compared, crashing,
		parts, blocked, alone)
	if compared*3 < *programs || parts < 2*compared {
		t.Error("too few programs or items tell anything")
	}
}

// TestSubjects: the counts of programs whose traces are known.
func TestSubjects(t *testing.T) {
	senders := "chan a 6\nmain: <-a; <-a; <-a; <-a; <-a; <-a\nS0: a<-0\nS1: a<-1\nS2: a<-2\nS3: a<-3\nS4: a<-4\nS5: a<-5"
	forks := "mutex a\nmutex b\nmutex c\nP0: lock a; lock b; unlock b; unlock a\nP1: lock b; lock c; unlock c; unlock b\nP2: lock c; lock a; unlock a; unlock c"
	for _, text := range []string{senders, forks} {
		m := micro.New(micro.Parse(text))
		want := seen.Whole(m, optimal.New(), 1<<20)
		parts := 0
		for seed := range uint64(20) {
			got, of := divided(t, m, rand.New(rand.NewPCG(seed, 79)))
			if got.Executions != want.Executions || !reflect.DeepEqual(got.Traces, want.Traces) {
				t.Fatalf("seed %d, %d executions in %d items, want %d\n%s", seed, got.Executions,
					of, want.Executions, text)
			}
			parts += of
		}
		if parts < 40 {
			t.Errorf("%d items tell nothing", parts)
		}
	}
}
