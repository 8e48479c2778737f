package items_test

import (
	"bytes"
	"encoding/gob"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var (
	programs = flag.Int("programs", 400, "random programs")
	firstOne = flag.Uint64("first", 0, "number of the first random program")
)

// seen is what a search saw of a program.
type seen struct {
	executions, blocked, crashes, items int
	outcomes                            map[string]int
	traces                              map[uint64]int
	long                                bool // it was ended
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
	r.executions++
	for _, p := range explore.Problems(x) {
		r.outcomes[p.Identity]++
	}
	if x.End == trace.Crashed || x.End == trace.Exited {
		// which process it is that makes a counter negative is not promised
		if r.crashes++; x.Crash == nil || !strings.Contains(x.Crash.Text, "negative") {
			r.outcomes[fmt.Sprint("it ends: ", x.ExitCode, x.Log)]++
		}
		return
	}
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	r.traces[o.Hash()]++
	r.outcomes[m.Observed()]++
}

// whole explores in one process, up to a number of executions.
func whole(m *micro.Machine, s explore.Strategy, most int) *seen {
	r := newSeen()
	for s.Begin() {
		if r.executions+r.blocked >= most {
			r.long = true
			return r
		}
		r.step(m, s)
	}
	return r
}

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
func divided(t *testing.T, m *micro.Machine, rnd *rand.Rand) *seen {
	k, r := items.New(), newSeen()
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
			r.add(part)
			if rnd.IntN(5) == 0 {
				_, again := work(m, all[i], rnd)
				if k.Accept(ids[i], &again) {
					t.Fatal("two results of an item count")
				}
			}
		}
	}
	return r
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
func work(m *micro.Machine, it *dpor.Item, rnd *rand.Rand) (*seen, dpor.Left) {
	s, r := dpor.Below(it), newSeen()
	for n := rnd.IntN(1 + rnd.IntN(12)); n >= 0 && s.Begin(); n-- {
		r.step(m, s)
	}
	return r, s.Leave(rnd.IntN(4))
}

func (r *seen) add(p *seen) {
	r.executions, r.blocked, r.crashes, r.items = r.executions+p.executions, r.blocked+p.blocked,
		r.crashes+p.crashes, r.items+1
	for o, n := range p.outcomes {
		r.outcomes[o] += n
	}
	for h, n := range p.traces {
		r.traces[h] += n
	}
}

// TestLaws: whatever the order of the items, their slices and what is published, they have the
// executions, the traces, the outcomes with their counts and the findings of one search, and no
// trace twice. Where a program can crash, a crash hides what would have come next, so there the
// numbers of executions may differ.
func TestLaws(t *testing.T) {
	compared, parts, blocked, alone, crashing := 0, 0, 0, 0, 0
	for n := *firstOne; n < *firstOne+uint64(*programs); n++ {
		text := micro.Random(rand.New(rand.NewPCG(n, 77)))
		m := micro.New(micro.Parse(text))
		want := whole(m, exhaustive.New(), 8000)
		if want.long {
			continue
		}
		one := whole(m, dpor.New(true), 1<<20)
		got := divided(t, m, rand.New(rand.NewPCG(n, 78)))
		if !reflect.DeepEqual(keys(got.outcomes), keys(want.outcomes)) ||
			!reflect.DeepEqual(keys(got.traces), keys(want.traces)) {
			t.Fatalf("program %d: %d of %d traces, outcomes %v, want %v\n%s", n, len(got.traces),
				len(want.traces), got.outcomes, want.outcomes, text)
		}
		compared, parts = compared+1, parts+got.items
		if want.crashes > 0 {
			crashing++
			continue
		}
		blocked, alone = blocked+got.blocked, alone+one.blocked
		if got.executions != len(want.traces) || !reflect.DeepEqual(got.outcomes, one.outcomes) {
			t.Fatalf("program %d: %d executions of %d traces, outcomes %v, want %v\n%s", n,
				got.executions,
				len(want.traces), got.outcomes, one.outcomes, text)
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
		want := whole(m, optimal.New(), 1<<20)
		parts := 0
		for seed := range uint64(20) {
			got := divided(t, m, rand.New(rand.NewPCG(seed, 79)))
			if got.executions != want.executions || !reflect.DeepEqual(got.traces, want.traces) {
				t.Fatalf("seed %d, %d executions in %d items, want %d\n%s", seed, got.executions,
					got.items,
					want.executions, text)
			}
			parts += got.items
		}
		if parts < 40 {
			t.Errorf("%d items tell nothing", parts)
		}
	}
}
