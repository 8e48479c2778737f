// Package main has generic actors. Their facts are about the code as it is written: two methods of
// one type have type parameters of their own, and an instance does what the code does not say.
package main

import "sync"

type store[K comparable, V any] struct{ m map[K]V }

func (s *store[K, V]) put(k K, v V) { s.m[k] = v }
func (s *store[A, B]) drop(a A)     { delete(s.m, a) }

// sink is an interface that is another one in each instance.
type sink[T any] interface{ take(T) }

type (
	put[K any]    struct{ k K }
	drop[K any]   struct{ k K }
	call[V any]   struct{ f func(V) }
	see[V any]    struct{ v V }
	pass[V any]   struct{ v V }
	hand[V any]   struct{ v V }
	answer[V any] struct{ to chan put[V] }
)

type actor[K comparable, V any, S sink[V]] struct {
	in    chan any
	store store[K, V]
	each  func(V)
	next  sink[V]
	same  S
}

func start[K comparable, V any, S sink[V]](each func(V), s S) *actor[K, V, S] {
	a := &actor[K, V, S]{make(chan any), store[K, V]{map[K]V{}}, each, s, s}
	go a.loop()
	return a
}

func (a *actor[P, Q, S]) loop() {
	var zero Q
	for m := range a.in {
		switch m := m.(type) {
		case put[P]:
			a.store.put(m.k, zero)
		case drop[P]:
			a.store.drop(m.k)
		case call[Q]:
			m.f(zero)
		case see[Q]:
			a.each(m.v)
		case pass[Q]:
			a.next.take(m.v)
		case hand[Q]:
			a.same.take(m.v)
		case answer[Q]:
			m.to <- put[Q]{zero}
		}
	}
}

type sum struct{ n int }

func (s *sum) take(n int) { s.n += n }

type text struct{ s string }

func (t *text) take(s string) { t.s = s }

var total, last int

func main() {
	a := start[string](func(n int) { total += n }, &sum{})
	b := start[int](func(string) { last = 1 }, &text{})
	var wg sync.WaitGroup
	wg.Go(func() { a.in <- put[string]{"x"} })
	wg.Go(func() { a.in <- drop[string]{"x"} })
	wg.Go(func() { a.in <- call[int]{func(int) { last = 2 }} })
	wg.Go(func() { a.in <- pass[int]{1} })
	wg.Go(func() { a.in <- hand[int]{1} })
	wg.Go(func() { b.in <- hand[string]{"y"} })
	wg.Wait()
	c := make(chan put[int], 1)
	a.in <- see[int]{3}
	a.in <- answer[int]{c}
	println((<-c).k)
	close(a.in)
	close(b.in)
}

// WANT:
// put[P]: write store.m[m.k] entry
// drop[P]: write store.m[m.k] by delete entry
// call[Q]: write main.last = 2 global
// ! call[Q]: unknown
// see[Q]: update main.total by + global
// see[Q]: write main.last = 1 global
// ! see[Q]: unknown
// pass[Q]: update sum.n by + field
// pass[Q]: write text.s = m.v field
// ! pass[Q]: unknown
// hand[Q]: update sum.n by + field
// hand[Q]: write text.s = m.v field
// answer[Q]: send on answer.to (depth 0)
// pair put[P] put[P]: commute when m1.k != m2.k
// pair put[P] drop[P]: dependent
// pair put[P] see[Q]: independent
// pair drop[P] drop[P]: independent
// pair call[Q] see[Q]: dependent
// pair see[Q] pass[Q]: independent
// pair pass[Q] hand[Q]: commute when m1.v == m2.v
// pair answer[Q] answer[Q]: commute when m1.to != m2.to
