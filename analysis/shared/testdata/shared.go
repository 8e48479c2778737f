package shared

import (
	"sync"
	"testing"
)

// A comment "shared: name ..." or "private: name ..." behind a line says of the variables that are declared there whether
// several processes may touch them.

var global int // shared: global

var setOnce = 1 // private: setOnce

var onlyTest int // private: onlyTest

type actor struct {
	inbox chan int // private: inbox
	state int      // shared: state
	label string   // private: label
}

func newActor() *actor {
	a := &actor{inbox: make(chan int), label: "a"} // private: a
	go a.loop()
	return a
}

// loop serves the inbox: each value might be taken by a process of its own.
func (a *actor) loop() {
	for n := range a.inbox {
		a.state += n
		global++
	}
}

type pool struct {
	mu    sync.Mutex
	count int            // shared: count
	seen  map[string]int // shared: seen
	size  int            // private: size
}

func (p *pool) worker() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	p.seen["x"] = p.size
}

type doer interface{ do() }

type one struct{ n int } // shared: n

func (o *one) do() { o.n++ }

func TestAll(t *testing.T) {
	onlyTest++
	global = setOnce
	newActor().inbox <- 1
	p := &pool{seen: map[string]int{}, size: 1} // private: p
	for range 3 {
		go p.worker()
	}
	captured, alone, given := 0, 0, 0 // shared: captured given // private: alone
	result := make(chan int)          // private: result
	go func() {
		inner := 1 // private: inner
		inner++
		captured = inner
		result <- 1
	}()
	alone++
	captured++
	<-result
	go set(&given)
	given = 2
	var d doer = &one{}
	go d.do()
	d.do()
}

func set(x *int) { *x = 1 }
