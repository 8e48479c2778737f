package stable

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// maxChains bounds the chains that count between a task and a class: there may be exponentially
// many.
const maxChains = 200

// calls are the static calls between handlers, with what has been asked of them.
type calls struct {
	next   map[facts.Target][]facts.Call
	found  map[ends]*way
	sends  map[string][]string // from a class to those of the actors that its tasks call
	aliens map[string]bool     // classes of goroutines that are no actors
}

type ends struct {
	from  facts.Target
	class string
}

// way is how a task may cause one of a class.
type way struct {
	own bool // by a call of its own
	// classes of other tasks that it may cause and that may call one of the class
	callers map[string]bool
	chains  []chain
}

// chain is an element of Ch(A1::m1) that ends at the class.
type chain struct {
	length int    // tasks, the first and the last included
	depth  int    // conditions that are checked before its calls
	caller string // class of the last task but one
	passes bool   // a reference may come from the first task to that one
}

func newCalls(list []facts.Call) *calls {
	c := &calls{next: map[facts.Target][]facts.Call{}, found: map[ends]*way{},
		sends: map[string][]string{}, aliens: map[string]bool{}}
	for _, call := range list {
		if call.Early {
			// all existing processes have made it; a process that starts others makes it as a call
			// of its own
			continue
		}
		c.next[call.From] = append(c.next[call.From], call)
		for _, t := range []facts.Target{call.From, call.To} {
			if t.Handler == "" {
				c.aliens[t.Actor] = true
			}
		}
		if from := call.From.Actor; !slices.Contains(c.sends[from], call.To.Actor) {
			c.sends[from] = append(c.sends[from], call.To.Actor)
		}
	}
	return c
}

// restrict keeps of sends what may carry references.
func (c *calls) restrict(tells func(from, to string) bool) {
	for from, list := range c.sends {
		c.sends[from] = slices.DeleteFunc(list, func(to string) bool { return !tells(from, to) })
	}
}

// way returns the way from a task to a class.
func (c *calls) way(from facts.Target, class string) *way {
	w := c.found[ends{from, class}]
	if w == nil {
		w = &way{own: c.calls(from, class), callers: map[string]bool{}}
		c.found[ends{from, class}] = w
		for t := range c.caused(from) {
			if c.calls(t, class) {
				w.callers[t.Actor] = true
			}
		}
		c.extend(w, class, []facts.Target{from}, chain{passes: true})
	}
	return w
}

// calls reports whether a task may itself cause one of class.
func (c *calls) calls(from facts.Target, class string) bool {
	return slices.ContainsFunc(c.next[from], func(call facts.Call) bool {
		return call.To.Actor == class
	})
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

// extend finds the chains that begin with path: no task is twice in the middle. so tells what is
// known of path.
func (c *calls) extend(w *way, class string, path []facts.Target, so chain) {
	last := path[len(path)-1]
	for _, call := range c.next[last] {
		if len(w.chains) == maxChains {
			return
		}
		next := chain{length: len(path) + 1, depth: so.depth + call.Depth, caller: last.Actor,
			passes: so.passes}
		if call.To.Actor == class {
			w.chains = append(w.chains, next)
		}
		if !slices.Contains(path[1:], call.To) {
			next.passes = so.passes && slices.Contains(c.sends[last.Actor], call.To.Actor)
			c.extend(w, class, append(path[:len(path):len(path)], call.To), next)
		}
	}
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
