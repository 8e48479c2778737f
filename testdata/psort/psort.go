// Package psort is the subject pipesort of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), which is PSort of E. Albert,
// P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant State-Exploration in Testing"
// (FORTE 2014): a pipeline of n actors sorts n numbers. Each keeps the smallest that it has seen and passes the other one
// on, until there are no more. The papers do not print its source; this is a program of the same kind. It is for -model
// actor. The first probed stages are also asked where they stand, each by a client of its own.
//
// # Counts
//
// The i-th stage, from 1, gets n-i+1 numbers from the one before it. Under -model actor it takes them in any order, for all
// may be under way when it takes the first one: n!(n-1)!...1! inequivalent executions, 288 for n = 4, which is the papers'
// number with sleep sets. A question is one message more, at any of n-i+2 places: with two stages probed,
// 288 * 5 * 4 = 5760 for n = 4, which is the second paper's PSort(4,2). A question touches nothing that a number touches;
// without the order of the two 288 are left.
//
// Under -model go, and pairs, the numbers come in the order in which they were sent, and only the questions are open: 1
// without, and 5 * 4 = 20 with two stages probed. The smallest stays whatever the order is: 1 outcome.
package psort

// question asks a stage for its place in the pipeline.
type question struct{ place chan<- int }

// stage is the state of an actor.
type stage struct {
	place int
	some  bool // it has seen a number
	least int  // of those that it has seen
}

// run is a stage: it handles messages until there are no more, and tells the number that it has kept.
func run(place int, inbox <-chan any, next chan<- any, kept chan<- int) {
	s := stage{place: place}
	for msg := range inbox {
		switch m := msg.(type) {
		case int:
			s.take(m, next)
		case question:
			m.place <- s.place
		}
	}
	kept <- s.least
	close(next)
}

func (s *stage) take(n int, next chan<- any) {
	if !s.some {
		s.some, s.least = true, n
		return
	}
	next <- max(n, s.least)
	s.least = min(n, s.least)
}

// Sort returns 0..n-1 in order, and the places that the first stages have told that were probed.
func Sort(n, probed int) (sorted, places []int) {
	inboxes := make([]chan any, n+1) // the last one is that of nobody
	for i := range inboxes {
		inboxes[i] = make(chan any, n+1) //rehearse:mailbox
	}
	kept := make([]chan int, n)
	for i := range kept {
		kept[i] = make(chan int, 1)
		go run(i, inboxes[i], inboxes[i+1], kept[i])
	}
	asked := make([]chan int, probed)
	for i := range asked {
		asked[i] = make(chan int, 1)
		go ask(inboxes[i], asked[i])
	}
	for i := range n {
		inboxes[0] <- n - 1 - i
	}
	for i := range asked { // nobody may ask a stage that has gone
		places = append(places, <-asked[i])
	}
	close(inboxes[0])
	for i := range kept {
		sorted = append(sorted, <-kept[i])
	}
	return sorted, places
}

// ask asks a stage for its place.
func ask(stage chan<- any, place chan<- int) { stage <- question{place} }
