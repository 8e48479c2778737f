// Package pi is the subject Pi of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): a master gives each of w workers
// a part of an integral, they send back what they have computed, and it adds that up. It is for -model actor.
//
// # Counts
//
// A worker takes one message; the master takes w results, of which nothing says which comes first: w! inequivalent
// executions, 6 with three workers and 120 with five. As many under -model pairs: each sender sends once.
package pi

import "math"

// part is a worker's result.
type part struct {
	worker int
	area   float64
}

// worker integrates 4/(1+x^2) over the interval that it is sent, in steps.
func worker(id int, inbox <-chan [2]float64, master chan<- part) {
	const steps = 4
	span := <-inbox
	h := (span[1] - span[0]) / steps
	area := 0.0
	for i := range steps {
		x := span[0] + (float64(i)+0.5)*h
		area += 4 / (1 + x*x) * h
	}
	master <- part{id, area}
}

// Pi computes an approximation with w workers, and returns the order in which they were ready. The sum is that of the
// rounded parts, so that no order shows in it.
func Pi(w int) (pi float64, order []int) {
	results := make(chan part) //rehearse:mailbox
	for i := range w {
		inbox := make(chan [2]float64) //rehearse:mailbox
		go worker(i, inbox, results)
		inbox <- [2]float64{float64(i) / float64(w), float64(i+1) / float64(w)}
	}
	for range w {
		p := <-results
		order = append(order, p.worker)
		pi += math.Round(p.area*1e6) / 1e6
	}
	return math.Round(pi*1e5) / 1e5, order
}
