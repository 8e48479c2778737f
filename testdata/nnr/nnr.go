// Package nnr ("N non-blocking receives") has N goroutines that look into a channel to which nobody sends.
//
// # Counts
//
// A receive that does not happen changes nothing, so the N looks commute: 1 inequivalent execution. The goroutines
// report their end on channels of their own, because a shared one would order them.
package nnr

// Run returns how many of n goroutines found a value.
func Run(n int) int {
	ch := make(chan int, 1)
	found := make([]chan bool, n)
	for i := range found {
		found[i] = make(chan bool, 1)
		go look(ch, found[i])
	}
	count := 0
	for _, f := range found {
		if <-f {
			count++
		}
	}
	return count
}

func look(ch <-chan int, found chan<- bool) {
	select {
	case <-ch:
		found <- true
	default:
		found <- false
	}
}
