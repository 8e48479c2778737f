// Package qsort is the subject QSort of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), and of E. Albert, P. Arenas,
// M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant State-Exploration in Testing" (FORTE
// 2014): an actor for each part of a list, which splits its part at the middle element, makes two actors for what is
// smaller and what is not, waits for their results, and sends the whole to its own client. The papers do not print its
// source; this is a program of the same kind.
//
// # Counts
//
// An actor with two elements or more receives its results in either order, and nothing else is open. A list that is
// sorted already is split in halves, neither of which is empty, so n elements make n-1 such actors, and 2^(n-1)
// inequivalent executions, the papers' number of paths with sleep sets: 16 for five elements, 32 for six. They do not
// depend on the order in which a mailbox delivers, for each actor sends once to another. The result is always the same: 1 outcome.
//
// The first paper's dpor without sleep sets needs 368, 3822 and 32 executions for six elements with the orders fifo, eca and
// lca, and so does -strategy dpor -model actor. The paper's root has no client. Here the test waits for its result, which is
// one more delivery in each execution.
package qsort

// part is a list on its way to an actor, or, in order, back to its client; low says on which side of the client's it is.
type part struct {
	low  bool
	list []int
}

// sort is an actor. Its first message is what it has to sort.
func sort(inbox chan part, client chan<- part) {
	whole := <-inbox
	if len(whole.list) < 2 {
		client <- whole
		return
	}
	for _, half := range split(whole.list) {
		child := make(chan part, 3) //rehearse:mailbox
		go sort(child, inbox)
		child <- half
	}
	first, second := <-inbox, <-inbox
	if !first.low {
		first, second = second, first
	}
	client <- part{whole.low, append(append([]int{}, first.list...), second.list...)}
}

func split(list []int) (halves [2]part) {
	halves[0].low = true
	pivot := list[len(list)/2]
	for _, v := range list {
		side := &halves[1]
		if v < pivot {
			side = &halves[0]
		}
		side.list = append(side.list, v)
	}
	return halves
}

// Run sorts 0..n-1, which are in order, and returns them.
func Run(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	root, result := make(chan part, 3), make(chan part, 1) //rehearse:mailbox
	go sort(root, result)
	root <- part{list: list}
	return (<-result).list
}
