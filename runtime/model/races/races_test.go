package races

import (
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// by is an event of one process.
func by(proc int32, kind trace.Kind, change ...func(*trace.Event)) trace.Event {
	ev := trace.Event{Alt: trace.Alt{Proc: proc, Partner: -1}, Kind: kind, Obj: 1}
	for _, f := range change {
		f(&ev)
	}
	return ev
}

func ok(ev *trace.Event)     { ev.OK = true }
func closed(ev *trace.Event) { ev.Closed = true }
func minus(ev *trace.Event)  { ev.Op.N = -1 }

func second(ev *trace.Event)   { ev.Seq = 1 }
func buffered(ev *trace.Event) { ev.Cap = 1 }

// TestOrder has process 1 write a variable, do the first events; then, after all events, process 2
// reads it. The second process is 2 and the others are made by process 0 before.
func TestOrder(t *testing.T) {
	tests := []struct {
		name    string
		events  []trace.Event
		ordered bool
	}{
		{"nothing", nil, false},
		{"a value passes", []trace.Event{by(1, trace.Send), by(2, trace.Recv)}, true},
		{"another value passes", []trace.Event{by(1, trace.Send), by(2, trace.Recv, second)},
			false},
		{"two sends", []trace.Event{by(1, trace.Send), by(2, trace.Send, second)}, false},
		{"two receives", []trace.Event{by(1, trace.Recv), by(2, trace.Recv, second)}, false},
		{"a place becomes free",
			[]trace.Event{by(1, trace.Recv, buffered), by(2, trace.Send, second, buffered)}, true},
		{"close", []trace.Event{by(1, trace.Close), by(2, trace.Recv, closed)}, true},
		{"close and len", []trace.Event{by(1, trace.Close), by(2, trace.Len)}, false},
		{"rendezvous", []trace.Event{by(2, trace.Send, func(ev *trace.Event) { ev.Partner = 1 })},
			true},
		{"mutex", []trace.Event{by(1, trace.Lock), by(1, trace.Unlock), by(2, trace.Lock)}, true},
		{"mutex the other way round", []trace.Event{by(2, trace.Lock), by(2, trace.Unlock),
			by(1, trace.Lock)}, false},
		{"TryLock that fails", []trace.Event{by(1, trace.Unlock), by(2, trace.TryLock)}, false},
		{"TryLock", []trace.Event{by(1, trace.Unlock), by(2, trace.TryLock, ok)}, true},
		{"two readers", []trace.Event{by(1, trace.RLock), by(1, trace.RUnlock), by(2, trace.RLock)},
			false},
		{"a writer after a reader", []trace.Event{by(1, trace.RUnlock), by(2, trace.WLock, ok)},
			true},
		{"a writer that waits", []trace.Event{by(1, trace.RUnlock), by(2, trace.WLock)}, false},
		{"a writer that has waited", []trace.Event{by(1, trace.RUnlock), by(2, trace.WLock),
			by(2, trace.WWait)}, true},
		{"a reader after a writer", []trace.Event{by(1, trace.WUnlock), by(2, trace.RLock)}, true},
		{"WaitGroup", []trace.Event{by(1, trace.WgAdd, minus), by(2, trace.WgWait)}, true},
		{"WaitGroup.Add", []trace.Event{by(1, trace.WgAdd), by(2, trace.WgWait)}, false},
		{"Once", []trace.Event{by(1, trace.Once, ok), by(1, trace.OnceDone), by(2, trace.Once)},
			true},
		{"atomic", []trace.Event{by(1, trace.AtomicStore), by(2, trace.AtomicLoad)}, true},
		{"atomic the other way round",
			[]trace.Event{by(1, trace.AtomicLoad), by(2, trace.AtomicStore)},
			false},
		{"Cond", []trace.Event{by(1, trace.CondSignal), by(2, trace.CondWait)}, true},
		{"Pool", []trace.Event{by(1, trace.PoolPut), by(2, trace.PoolGet, ok)}, true},
		{"empty Pool", []trace.Event{by(1, trace.PoolPut), by(2, trace.PoolGet)}, false},
		{"subtest", []trace.Event{by(1, trace.End), by(2, trace.Join)}, true},
		{"log", []trace.Event{by(1, trace.Log), by(2, trace.Log)}, true},
		{"Gosched", []trace.Event{by(1, trace.Yield), by(2, trace.Yield)}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, procs := threeProcesses()
			x := new(int)
			w.Write(procs[1], unsafe.Pointer(x), "x at a.go:1")
			for i := range test.events {
				w.Done(&test.events[i])
			}
			w.Read(procs[2], unsafe.Pointer(x), "x at b.go:2")
			if got := len(w.Found(false)) == 0; got != test.ordered {
				t.Errorf("ordered: %t, want %t", got, test.ordered)
			}
		})
	}
}

