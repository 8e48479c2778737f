package hook

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/model/hidden"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Iterator is a range over a map. A controlled process gets the keys in the order of package order,
// as far as that order tells them apart. If orders are choices of the schedule, vary decides. As in
// Go, a key that is deleted meanwhile is not produced; a key that is added is left out, too.
type Iterator[K comparable, V any] struct {
	K K // of the present iteration
	V V

	m        map[K]V
	entries  []mapEntry[K, V] // still to come
	produced map[K]bool       // if the next key is a choice: those that are behind; otherwise nil
}

// mapEntry is what the map held at the beginning. The value is used only for a key that differs
// from itself (NaN), which cannot be looked up.
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
		it.entries = library.UsualOrder(it.entries)
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
	c, typ := library.Order(), reflect.TypeFor[K]()
	return func(a, b mapEntry[K, V]) int {
		return c.Compare(typ, unsafe.Pointer(&a.k), unsafe.Pointer(&b.k))
	}
}

// Announced is Next, and announces that it reads the map.
func (it *Iterator[K, V]) Announced(what string) bool {
	reads(world.Pointer(it.m), what)
	return it.Next()
}

// The order of a range over a map as hidden choices: each choice picks the next of the remaining
// keys. A key that is added meanwhile may be produced or not, as in Go; so may a key that is
// deleted and added again. If both happen between two iterations, the key counts as having been
// there all the time.

// vary makes the order of the keys a choice.
func (it *Iterator[K, V]) vary() {
	switch n := len(it.entries); {
	case n <= hidden.MaxKeys:
		it.produced = map[K]bool{}
	case library.Reversed(n):
		slices.Reverse(it.entries)
	}
}

// pick goes on to the next iteration, with a key that the schedule chooses. When only added keys
// are left, the iteration may also end: that is the first alternative then.
func (it *Iterator[K, V]) pick() bool {
	it.forgetDeleted()
	list := append(slices.Clip(it.entries), it.added()...)
	end := 0
	if len(it.entries) == 0 {
		end = 1
	}
	if len(list) == 0 {
		return false
	}
	i := library.PickOf(end+len(list), func() []string { return keyTexts(end, list) }) - end
	if i < 0 {
		return false
	}
	it.produce(list[i])
	if i < len(it.entries) {
		it.entries = slices.Concat(it.entries[:i], it.entries[i+1:])
	}
	return true
}

func (it *Iterator[K, V]) produce(e mapEntry[K, V]) {
	it.K, it.V = e.k, e.v
	if e.k == e.k {
		it.V, it.produced[e.k] = it.m[e.k], true
	}
}

// forgetDeleted drops the keys that are no longer in the map. A key that is not equal to itself
// goes with all others.
func (it *Iterator[K, V]) forgetDeleted() {
	it.entries = slices.DeleteFunc(it.entries, func(e mapEntry[K, V]) bool {
		_, ok := it.m[e.k]
		return !ok && (e.k == e.k || len(it.m) == 0)
	})
	for k := range it.produced {
		if _, ok := it.m[k]; !ok {
			delete(it.produced, k)
		}
	}
}

// added lists the keys that have come into the map since the iteration began.
func (it *Iterator[K, V]) added() (list []mapEntry[K, V]) {
	if len(it.m) == len(it.entries)+len(it.produced) {
		return nil
	}
	for k := range it.m {
		if k == k && !it.produced[k] &&
			!slices.ContainsFunc(it.entries, func(e mapEntry[K, V]) bool { return e.k == k }) {
			list = append(list, mapEntry[K, V]{k: k})
		}
	}
	slices.SortStableFunc(list, compareKeys[K, V]())
	if room := hidden.MaxKeys - len(it.entries); len(list) > room {
		library.Insertions()
		list = list[:room]
	}
	return list
}

// keyTexts describes alternatives; the first of them is the end of the iteration, if end is 1.
func keyTexts[K comparable, V any](end int, list []mapEntry[K, V]) []string {
	texts := []string{"no further key"}[:end]
	for _, e := range list {
		texts = append(texts, "key "+library.KeyText(e.k))
	}
	return texts
}

// MapKeys is maps.Keys.
func MapKeys[M ~map[K]V, K comparable, V any](m M) iter.Seq[K] {
	look := looking(m, "maps.Keys")
	return func(yield func(K) bool) {
		for it := Range(m); look() && it.Next() && yield(it.K); {
		}
	}
}

// MapValues is maps.Values.
func MapValues[M ~map[K]V, K comparable, V any](m M) iter.Seq[V] {
	look := looking(m, "maps.Values")
	return func(yield func(V) bool) {
		for it := Range(m); look() && it.Next() && yield(it.V); {
		}
	}
}

// MapAll is maps.All.
func MapAll[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] {
	look := looking(m, "maps.All")
	return func(yield func(K, V) bool) {
		for it := Range(m); look() && it.Next() && yield(it.K, it.V); {
		}
	}
}

// looking returns what announces each step of a range over m, which the named function has begun.
func looking[M ~map[K]V, K comparable, V any](m M, function string) func() bool {
	what, watching := given(function)
	return func() bool {
		if watching {
			reads(world.Pointer(m), what)
		}
		return true
	}
}
