package stable

import (
	"slices"

	"github.com/rehearse-go/rehearse/analysis/facts"
)

// maxChains bounds the chains that count between a task and a class: there may be exponentially many.
const maxChains = 200

// calls are the static calls between handlers, with what has been asked of them.
type calls struct {
	next  map[facts.Target][]facts.Call
	found map[ends]*way
	sends map[string][]string // from a class to those of the actors that its tasks call
}

type ends struct {
	from  facts.Target
	class string
}

// way is what is between a task and a class.
type way struct {
	between map[string]bool // classes of all tasks on the way
	reaches bool            // there is a way
	chains  []chain
}

// chain is an element of Ch(A1::m1) that ends at the class.
type chain struct {
	length int             // tasks, the first and the last included
	depth  int             // conditions that are checked before its calls
	middle map[string]bool // classes of the tasks in between
}

func newCalls(list []facts.Call) *calls {
	c := &calls{next: map[facts.Target][]facts.Call{}, found: map[ends]*way{}, sends: map[string][]string{}}
	for _, call := range list {
		c.next[call.From] = append(c.next[call.From], call)
		if from := call.From.Actor; !slices.Contains(c.sends[from], call.To.Actor) {
			c.sends[from] = append(c.sends[from], call.To.Actor)
		}
	}
	return c
}

// between returns the classes of all tasks that from may cause and that may cause one of class, and whether from may.
func (c *calls) between(from facts.Target, class string) (classes map[string]bool, reaches bool) {
	w := c.way(from, class)
	return w.between, w.reaches
}

// chains returns the chains from a task to a class.
func (c *calls) chains(from facts.Target, class string) []chain { return c.way(from, class).chains }

func (c *calls) way(from facts.Target, class string) *way {
	w := c.found[ends{from, class}]
	if w == nil {
		w = &way{between: map[string]bool{}}
		c.found[ends{from, class}] = w
		for t := range c.caused(from) {
			if leads := c.leads(t, class); leads {
				w.between[t.Actor] = true
			}
		}
		w.reaches = c.leads(from, class)
		c.extend(w, from, class, nil, 0)
	}
	return w
}

// tell adds to told the classes of all actors that one of class may send to, directly or not.
func (c *calls) tell(class string, told map[string]bool) {
	for _, to := range c.sends[class] {
		if !told[to] {
			told[to] = true
			c.tell(to, told)
		}
	}
}

// caused returns the tasks that from may cause, directly or not.
func (c *calls) caused(from facts.Target) map[facts.Target]bool {
	seen := map[facts.Target]bool{}
	for work := []facts.Target{from}; len(work) > 0; work = work[1:] {
		for _, call := range c.next[work[0]] {
			if !seen[call.To] {
				seen[call.To] = true
				work = append(work, call.To)
			}
		}
	}
	return seen
}

// leads reports whether from may cause a task of class.
func (c *calls) leads(from facts.Target, class string) bool {
	for t := range c.caused(from) {
		if t.Actor == class {
			return true
		}
	}
	return false
}

// extend finds the chains that begin with the first task, the middle, and last: no task is twice in the middle.
func (c *calls) extend(w *way, last facts.Target, class string, middle []facts.Target, depth int) {
	for _, call := range c.next[last] {
		if len(w.chains) == maxChains {
			return
		}
		if call.To.Actor == class {
			w.chains = append(w.chains, chain{len(middle) + 2, depth + call.Depth, classes(middle)})
		}
		if !slices.Contains(middle, call.To) {
			c.extend(w, call.To, class, append(middle[:len(middle):len(middle)], call.To), depth+call.Depth)
		}
	}
}

func classes(list []facts.Target) map[string]bool {
	m := map[string]bool{}
	for _, t := range list {
		m[t.Actor] = true
	}
	return m
}
