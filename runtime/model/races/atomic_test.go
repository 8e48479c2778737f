package races

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestAtomically: an operation of package sync/atomic races with plain accesses that nothing
// orders, and with no operation of its own kind. Knowledge that it has received orders it, and
// knowledge that it hands on orders others.
func TestAtomically(t *testing.T) {
	w, by3 := threeProcesses()
	type step func(p int32)
	x := unsafe.Pointer(new(int))
	plain := func(write bool) step {
		return func(p int32) {
			if write {
				w.Write(by3[p], x, "x at w.go:1")
			} else {
				w.Read(by3[p], x, "x at r.go:2")
			}
		}
	}
	atomic := func(kind trace.Kind) step {
		return func(p int32) {
			w.Atomically(by3[p], x, "x at a.go:3", kind != trace.AtomicLoad)
			ev := by(p, kind, ok)
			w.Done(&ev)
		}
	}
	read, write := plain(false), plain(true)
	load, store, update := atomic(trace.AtomicLoad), atomic(trace.AtomicStore),
		atomic(trace.AtomicUpdate)
	for name, test := range map[string]struct {
		first, second []step // of processes 1 and 2, one after the other
		want          []string
	}{
		"write and load": {[]step{write}, []step{load},
			[]string{"data race: atomic read of x at a.go:3 and write of x at w.go:1"}},
		"load and write": {[]step{load}, []step{write},
			[]string{"data race: atomic read of x at a.go:3 and write of x at w.go:1"}},
		"store and read": {[]step{store}, []step{read},
			[]string{"data race: atomic write of x at a.go:3 and read of x at r.go:2"}},
		"read and update": {[]step{read}, []step{update},
			[]string{"data race: atomic write of x at a.go:3 and read of x at r.go:2"}},
		"write and store": {[]step{write}, []step{store},
			[]string{"data race: atomic write of x at a.go:3 and write of x at w.go:1"}},
		"load and read":      {[]step{load}, []step{read}, nil},
		"store and load":     {[]step{store}, []step{load}, nil},
		"update and update":  {[]step{update}, []step{update}, nil},
		"handed on":          {[]step{store}, []step{load, read}, nil},
		"handed on, updated": {[]step{write, update}, []step{update, write}, nil},
		"announced only": {[]step{func(p int32) {
			w.Atomically(by3[p], x, "x at a.go:3", true)
		}}, []step{write}, nil},
	} {
		w, by3 = threeProcesses()
		for _, s := range test.first {
			s(1)
		}
		for _, s := range test.second {
			s(2)
		}
		var got []string
		for _, r := range w.Found(false) {
			got = append(got, r.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
