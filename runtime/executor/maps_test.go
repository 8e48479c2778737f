package executor

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// logOf returns what f logs in one execution.
func logOf(t *testing.T, f func(tb gate.TB)) string {
	t.Helper()
	e := New(gate.Test{Name: "TestX", Run: f}, world.Config{})
	return fmt.Sprint(e.Execute(last{}, false).Log)
}

// TestRangeOrder iterates over maps of several kinds, again and again: the order is always the
// same.
func TestRangeOrder(t *testing.T) {
	iterate := func(tb gate.TB) {
		byChan, byPointer := map[chan int]int{}, map[*string]int{}
		for i, name := range []string{"c", "a", "b"} {
			byChan[hook.Made(make(chan int))], byPointer[&name] = i, i
		}
		for it := hook.Range(map[string]int{"b": 2, "a": 1, "c": 3}); it.Next(); {
			tb.Log(it.K)
		}
		for it, v := hook.RangeV(byChan); it.Next(); {
			v = it.V
			tb.Log(fmt.Sprint(v))
		}
		for it, k, v := hook.RangeKV(byPointer); it.Next(); {
			k, v = it.K, it.V
			tb.Log(fmt.Sprint(*k, v))
		}
	}
	for range 20 {
		if got := logOf(t, iterate); got != "[a b c 0 1 2 a1 b2 c0]" {
			t.Fatal(got)
		}
	}
}

// TestRangeChanges changes maps while they are iterated, with control and without.
func TestRangeChanges(t *testing.T) {
	iterate := func() (seen []int) {
		m := map[int]int{1: 1, 2: 2, 3: 3}
		for it, k := hook.RangeK(m); it.Next(); {
			k = it.K
			seen = append(seen, k)
			clear(m)
			m[k] = 0
		}
		nans := map[float64]int{math.NaN(): 4, math.NaN(): 4}
		for it := hook.Range(nans); it.Next(); {
			seen = append(seen, it.V)
		}
		for it := hook.Range(nans); it.Next(); {
			seen = append(seen, it.V)
			clear(nans)
		}
		values := map[string]int{"a": 1, "b": 1}
		for it := hook.Range(values); it.Next(); {
			seen = append(seen, it.V)
			values["a"], values["b"] = 5, 5
		}
		return append(seen, len(values))
	}
	want := []int{4, 4, 4, 1, 5, 2}
	if got := iterate()[1:]; !slices.Equal(got, want) {
		t.Errorf("without control %v", got)
	}
	if got := logOf(t, func(tb gate.TB) { tb.Log(fmt.Sprint(iterate()[1:])) }); got != fmt.Sprintf(
		"[%v]", want) {
		t.Errorf("with control %s", got)
	}
}
