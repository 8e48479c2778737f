// Package example is the program of the README: a theatre sells its last seat twice. The theatre is an actor that
// answers how many seats are free and books seats; a buyer asks first and books then, and somebody else may ask in
// between.
//
// # Counts
//
// The theatre takes one request at a time. A (main) and B ask and, if the answer was 1, book. A asks and books before B
// asks, or the other way round: 2 executions, one seat sold. Both ask before either books: 2 orders of asking, 2 of
// booking, 4 executions, two seats sold. 6 inequivalent executions, 2 outcomes.
package example

func theatre(seats int, free chan<- int, book <-chan bool) {
	for open := true; open; {
		select {
		case free <- seats:
		case _, open = <-book:
			seats--
		}
	}
}

func buy(free <-chan int, book chan<- bool) {
	if <-free > 0 {
		book <- true
	}
}
