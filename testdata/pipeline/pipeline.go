// Package pipeline sends M items through N stages, each of which adds one.
//
// # Counts
//
// Every channel has one sender and one receiver, nobody selects, and nobody looks at a channel's length: each goroutine
// receives the same values in the same order whatever the schedule is. 1 inequivalent execution, for Run (channels
// with room for all items, stages that count) and for RunUnbuffered (unbuffered channels, stages that end when their
// input is closed).
//
// Under -model actor each of the N+1 mailboxes delivers its M items in any order, for all may be there when the first one is
// taken: (M!)^(N+1), 1296 for N = M = 3, and the tests fail, for they want the items in order. Under -model pairs 1.
package pipeline

// Run sends 0..items-1 through the stages and returns what comes out.
func Run(stages, items int) []int {
	first := make(chan int, items)
	out := first
	for range stages {
		in := out
		out = make(chan int, items)
		go count(in, out, items)
	}
	for i := range items {
		first <- i
	}
	got := make([]int, items)
	for i := range got {
		got[i] = <-out
	}
	return got
}

func count(in <-chan int, out chan<- int, items int) {
	for range items {
		out <- 1 + <-in
	}
}

// RunUnbuffered is Run with unbuffered channels, which are closed from the front to the end.
func RunUnbuffered(stages, items int) []int {
	out := source(items)
	for range stages {
		out = stage(out)
	}
	var got []int
	for v := range out {
		got = append(got, v)
	}
	return got
}

func source(items int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range items {
			out <- i
		}
	}()
	return out
}

func stage(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for v := range in {
			out <- v + 1
		}
	}()
	return out
}