// threeProcesses are process 0 and two that it has made.
func threeProcesses() (*World, []*sched.Proc) {
	w := New(sched.New("coroutine"))
	w.Watch()
	procs := []*sched.Proc{{ID: 0}, {ID: 1}, {ID: 2}}
	w.Spawned(nil, procs[0])
	w.Spawned(procs[0], procs[1])
	w.Spawned(procs[0], procs[2])
	return w, procs
}

// TestPairs has the text and the number of what is found.
func TestPairs(t *testing.T) {
	w, procs := threeProcesses()
	x := unsafe.Pointer(new(int))
	w.Read(procs[0], x, "x at a.go:1")
	w.Read(procs[1], x, "x at b.go:2") // two reads are no race
	w.Write(procs[1], x, "x at c.go:3")
	w.Write(procs[1], x, "x at c.go:3")
	w.Read(procs[2], x, "x at d.go:4")
	want := []string{
		"data race: read of x at a.go:1 and write of x at c.go:3",
		"data race: read of x at d.go:4 and write of x at c.go:3",
	}
	found := w.Found(false)
	if len(found) != len(want) {
		t.Fatalf("%d races, want %d: %v", len(found), len(want), found)
	}
	for i, r := range found {
		if r.Text != want[i] {
			t.Errorf("%s, want %s", r.Text, want[i])
		}
	}
}

// TestGroup: an Add at zero must be ordered before the Wait that waits for it.
func TestGroup(t *testing.T) {
	plus := func(ev *trace.Event) { ev.Op.N, ev.Seq = 1, 1 }
	for _, adds := range []int32{0, 1} {
		w := New(sched.New("coroutine"))
		w.Watch()
		parent, child := &sched.Proc{ID: 0}, &sched.Proc{ID: 1}
		w.Spawned(nil, parent)
		add, done, wait := by(adds, trace.WgAdd, plus), by(1, trace.WgAdd, minus),
			by(0, trace.WgWait)
		if adds == 0 {
			w.Done(&add)
		}
		w.Spawned(parent, child)
		if adds == 1 {
			w.Done(&add)
		}
		w.Done(&done)
		w.Done(&wait)
		if got := len(w.Found(false)) > 0; got != (adds == 1) {
			t.Errorf("process %d adds, race: %t", adds, got)
		}
	}
}

// TestSpawn: what comes before a go statement comes before the process, what comes after it does
// not.
func TestSpawn(t *testing.T) {
	for _, late := range []bool{false, true} {
		w := New(sched.New("coroutine"))
		w.Watch()
		parent, child := &sched.Proc{ID: 0}, &sched.Proc{ID: 1}
		x := unsafe.Pointer(new(int))
		w.Spawned(nil, parent)
		if !late {
			w.Write(parent, x, "x")
		}
		w.Spawned(parent, child)
		if late {
			w.Write(parent, x, "x")
		}
		w.Read(child, x, "x")
		if got := len(w.Found(false)) > 0; got != late {
			t.Errorf("written late: %t, race: %t", late, got)
		}
	}
}
