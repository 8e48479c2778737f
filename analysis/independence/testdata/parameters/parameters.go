// Package main has actors whose maps, slices and closures are of type parameters.
package main

import "fmt"

type (
	count struct{}
	note  struct{}
	put   struct{}
	sum   struct{}
	look  struct{}
	wipe  struct{}
	size  struct{}
	set   struct{}
	text  struct{}
	first struct{}
	show  struct{}
	wrap  struct{}
	seen  struct{}
)

type ordered[T any] interface{ less(T) bool }

type actor[K comparable, M ~map[K]int, B ~[]byte, C ~[]byte | ~string, O ordered[O]] struct {
	in    chan any
	f     func()
	last  int
	m     M
	k     K
	raw   []byte
	b     B
	c     C
	o     O
	box   box[K]
	at    byte
	texts [3]string
}

func (a *actor[K, M, B, C, O]) loop() {
	n := 0
	a.f = func() { n++ }
	for m := range a.in {
		switch m.(type) {
		case count:
			a.f()
		case note:
			a.last = n
		case put:
			a.m[a.k] = 5
		case sum:
			for range a.m {
				a.last++
			}
		case look:
			a.last += a.m[a.k]
		case wipe:
			clear(a.m)
		case size:
			a.last += len(a.m)
		case set:
			a.raw[0] = 1
		case text:
			a.texts[0] = string(a.b)
		case first:
			a.at = a.c[0]
		case show:
			a.texts[1] = fmt.Sprint(a.o)
		case wrap:
			a.texts[2] = fmt.Sprint(&a.box)
		case seen:
			a.last = shown
		}
	}
}

var shown int

type number int

func (x number) less(y number) bool { return x < y }
func (x number) String() string     { shown++; return "" }

type box[T any] struct{ v T }

func (b *box[T]) String() string { shown = 7; return "" }

func main() {
	raw := []byte("abc")
	a := &actor[string, map[string]int, []byte, []byte, number]{in: make(chan any),
		m: map[string]int{}, raw: raw, b: raw, c: raw}
	go a.loop()
	for _, m := range []any{count{}, note{}, put{}, sum{}, look{}, wipe{}, size{}, set{}, text{},
		first{}, show{}, wrap{}, seen{}} {
		a.in <- m
	}
	close(a.in)
}

// WANT:
// count: update n by + captured
// put: write actor.m = 5 entry
// sum: read actor.m entry
// look: read actor.m entry
// wipe: write actor.m entry
// size: read actor.m entry
// text: read actor.b[] element
// first: read actor.c[] element
// show: update main.shown by + global
// wrap: write main.shown = 7 global
// pair count note: dependent
// pair put sum: dependent
// pair put look: dependent
// pair put wipe: dependent
// pair put size: dependent
// pair set text: dependent
// pair set first: dependent
// pair show seen: dependent
// pair wrap seen: dependent
// pair count set: independent
