// Package main has functions that have a name and a position in common.
package main

import "sync"

type list[T any] struct {
	head T
	rest *list[T]
}

func (l *list[T]) add(x T) *list[T] { return l.with(x) }

func (l *list[T]) with(x T) *list[T] { return &list[T]{x, l} }

func (l *list[T]) len() int {
	if l == nil {
		return 0
	}
	return 1 + l.rest.len()
}

func swap[T, U any](x T, y U) (U, T) {
	back := func() (U, T) { return y, x }
	return back()
}

func one() (any, *list[int]) {
	type box struct{ sync.Mutex }
	b, n := swap(1, &box{})
	return b, (*list[int])(nil).add(n)
}

func two() (any, *list[string]) {
	type box struct{ sync.Mutex }
	b, s := swap("", &box{})
	var l *list[string]
	return b, l.add(s)
}

func three() (any, *list[*struct{}]) {
	type box struct{ sync.Mutex }
	b, i := swap(1, &box{})
	x, _ := swap(i, &box{})
	return []any{b, x}, nil
}

// Names of parameters and aliases make no difference.
type anything = interface{}

func call(f func(x any)) { f(1) }

func noted(y anything) {}

func clearAny(m *map[string]any) { *m = nil }

func clearAnything(m *map[string]anything) { *m = nil }

func main() {
	call(noted)
	clearAny(&map[string]any{})
	clearAnything(&map[string]any{})
	a, l := one()
	b, m := two()
	c, n := three()
	println(a, b, c, l.len(), m.len(), n.len())
}
