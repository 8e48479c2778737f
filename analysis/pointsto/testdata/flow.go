// Interfaces, generics, maps, function values, method values, embedded structs and recursion.
package main

import "os"

type item struct{ next *item }

type box interface{ get() *item }

type left struct{ it *item }

type right struct{ it *item }

func (l *left) get() *item { return l.it } //@ left

func (r right) get() *item { return r.it }

type unused struct{}

func (unused) get() *item { return new(item) }

func swap[A, B any](a A, b B) (B, A) { return b, a }

type list[T any] struct {
	elem T
	next *list[T]
}

func (l *list[T]) push(x T) *list[T] { return &list[T]{x, l} }

type base struct{ ch chan int }

func (b *base) mailbox() chan int { return b.ch }

type derived struct {
	base
	name string
}

func last(it *item) *item {
	if it.next == nil {
		return it
	}
	return last(it.next)
}

func main() {
	a, b := &item{}, &item{} //@ ab
	one := &item{}           //@ one
	two := &item{}           //@ two
	_, _ = a, b

	var x box = &left{one} //@ lefts
	print(x.get())         //@ got
	if len(os.Args) > 1 {
		x = right{two}
	}
	print(x.get()) //@ gotboth
	print(x)       //@ x
	if r, ok := x.(right); ok {
		print(r.it) //@ asserted
	}
	if l, ok := x.(*left); ok {
		print(l.it) //@ assertedleft
	}

	p, q := swap(one, two)
	print(p) //@ p
	print(q) //@ q

	var l *list[*item]
	l = l.push(one)
	print(l.elem) //@ pushed

	m := map[*item]chan int{}
	c := make(chan int) //@ c
	d := make(chan int) //@ d
	m[one] = c
	for k, v := range m {
		print(k) //@ key
		print(v) //@ value
	}
	print(m[two]) //@ lookup
	_ = d

	f := func() *item { return one }
	print(f()) //@ closure
	g := x.get // a bound method
	print(g()) //@ bound
	h := (*left).get
	print(h(&left{two})) //@ thunk

	e := derived{base: base{ch: d}}
	print(e.mailbox()) //@ promoted
	i := interface{ mailbox() chan int }(&e)
	print(i.mailbox()) //@ wrapped

	one.next = two
	print(last(one)) //@ last
	s := []*item{one}
	s = append(s, two)
	print(s[0]) //@ elem
	t := make([]*item, 1)
	copy(t, s)
	print(t[0])      //@ copied
	print(&one.next) //@ field

	defer func() {
		print(recover().(*item)) //@ recovered
	}()
	panic(two)
}

// WANT:
//
//	got: one two
//	gotboth: one two
//	asserted: two
//	assertedleft: one
//	types x: *left right
//	calls got: (left).get
//	calls gotboth: (left).get (right).get
//	p: two
//	q: one
//	pushed: one
//	key: one
//	value: c
//	lookup: c
//	closure: one
//	bound: one two
//	thunk: one two
//	promoted: d
//	wrapped: d
//	last: one two
//	elem: one two
//	copied: one two
//	field: one
//	recovered: two
//	key !| lookup
