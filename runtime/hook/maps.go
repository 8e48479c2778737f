package hook

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/order"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Iterator is a range over a map. A controlled process gets the keys in the order of package order,
// as far as that tells them apart, unless orders are choices of the schedule: see pick.go. As in
// Go, a key that is deleted meanwhile is not produced; one that is added is not either.
type Iterator[K comparable, V any] struct {
	K K // of the present iteration
	V V

	m        map[K]V
	entries  []mapEntry[K, V] // still to come
	produced map[K]bool       // if the next key is a choice: those that are behind; otherwise nil
}

// mapEntry is what the map held at the beginning. The value counts only for a key that is not equal
// to itself (NaN), which cannot be looked up.
type mapEntry[K comparable, V any] struct {
	k K
	v V
}

// Range begins a range without variables.
func Range[M ~map[K]V, K comparable, V any](m M) *Iterator[K, V] {
	it := &Iterator[K, V]{m: m, entries: make([]mapEntry[K, V], 0, len(m))}
	for k, v := range m {
		it.entries = append(it.entries, mapEntry[K, V]{k, v})
	}
	if world.W.Current() != nil && len(it.entries) > 1 {
		slices.SortStableFunc(it.entries, compareKeys[K, V]())
		library.UsualOrder()
	}
	if len(it.entries) > 0 && library.Picks() {
		it.vary()
	}
	return it
}

// RangeK begins a range with a variable for the key, which it declares.
func RangeK[M ~map[K]V, K comparable, V any](m M) (it *Iterator[K, V], k K) { return Range(m), k }

// RangeV begins a range with a variable for the value.
func RangeV[M ~map[K]V, K comparable, V any](m M) (it *Iterator[K, V], v V) { return Range(m), v }

// RangeKV begins a range with variables for both.
func RangeKV[M ~map[K]V, K comparable, V any](m M) (it *Iterator[K, V], k K, v V) {
	return Range(m), k, v
}

// Next goes on to the next iteration and reports whether there is one.
func (it *Iterator[K, V]) Next() bool {
	if it.produced != nil {
		return it.pick()
	}
	for len(it.entries) > 0 && len(it.m) > 0 {
		e := it.entries[0]
		it.entries = it.entries[1:]
		v, ok := it.m[e.k]
		switch {
		case ok:
			it.K, it.V = e.k, v
			return true
		case e.k != e.k:
			it.K, it.V = e.k, e.v
			return true
		}
	}
	return false
}

// compareKeys returns the comparison of entries, which is fast for the usual keys.
func compareKeys[K comparable, V any]() func(a, b mapEntry[K, V]) int {
	var zero K
	switch any(zero).(type) {
	case string:
		return func(a, b mapEntry[K, V]) int {
			return cmp.Compare(any(a.k).(string), any(b.k).(string))
		}
	case int:
		return func(a, b mapEntry[K, V]) int { return cmp.Compare(any(a.k).(int), any(b.k).(int)) }
	}
	c, typ := &order.Comparer{Chan: library.ChanNumber}, reflect.TypeFor[K]()
	return func(a, b mapEntry[K, V]) int {
		return c.Compare(typ, unsafe.Pointer(&a.k), unsafe.Pointer(&b.k))
	}
}

// Announced is Next, and announces that it reads the map.
func (it *Iterator[K, V]) Announced(what string) bool {
	reads(world.Pointer(it.m), what)
	return it.Next()
}
