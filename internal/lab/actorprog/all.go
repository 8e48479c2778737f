package actorprog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// All returns the final states of p that some order of messages leads to, by trying all orders. It
// is false if there are more than limit states on the way, or more than most tasks in an execution.
func All(p *Program, model int32, limit, most int) (finals map[string]bool, ok bool) {
	b := &brute{p: p, model: model, left: limit, most: most, seen: map[string]bool{},
		finals: map[string]bool{}}
	b.from(start(p), 0)
	return b.finals, b.left >= 0
}

// start returns the state in which the main block has run.
func start(p *Program) *world {
	w := &world{}
	main := w.add("", "0")
	p.Main(main)
	w.post(main, "", len(main.sends))
	return w
}

type brute struct {
	p            *Program
	model        int32
	left, most   int
	seen, finals map[string]bool
}

// world is a state between tasks.
type world struct {
	actors []*Self
	mail   []posted // in the order in which it was sent
}

type posted struct {
	from, to int32
	msg      Msg
	name     string // the task that has sent it, and which one of that task
	atEnd    bool   // its sender has sent it when it ended
}

func (b *brute) from(w *world, tasks int) {
	key := describe(w.actors) + fmt.Sprint(w.key(b.model))
	if b.seen[key] || b.left < 0 {
		return
	}
	b.seen[key] = true
	if b.left--; tasks > b.most {
		b.left = -1
	}
	if w.over(b.model) {
		b.finals[describe(w.actors)] = true
	}
	for i := range w.mail {
		if w.possible(i, b.model) {
			b.from(w.after(b.p, i), tasks+1)
		}
	}
}

// over reports whether nothing is possible any more.
func (w *world) over(model int32) bool {
	for i := range w.mail {
		if w.possible(i, model) {
			return false
		}
	}
	return true
}

// possible reports whether message i may be taken next.
func (w *world) possible(i int, model int32) bool {
	m := w.mail[i]
	if w.actors[m.to].over {
		return false
	}
	return model == trace.Bag || !slices.ContainsFunc(w.mail[:i], func(n posted) bool {
		return n.from == m.from && n.to == m.to
	})
}

// key tells what is under way, as far as it matters.
func (w *world) key(model int32) string {
	var list []string
	for _, m := range w.mail {
		text := fmt.Sprint(w.actors[m.to].path, " ", m.msg.Kind, m.msg.Val)
		if m.msg.Ref != None {
			text += " " + w.actors[m.msg.Ref].path
		}
		if model == trace.Pairs {
			text = w.actors[m.from].path + " " + text
		}
		list = append(list, text)
	}
	if model == trace.Bag {
		slices.Sort(list)
	}
	return strings.Join(list, "; ")
}

// after returns the world after the task of message i.
func (w *world) after(p *Program, i int) *world {
	n := &world{mail: slices.Delete(slices.Clone(w.mail), i, i+1)}
	for _, a := range w.actors {
		c := *a
		c.spawn = n.spawn
		n.actors = append(n.actors, &c)
	}
	a := n.actors[w.mail[i].to]
	sent := p.run(a, w.mail[i].msg)
	n.post(a, w.mail[i].name, sent)
	return n
}

// post puts what a sends into the mailboxes: first what a task has sent, then what it sends at its
// end.
func (w *world) post(a *Self, task string, sent int) {
	for i, s := range a.sends {
		m := posted{a.ID, s.to, s.msg, fmt.Sprint(task, ".", i), i >= sent}
		if m.atEnd {
			m.name = fmt.Sprint("end of ", a.path, ".", i-sent)
		}
		w.mail = append(w.mail, m)
	}
	a.sends = nil
}

func (w *world) spawn(parent *Self, class string, refs ...int32) int32 {
	parent.kids++
	return w.add(class, fmt.Sprintf("%s.%d", parent.path, parent.kids-1), refs...).ID
}

func (w *world) add(class, path string, refs ...int32) *Self {
	a := newSelf(int32(len(w.actors)), class, path, refs)
	a.spawn = w.spawn
	w.actors = append(w.actors, a)
	return a
}
