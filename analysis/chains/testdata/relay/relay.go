// Package relay has actors that send to each other, and two of one type with a mailbox each.
package relay

type first struct {
	in  chan int
	out chan string
}

func (a *first) loop() {
	for x := range a.in {
		if x > 0 {
			a.forward()
		}
	}
}

func (a *first) forward() { a.out <- "x" }

type second struct {
	in   chan string
	done chan bool
}

func (b *second) loop() {
	for range b.in {
		go func() { b.done <- true }()
	}
}

type third struct {
	in chan bool
	n  int
}

func (c *third) loop() {
	for range c.in {
		c.n++
	}
}

func Start() chan int {
	c := &third{in: make(chan bool)}
	b := &second{make(chan string), c.in}
	a := &first{make(chan int), b.in}
	go a.loop()
	go b.loop()
	go c.loop()
	return a.in
}

// WANT:
// first.loop::first.in -> second.loop::second.in depth 1
// second.loop::second.in -> third.loop::third.in depth 0
// ! first.loop::first.in -> third
// ! second.loop::second.in -> first
// ! third
