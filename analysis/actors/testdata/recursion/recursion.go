// Package recursion shows senders that call each other: whichever of them is looked at first, all
// of them send to the channel that the first caller passes.
package recursion

// Line is made by others, so no make tells what its channel is.
type Line struct {
	in   chan int
	past []int
}

// Loop serves l.
func (l *Line) Loop() {
	for n := range l.in {
		l.past = append(l.past, n)
	}
}

// Start starts l.
func (l *Line) Start() {
	go l.Loop()
	ping(l.in, 9)
}

func ping(ch chan int, n int) {
	ch <- n
	if n > 0 {
		pong(ch, n-1)
	}
}

func pong(ch chan int, n int) {
	ch <- -n
	ping(ch, n-1)
}

// Other has two functions by either of which the senders begin.
type Other struct {
	in  chan int
	sum int
}

// Loop serves o.
func (o *Other) Loop() {
	for n := range o.in {
		o.sum += n
	}
}

// Start starts o.
func (o *Other) Start() {
	go o.Loop()
	tick(o.in, 9)
	tock(o.in, 9)
}

func tick(ch chan int, n int) {
	ch <- n
	if n > 0 {
		tock(ch, n-1)
	}
}

func tock(ch chan int, n int) {
	ch <- -n
	tick(ch, n-1)
}

// WANT:
// sent Line.Loop Line.in in ping by env
// sent Line.Loop Line.in in pong by env
// sent Other.Loop Other.in in tick by env
// sent Other.Loop Other.in in tock by env
