package races

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// act is what a process of a random program does: it adds n to a WaitGroup, waits for it if n is 0,
// or closes or waits for a channel.
type act struct {
	n           int32
	close, recv int32 // the channel; 0 for none
}

// groupProgram is a random program. Process 0 starts the others after its first act.
type groupProgram [][]act

func randomGroups(r *rand.Rand) groupProgram {
	p := make(groupProgram, 3+r.Intn(2))
	for k := range p {
		for range 1 + r.Intn(3) {
			a := act{n: int32(r.Intn(3)) - 1}
			if r.Intn(5) == 0 {
				a = act{close: int32(k) + 1}
			} else if r.Intn(6) == 0 {
				a = act{recv: int32(r.Intn(len(p))) + 1}
			}
			p[k] = append(p[k], a)
		}
	}
	p[0] = append([]act{{n: 1 + int32(r.Intn(2))}}, p[0]...)
	if r.Intn(3) == 0 { // the group is used again
		p[0], p[1] = []act{{n: 1}, {}, {n: 1}, {n: -1}, {}}, []act{{n: -1}, {close: 2}}
		p[2] = append([]act{{recv: 2 * int32(r.Intn(2))}}, p[2][1:]...)
	}
	return p
}

// run is one order in which a program does its acts.
type run struct {
	p       groupProgram
	next    []int
	counter int32
	closed  map[int32]bool
	order   []int32 // the processes that have moved
}

// orders calls f for all orders, up to a bound, and reports whether the program is one that never
// makes the counter negative.
func (r *run) orders(bound *int, f func(order []int32)) (sound bool) {
	moved := false
	for q := range r.p {
		if r.next[q] == len(r.p[q]) || q > 0 && r.next[0] == 0 {
			continue
		}
		a := r.p[q][r.next[q]]
		if a.recv > 0 && !r.closed[a.recv] || a.close > 0 && r.closed[a.close] ||
			a == (act{}) && r.counter != 0 {
			continue
		}
		if r.counter+a.n < 0 {
			return false
		}
		moved = true
		r.next[q]++
		r.counter += a.n
		r.order = append(r.order, int32(q))
		if a.close > 0 {
			r.closed[a.close] = true
		}
		sound := r.orders(bound, f)
		if a.close > 0 {
			delete(r.closed, a.close)
		}
		r.order = r.order[:len(r.order)-1]
		r.counter -= a.n
		r.next[q]--
		if !sound {
			return false
		}
	}
	if !moved {
		*bound--
		f(r.order)
	}
	return *bound > 0
}

// verdicts says whether a misuse is found in an order, and whether one is by the Add that found
// zero in that very order. key says which Adds and Dones come before which Wait: orders that agree
// on that are equivalent.
func (p groupProgram) verdicts(order []int32) (found, plain bool, key string) {
	w := New(sched.New("coroutine"))
	w.Watch()
	main := &sched.Proc{ID: 0}
	w.Spawned(nil, main)
	next, counter, before := make([]int, len(p)), int32(0), map[string]bool{}
	adds, zeros := make([]int, len(p)), clock{}
	for i, q := range order {
		a := p[q][next[q]]
		next[q]++
		ev := by(q, trace.WgWait)
		switch {
		case a.close > 0:
			ev.Kind, ev.Obj = trace.Close, 1+a.close
		case a.recv > 0:
			ev.Kind, ev.Obj, ev.Closed = trace.Recv, 1+a.recv, true
		case a.n != 0:
			counter += a.n
			if ev.Kind, ev.Op.N, ev.Seq = trace.WgAdd, a.n, counter; a.n == counter {
				zeros.join(append(make(clock, w.own[q]), w.clocks[q].of(w.own[q])))
			}
			adds[q]++
		default:
			for k, at := range zeros {
				plain = plain || at > w.clocks[q].of(int32(k))
			}
			before[fmt.Sprint(q, next[q], ":", adds)] = true
		}
		w.Done(&ev)
		if i == 0 {
			for k := 1; k < len(p); k++ {
				w.Spawned(main, &sched.Proc{ID: int32(k)})
			}
		}
	}
	return len(w.Found(false)) > 0, plain, fmt.Sprint(next, before)
}

// TestGroups: of equivalent orders, either a misuse is found in all or in none, and it is one of
// which some order shows that an Add finds zero which is not ordered before a Wait.
func TestGroups(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	programs, misused, differ := 0, 0, 0
	for programs < 400 {
		p := randomGroups(r)
		type class struct{ found, missed, plain bool }
		classes := map[string]class{}
		bound := 400
		if !(&run{p: p, next: make([]int, len(p)), closed: map[int32]bool{}}).orders(&bound,
			func(order []int32) {
				found, plain, key := p.verdicts(order)
				c := classes[key]
				classes[key] = class{c.found || found, c.missed || !found, c.plain || plain}
				if found && !plain {
					differ++
				}
			}) {
			continue
		}
		programs++
		for key, c := range classes {
			if c.found && c.missed {
				t.Fatalf("%v, %s: found in some orders only", p, key)
			}
			if c.found != c.plain {
				t.Fatalf("%v, %s: found %t, some order shows it %t", p, key, c.found, c.plain)
			}
			if c.found {
				misused++
			}
		}
	}
	if misused == 0 || differ == 0 {
		t.Errorf("%d classes with a misuse, %d orders that do not show it themselves", misused,
			differ)
	}
	t.Logf("%d classes with a misuse, %d orders that do not show it themselves", misused, differ)
}
