package bench

import (
	"fmt"
	"slices"
	"testing"
)

// TestElectionCounts derives the numbers of le-erlang without running it. It counts the orders in
// which each of n nodes may take its n-1 messages, without those that a cycle makes impossible.
// Under the model actor a message is sent before it is taken; under go the sends to a node also
// come in the order in which it takes them.
func TestElectionCounts(t *testing.T) {
	for _, c := range []struct {
		nodes int
		fifo  bool
		want  int
	}{{3, false, 8}, {3, true, 7}, {4, false, 1296}, {4, true, 654}} {
		if got := elections(c.nodes, c.fifo); got != c.want {
			t.Errorf("%d nodes, first in first out %v: %d, want %d", c.nodes, c.fifo, got, c.want)
		}
		name := fmt.Sprintf("le-erlang(%d)", c.nodes)
		for _, s := range all(t) {
			model := map[bool]string{true: "go", false: "actor"}[c.fifo]
			if s.Name == name && *s.known(model) != c.want {
				t.Errorf("%s, %s: golden.json has %d, want %d", name, model, *s.known(model),
					c.want)
			}
		}
	}
}

// elections counts the combinations of orders that are possible.
func elections(nodes int, fifo bool) int {
	n := 0
	taken := make([][]int, nodes) // the senders of what each node takes, in order
	var choose func(node int)
	choose = func(node int) {
		if node == nodes {
			if possible(taken, fifo) {
				n++
			}
			return
		}
		for _, order := range permutations(others(nodes, node)) {
			taken[node] = order
			choose(node + 1)
		}
	}
	choose(0)
	return n
}

// possible reports whether there is no cycle. A node sends its halts, to the last node first. Each
// message from an earlier node is a halt, which the node answers before it takes the next message.
// It removes events that nothing comes before, as long as there are some; a circle stays.
func possible(taken [][]int, fifo bool) bool {
	before := map[string][]string{} // what comes immediately before an event
	sent := func(from, to int) string { return fmt.Sprint("send", from, ">", to) }
	got := func(from, to int) string { return fmt.Sprint("take", from, ">", to) }
	for node, senders := range taken {
		last := ""
		step := func(event string) {
			before[event] = append(before[event], last)
			last = event
		}
		for to := len(taken) - 1; to > node; to-- {
			step(sent(node, to))
		}
		for i, from := range senders {
			step(got(from, node))
			before[got(from, node)] = append(before[got(from, node)], sent(from, node))
			if from < node {
				step(sent(node, from))
			}
			if fifo && i > 0 {
				before[sent(from, node)] = append(before[sent(from, node)],
					sent(senders[i-1], node))
			}
		}
	}
	done := map[string]bool{"": true}
	for progress := true; progress; {
		progress = false
		for event, earlier := range before {
			if !done[event] && !slices.ContainsFunc(earlier,
				func(e string) bool { return !done[e] }) {
				done[event], progress = true, true
			}
		}
	}
	return len(done) == len(before)+1
}

func others(n, node int) []int {
	var list []int
	for i := range n {
		if i != node {
			list = append(list, i)
		}
	}
	return list
}

func permutations(list []int) [][]int {
	if len(list) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, first := range list {
		for _, rest := range permutations(slices.Concat(list[:i], list[i+1:])) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}
