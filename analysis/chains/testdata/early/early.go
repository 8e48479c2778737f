// Package early has goroutines that send before they wait for anything, and after.
package early

type question struct{ answer chan int }

func server(in chan question, n int) {
	for q := range in {
		n++
		q.answer <- n
	}
}

func sink(in chan int, sum int) {
	for x := range in {
		sum += x
	}
}

func ask(to chan question) int {
	answer := make(chan int, 1)
	to <- question{answer}
	return <-answer
}

// once asks, and then sends what it got.
func once(to chan question, out chan int) { out <- ask(to) }

// twice asks by the same code, before it has waited and after.
func twice(to chan question, out chan int) {
	if ask(to) > 1 {
		ask(to)
	}
}

// around comes to the place of its first send again.
func around(to chan question, out chan int) {
	for range 2 {
		ask(to)
	}
}

// waiting waits in a function that it calls by way of another one.
func waiting(start chan bool, to chan question) {
	indirect(start)
	ask(to)
}

func indirect(start chan bool) { wait(start) }

func wait(start chan bool) { <-start }

// starting starts a goroutine that asks; the second one when it has waited.
func starting(start chan bool, to chan question, out chan int) {
	go func() { out <- 1 }()
	<-start
	go ask(to)
}

// deferring asks in the end.
func deferring(start chan bool, to chan question) {
	defer ask(to)
	<-start
}

// recursing calls itself, and then sends.
func recursing(n int, to chan question, out chan int) {
	if n > 0 {
		recursing(n-1, to, out)
	}
	out <- n
	ask(to)
}

func Start() {
	to, out, start := make(chan question, 10), make(chan int, 10), make(chan bool)
	go server(to, 0)
	go sink(out, 0)
	go once(to, out)
	go twice(to, out)
	go around(to, out)
	go waiting(start, to)
	go starting(start, to, out)
	go deferring(start, to)
	go recursing(3, to, out)
	close(start)
}

// WANT:
// once -> server::in depth 0, early
// once -> sink::in depth 0
// ! once -> sink::in depth 0, early
// twice -> server::in depth 0
// ! twice -> server::in depth 0, early
// around -> server::in depth 1
// ! around -> server::in depth 1, early
// waiting -> server::in depth 0
// ! waiting -> server::in depth 0, early
// starting -> sink::in depth 0, early
// starting -> server::in depth 0
// ! starting -> server::in depth 0, early
// deferring -> server::in depth 0
// ! deferring -> server::in depth 0, early
// recursing -> sink::in depth 0
// ! recursing -> sink::in depth 0, early
// ! recursing -> server::in depth 0, early
