// Package phil has N dining philosophers who eat once. The forks are actors, too: a fork offers itself, is taken, and
// offers itself again when it has been put back, until the table is cleared. A philosopher takes the left fork, then the
// right one, puts both back, and tells the main program. Dine may deadlock; in DineSafely the last philosopher takes
// the right fork first.
//
// # Counts
//
// Two philosophers want each fork, so an execution says for every fork who has it first, and in which order the
// philosophers report. Of the 2^N ways to share the forks two are circles.
//
//   - Everybody has the left fork first. Dine: all hold one fork and wait for the other, the deadlock, and nobody has
//     reported. DineSafely: impossible, since the last one has the left fork only after the right one, for which he
//     would be second.
//   - Everybody has the right fork first. Dine: impossible, since whoever takes the right fork holds the left one
//     already. DineSafely: impossible likewise, for all but the last one.
//
// In the other 2^N - 2 all N get to eat, and may all have eaten before the first of them reports: N! orders of reports.
// DineSafely has N!(2^N - 2) inequivalent executions, Dine one more; for N = 3 that is 36 and 37. The tests log nothing,
// so there is one outcome, and the deadlock.
package phil

type fork struct {
	take chan struct{} // holds a value while the fork lies on the table
	put  chan struct{}
}

func newFork() fork {
	f := fork{take: make(chan struct{}, 1), put: make(chan struct{})}
	f.take <- struct{}{}
	go f.loop()
	return f
}

func (f fork) loop() {
	for range f.put {
		f.take <- struct{}{}
	}
}

// Dine has n philosophers eat. It may never return.
func Dine(n int) { dine(n, false) }

// DineSafely has n philosophers eat, of whom the last is left-handed.
func DineSafely(n int) { dine(n, true) }

func dine(n int, swap bool) {
	forks := make([]fork, n)
	for i := range forks {
		forks[i] = newFork()
	}
	done := make(chan struct{}, n)
	for i := range n {
		left, right := forks[i], forks[(i+1)%n]
		if swap && i == n-1 {
			left, right = right, left
		}
		go eat(left, right, done)
	}
	for range n {
		<-done
	}
	for _, f := range forks {
		close(f.put)
	}
}

func eat(first, second fork, done chan<- struct{}) {
	<-first.take
	<-second.take
	first.put <- struct{}{}
	second.put <- struct{}{}
	done <- struct{}{}
}
