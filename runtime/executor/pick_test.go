package executor

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/model/hidden"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// allLogs returns what f logs under all its hidden choices, and how many executions that takes.
func allLogs(t *testing.T, f func(gate.TB)) (logs map[string]bool, executions int) {
	t.Helper()
	logs, executions, _ = allCuts(t, f)
	return logs, executions
}

// allCuts is allLogs that also returns what was cut.
func allCuts(t *testing.T,
	f func(gate.TB)) (logs map[string]bool, executions int, cuts []trace.Limit) {
	var limits trace.Limits
	t.Helper()
	e := configured(world.Config{Seed: 1, Rand: true, Maps: true}, f)
	logs = map[string]bool{}
	d := &dfs{}
	for more := true; more; more = d.next() {
		executions++
		x := e.Execute(d, false)
		logs[strings.Join(x.Log, " ")] = true
		limits.Merge(&x.Limits)
	}
	return logs, executions, limits.Cut
}

// change is what the body of a range does to the map when it comes to a key.
type change struct{ insert, remove int }

func randomChanges(r *rand.Rand) (m map[int]int, changes map[int]change) {
	m, changes = map[int]int{}, map[int]change{}
	for k := range 1 + r.IntN(4) {
		m[k] = k
		if r.IntN(2) == 0 {
			c := change{r.IntN(6), r.IntN(6)}
			// a key that goes and comes back at once is not seen to have gone
			if c.insert == c.remove {
				c.remove = 6
			}
			changes[k] = c
		}
	}
	return m, changes
}

func apply(m map[int]int, c change, ok bool) {
	if ok {
		delete(m, c.remove)
		m[c.insert] = 10 + c.insert
	}
}

// TestPickDifferential: whatever order plain Go iterates over a map in, that is changed meanwhile,
// is explored.
func TestPickDifferential(t *testing.T) {
	orders, native := 0, 0
	for seed := range uint64(300) {
		m, changes := randomChanges(rand.New(rand.NewPCG(30, seed)))
		all, _ := allLogs(t, func(tb gate.TB) {
			m, seen := maps.Clone(m), ""
			for it := hook.Range(m); it.Next(); {
				seen += fmt.Sprint(it.K, ":", it.V, " ")
				c, ok := changes[it.K]
				apply(m, c, ok)
			}
			tb.Log(seen)
		})
		plain := map[string]bool{}
		for range 300 {
			m, seen := maps.Clone(m), ""
			for k, v := range m {
				seen += fmt.Sprint(k, ":", v, " ")
				c, ok := changes[k]
				apply(m, c, ok)
			}
			if plain[seen] = true; !all[seen] {
				t.Fatalf("seed %d: plain Go did %q, which is not explored: %v, %v: %v", seed, seen,
					m, changes, all)
			}
		}
		orders, native = orders+len(all), native+len(plain)
	}
	t.Logf("%d orders explored, %d of them seen in plain Go", orders, native)
}

// TestPickCounts: a range over n keys has n! orders, up to a bound.
func TestPickCounts(t *testing.T) {
	keys := func(n int) func(gate.TB) {
		m := map[int]string{}
		for k := range n {
			m[k] = fmt.Sprint(k)
		}
		return func(tb gate.TB) { tb.Log(fmt.Sprint(slices.Collect(hook.MapKeys(m)))) }
	}
	for n, want := range map[int]int{0: 1, 1: 1, 2: 2, 3: 6, 4: 24, hidden.MaxKeys + 1: 2, 100: 2} {
		logs, executions, cuts := allCuts(t, keys(n))
		if len(logs) != want || executions != want {
			t.Errorf("%d keys: %d orders in %d executions, want %d", n, len(logs), executions, want)
		}
		if wants := n > hidden.MaxKeys; len(cuts) > 0 != wants ||
			wants && !strings.Contains(fmt.Sprint(cuts), "two of the orders of more than 6 keys") {
			t.Errorf("%d keys: %v", n, cuts)
		}
	}
}

