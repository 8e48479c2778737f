package divide_test

import (
	"bytes"
	"encoding/gob"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// travelling explores text by items that travel, and calls see for each task and report.
func travelling(t testing.TB, text string, see func(task, report []byte)) (executions int) {
	m, k := micro.New(micro.Parse(text)), items.New()
	for id, ok := k.Take(); ok; id, ok = k.Take() {
		task, err := divide.EncodeTask(&divide.Task{Test: text, Item: k.Item(id), Hungry: 2},
			time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		got, err := divide.DecodeTask(task)
		if err != nil || got.Test != text || got.Hungry != 2 {
			t.Fatalf("%v, %v", got, err)
		}
		r := piece(m, got, explore.Limits{})
		report, err := divide.EncodeReport(&r)
		if err != nil {
			t.Fatal(err)
		}
		r, err = divide.DecodeReport(report)
		if err != nil || !k.Fits(id, &r.Left) || !k.Accept(id, &r.Left) {
			t.Fatalf("the report does not fit: %v", err)
		}
		executions += r.Part.Executions
		see(task, report)
	}
	return executions
}

const travellers = "chan a 4\nmain: <-a; <-a; <-a; <-a\nS0: a<-0\nS1: a<-1\nS2: a<-2\nS3: a<-3"

// TestTravel: tasks and reports that have travelled do what the others do.
func TestTravel(t *testing.T) {
	if n := travelling(t, travellers, func(_, _ []byte) {}); n != 24 {
		t.Errorf("%d executions, want 24", n)
	}
	for n := range uint64(200) {
		text := micro.Random(rand.New(rand.NewPCG(n, 91)))
		travelling(t, text, func(_, _ []byte) {})
	}
}

// TestUnfit: what does not fit together is refused, and does not end the keeper.
func TestUnfit(t *testing.T) {
	event := dpor.Slept{}
	event.Event.Kind = trace.NumKinds
	for name, l := range map[string]dpor.Left{
		"an ask at no depth":          {Asks: []dpor.Ask{{Depth: -1}}},
		"an ask of nobody":            {Asks: []dpor.Ask{{Add: -1}}},
		"a node without kinds":        {Nodes: []dpor.Node{{Alts: make([]trace.Alt, 1)}}},
		"a node without alternatives": {Nodes: []dpor.Node{{}}},
		"an unknown kind":             {Learned: &event},
	} {
		text, err := divide.EncodeReport(&divide.Report{Left: l})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := divide.DecodeReport(text); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	text, _ := divide.EncodeReport(&divide.Report{Part: explore.Part{Result: explore.Result{
		Outcomes: make([]explore.Outcome, 1)}}})
	if _, err := divide.DecodeReport(text); err == nil {
		t.Error("an outcome without a key is taken")
	}
	k := items.New()
	id, _ := k.Take()
	if k.Fits(id, &dpor.Left{Asks: []dpor.Ask{{Depth: 0}}}) {
		t.Error("an ask at a node that there is not fits")
	}
	for name, it := range map[string]dpor.Item{
		"more nodes than levels": {Nodes: 1},
		"nothing to learn":       {Learn: true},
		"a negative process":     {Path: []dpor.Level{{Alt: trace.Alt{Proc: -1}}}},
	} {
		text, err := divide.EncodeTask(&divide.Task{Item: &it}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := divide.DecodeTask(text); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestSeen: what executions do is told apart, and the same twice.
func TestSeen(t *testing.T) {
	sum := func(text string, most int) uint64 {
		s := &divide.Seen{Strategy: dpor.New(true)}
		explore.Run(micro.New(micro.Parse(text)), s, explore.Limits{MaxExecutions: most}, nil)
		return s.Sum
	}
	if sum(travellers, 3) != sum(travellers, 3) || sum(travellers, 3) == sum(travellers, 2) ||
		sum(travellers, 3) == sum("chan a 4\nmain: <-a\nS0: a<-0\nS1: a<-1", 3) {
		t.Error("the sums are wrong")
	}
}

// FuzzTask: any bytes are a task or are refused.
func FuzzTask(f *testing.F) {
	travelling(f, travellers, func(task, _ []byte) { f.Add(task) })
	f.Fuzz(func(t *testing.T, text []byte) {
		task, err := divide.DecodeTask(text)
		if err != nil {
			return
		}
		again, err := divide.EncodeTask(&task, 0)
		if err != nil {
			return // it is too large
		}
		other, err := divide.DecodeTask(again)
		if err != nil || !reflect.DeepEqual(other.Item, task.Item) {
			t.Fatalf("a task is another one when it has travelled: %v", err)
		}
	})
}

// FuzzReport: a keeper takes or refuses what any bytes say, and goes on to make items of it.
func FuzzReport(f *testing.F) {
	travelling(f, travellers, func(_, report []byte) { f.Add(report) })
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := divide.DecodeReport(text)
		if err != nil {
			return
		}
		k := items.New()
		id, _ := k.Take()
		for range 3 { // it may fit what comes of itself
			if !k.Fits(id, &r.Left) || !k.Accept(id, &r.Left) {
				return
			}
			next, ok := k.Take()
			if !ok {
				return
			}
			id = next
			if _, err := divide.EncodeTask(&divide.Task{Item: k.Item(id)}, 0); err != nil {
				return
			}
		}
	})
}

// FuzzState: a journal's state and entry, of any bytes, are refused, or a search goes on with them.
func FuzzState(f *testing.F) {
	k, m := items.New(), micro.New(micro.Parse(travellers))
	var parts []explore.Part
	for range 3 {
		id, _ := k.Take()
		task, state := divide.Task{Item: k.Item(id), Hungry: 2}, divide.State{Keeper: k.Save()}
		r := piece(m, task, explore.Limits{MaxExecutions: 2})
		state.Parts = parts
		entry := divide.Entry{ID: id, Part: r.Part, Left: r.Left}
		f.Add(encoded(f, &state), encoded(f, &entry))
		k.Accept(id, &r.Left)
		parts = append(parts, r.Part)
	}
	f.Fuzz(func(t *testing.T, text, entry []byte) {
		var s divide.State
		if journal.Decode(text, &s) != nil {
			return
		}
		k, err := divide.RestoreState(&s, [][]byte{entry})
		if err != nil {
			return
		}
		for id, ok := k.Take(); ok; id, ok = k.Take() {
			if _, err := divide.EncodeTask(&divide.Task{Item: k.Item(id)}, 0); err != nil {
				return
			}
		}
		x := explore.PrepareWhole(micro.New(micro.Parse(travellers)), dpor.New(true),
			explore.Limits{}, 0, nil)
		x.Gather(func() (p explore.Part, ok bool) {
			if len(s.Parts) == 0 {
				return p, false
			}
			p, s.Parts = s.Parts[0], s.Parts[1:]
			return p, true
		})
	})
}

func encoded(f *testing.F, v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}
