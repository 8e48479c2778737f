package actorprog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Classes counts the classes of orders of the tasks of p, by trying all orders. Two orders are in
// one class if they have the same happens-before: the task that sends a message comes before the
// message's task, and tasks of one actor are ordered unless they are independent. It is false if
// there are more than limit.
func Classes(p *Program, model int32, limit int) (n int, ok bool) {
	c := &classes{p: p, model: model, left: limit, seen: map[string]bool{}}
	c.from(start(p), nil)
	return len(c.seen), c.left >= 0
}

type classes struct {
	p     *Program
	model int32
	left  int
	seen  map[string]bool
}

// taken is a task of an order.
type taken struct {
	posted
	after map[string]bool // the tasks that happen before it
}

func (c *classes) from(w *world, order []taken) {
	if c.left < 0 {
		return
	}
	if w.over(c.model) {
		c.left--
		c.seen[canonical(order)] = true
	}
	for i, m := range w.mail {
		if w.possible(i, c.model) {
			c.from(w.after(c.p, i),
				append(order[:len(order):len(order)], c.taken(m, w.actors[m.to].class, order)))
		}
	}
}

// taken returns the task of m, by an actor of a class, which comes after those of order.
func (c *classes) taken(m posted, class string, order []taken) taken {
	t := taken{m, map[string]bool{}}
	for _, u := range order {
		cause := strings.HasPrefix(m.name, u.name+".") || m.atEnd && u.to == m.from
		queued := c.model == trace.Pairs && u.from == m.from && u.to == m.to
		if cause || queued || u.to == m.to && !c.p.Independent(c.model, class, u.msg.Kind,
			m.msg.Kind) {
			t.after[u.name] = true
			for name := range u.after {
				t.after[name] = true
			}
		}
	}
	return t
}

// canonical is the same for all orders of one class.
func canonical(order []taken) string {
	var list []string
	for _, t := range order {
		list = append(list, fmt.Sprint(t.name, slices.Sorted(maps.Keys(t.after))))
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}
