// Functions that the library calls.
package main

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"
)

type thing struct{ n int }

type byN []*thing

func (s byN) Len() int           { return len(s) }
func (s byN) Less(i, j int) bool { return s[i].n < s[j].n }
func (s byN) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

type problem struct{ cause *thing }

func (p *problem) Error() string { return "problem" }

func (t *thing) String() string { return "thing" }

func (t *thing) Secret() string { return "secret" }

func (t *thing) work() {
	print(t) //@ worker
}

func main() {
	var once sync.Once
	a := &thing{}   //@ a
	b := &thing{}   //@ b
	once.Do(a.work) //@ do
	things := []*thing{a, b}
	sort.Slice(things, func(i, j int) bool { return things[i].n < things[j].n }) //@ slice
	sort.Sort(byN(things))                                                       //@ sort
	print(things[0])                                                             //@ first
	time.AfterFunc(time.Second, b.work)                                          //@ after
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	context.AfterFunc(ctx, func() { //@ afterctx
		print(a) //@ inctx
	})
	fmt.Println(a) //@ println

	var m sync.Map
	m.Store("k", a)
	v, _ := m.Load("k")
	print(v.(*thing))             //@ loaded
	m.Range(func(k, v any) bool { //@ range
		print(v.(*thing)) //@ ranged
		return true
	})
	var other sync.Map
	other.Store("k", b)
	w, _ := other.Load("k")
	print(w.(*thing)) //@ other

	pool := sync.Pool{New: func() any { return &thing{} }} //@ made
	print(pool.Get().(*thing))                             //@ pooled
	pool.Put(b)

	ctx = context.WithValue(ctx, "key", b)
	print(ctx.Value("key").(*thing)) //@ value

	err := fmt.Errorf("wrapped: %w", &problem{a}) //@ err
	var p *problem
	if errors.As(err, &p) {
		print(p.cause) //@ cause
	}
	tm := time.NewTimer(time.Second) //@ timer
	print(tm.C)                      //@ timerc
	wg := new(sync.WaitGroup)
	wg.Go(func() { print(b) }) //@ group
	wg.Wait()
}

// WANT:
//
//	worker: a b
//	calls do: ~(thing).work$bound
//	calls slice: ~main$1
//	calls sort: ~(byN).Len ~(byN).Less ~(byN).Swap
//	first: a b
//	calls after: ~(thing).work$bound
//	calls afterctx: ~main$2
//	inctx: a
//	calls println: ~(thing).String
//	loaded: a
//	ranged: a
//	calls range: ~main$3 ~(thing).String
//	other: b
//	pooled: b made
//	value: !made
//	value: b
//	cause: a
//	timerc: timer
//	group: b
//	calls group: ~main$5
