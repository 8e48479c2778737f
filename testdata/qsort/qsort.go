// Package qsort is the subject QSort of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), and of E. Albert, P. Arenas,
// M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant State-Exploration in Testing" (FORTE
// 2014): an actor for each part of a list, which splits its part at the first element, makes two actors for what is
// smaller and what is not, waits for their results, and sends the whole to its own client. The papers do not print its
// source; this is a program of the same kind.
//
// # Counts
//
// An actor with two elements or more receives its results in either order, and nothing else is open. A list that is
// sorted already is the worst case: of n elements n-1 go to one side, so there are n-1 such actors, and 2^(n-1)
// inequivalent executions, the papers' number of paths with sleep sets: 16 for five elements, 32 for six. They do not
// depend on the order in which a mailbox delivers, for each actor sends once. The result is always the same: 1 outcome.
package qsort

// part is what an actor sends to its client: its side, and its elements in order.
type part struct {
	low    bool
	sorted []int
}

// sort sends the elements of list to its client.
func sort(low bool, list []int, client chan<- part) {
	if len(list) < 2 {
		client <- part{low, list}
		return
	}
	results := make(chan part, 2) //rehearse:mailbox
	smaller, others := split(list[0], list[1:])
	go sort(true, smaller, results)
	go sort(false, others, results)
	first, second := <-results, <-results
	if !first.low {
		first, second = second, first
	}
	client <- part{low, append(append(first.sorted, list[0]), second.sorted...)}
}

func split(pivot int, list []int) (smaller, others []int) {
	for _, v := range list {
		if v < pivot {
			smaller = append(smaller, v)
		} else {
			others = append(others, v)
		}
	}
	return smaller, others
}

// Run sorts 0..n-1, which are in order, and returns them.
func Run(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	result := make(chan part, 1) //rehearse:mailbox
	go sort(true, list, result)
	return (<-result).sorted
}