// TestPickForms goes through maps by all the functions that do.
func TestPickForms(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2}
	entries := []library.Pair{{Key: "a", Value: 1}, {Key: "b", Value: 2}}
	nan := map[float64]int{math.NaN(): 1, 2: 2}
	for name, test := range map[string]struct {
		f    func(tb gate.TB)
		want string
	}{
		"keys": {func(tb gate.TB) { tb.Log(fmt.Sprint(slices.Collect(hook.MapKeys(m)))) },
			"[[a b] [b a]]"},
		"values": {func(tb gate.TB) { tb.Log(fmt.Sprint(slices.Collect(hook.MapValues(m)))) },
			"[[1 2] [2 1]]"},
		"pairs": {func(tb gate.TB) {
			hook.MapAll(m)(func(k string, v int) bool { tb.Log(fmt.Sprint(k, v)); return true })
		}, "[a1 b2 b2 a1]"},
		"stopped": {func(tb gate.TB) {
			hook.MapAll(m)(func(k string, v int) bool { tb.Log(k); return false })
		}, "[a b]"},
		"sync.Map": {func(tb gate.TB) { rangeOver(entries, tb) }, "[a1 b2 b2 a1]"},
		"NaN": {func(tb gate.TB) {
			for it := hook.Range(nan); it.Next(); {
				tb.Log(fmt.Sprint(it.V))
			}
		}, "[1 2 2 1]"},
		"cleared": {func(tb gate.TB) {
			m := maps.Clone(nan)
			for it := hook.Range(m); it.Next(); clear(m) {
				tb.Log(fmt.Sprint(it.V))
			}
		}, "[1 2]"},
	} {
		logs, _ := allLogs(t, test.f)
		if got := fmt.Sprint(slices.Sorted(maps.Keys(logs))); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func rangeOver(entries []library.Pair, tb gate.TB) {
	each := func(f func(k, v any) bool) {
		for _, e := range entries {
			f(e.Key, e.Value)
		}
	}
	gate.MapRange(unsafe.Pointer(&entries[0]), each,
		func(k, v any) bool { tb.Log(fmt.Sprint(k, v)); return true })
}

// TestGrowing: an iteration that adds a key each time ends.
func TestGrowing(t *testing.T) {
	logs, _, cuts := allCuts(t, func(tb gate.TB) {
		m, n := map[int]int{0: 0}, 0
		for it := hook.Range(m); it.Next(); {
			n++
			m[n] = n
			delete(m, n-1)
		}
		tb.Log(fmt.Sprint(n))
	})
	if len(logs) != hidden.MaxChoices+1 {
		t.Errorf("%d lengths, want %d", len(logs), hidden.MaxChoices+1)
	}
	if got := fmt.Sprint(cuts); !strings.Contains(got, "more than 64 hidden choices") {
		t.Error(got)
	}
}

// TestDrawn: small ranges are explored in full, others by the usual, the least and the greatest
// value.
func TestDrawn(t *testing.T) {
	draw := func(n, usual uint64) func(gate.TB) {
		return func(tb gate.TB) { tb.Log(fmt.Sprint(gate.Draw(n, usual))) }
	}
	for _, test := range []struct {
		n, usual uint64
		want     int
		partly   bool
	}{
		{1, 0, 1, false}, {2, 1, 2, false}, {hidden.MaxValues, 3, hidden.MaxValues, false},
		{hidden.MaxValues + 1, 5, 3, true}, {0, 7, 3, true},
	} {
		logs, executions, cuts := allCuts(t, draw(test.n, test.usual))
		if len(logs) != test.want || executions != test.want || !logs[fmt.Sprint(test.usual)] ||
			!logs["0"] || !logs[fmt.Sprint(test.n-1)] {
			t.Errorf("%+v: %v in %d executions", test, logs, executions)
		}
		if (len(cuts) > 0) != test.partly {
			t.Errorf("%+v: %v", test, cuts)
		}
	}
	e := program("coroutine", draw(6, 4))
	if x := e.Execute(first{}, false); len(x.Events) != 2 || x.Log[0] != "4" {
		t.Errorf("not asked to explore hidden choices: %+v", x)
	}
}

// TestUsualComesFirst: also when processes are being unwound nothing is chosen.
func TestUsualComesFirst(t *testing.T) {
	after := uint64(99)
	logs, executions := allLogs(t, func(tb gate.TB) {
		tb.Log(fmt.Sprint(gate.Draw(6, 4)))
		ch := hook.Made(make(chan int))
		hook.Go("left", func() {
			defer func() { after = gate.Draw(6, 4) }()
			hook.Recv(ch)
		})
	})
	if len(logs) != 6 || executions != 6 || after != 4 {
		t.Errorf("%v in %d executions, %d afterwards", logs, executions, after)
	}
}
