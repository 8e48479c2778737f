// Package spinsort is the subject Spin Sort of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis, University
// of Illinois at Urbana-Champaign, 2009), section 7.2: a row of nodes, the first of which gets all values. Each keeps the
// smallest one that it has seen and passes the others on to the next. The thesis does not print its program. It is for -model
// actor, and right under all models.
//
// # Counts
//
// Under Go's own delivery every link has one sender, so that only the order of the reports is open: n!.
package spinsort

// place is a value that has found its node.
type place struct{ node, value int }

// node keeps the smallest of n values.
func node(i, n int, inbox <-chan int, next chan<- int, result chan<- place) {
	kept := <-inbox
	for range n - 1 {
		v := <-inbox
		if v < kept {
			kept, v = v, kept
		}
		next <- v
	}
	result <- place{i, kept}
}

// Sort returns the values in ascending order.
func Sort(values []int) []int {
	n := len(values)
	result := make(chan place, n) //rehearse:mailbox
	var head chan int
	for i := n - 1; i >= 0; i-- {
		inbox := make(chan int, n) //rehearse:mailbox
		go node(i, n-i, inbox, head, result)
		head = inbox
	}
	for _, v := range values {
		head <- v
	}
	sorted := make([]int, n)
	for range n {
		p := <-result
		sorted[p.node] = p.value
	}
	return sorted
}
