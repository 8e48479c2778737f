package stable

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Def. 3: what one chain counts, and the unit, in which a call that needs conditions can be
// divided.
const (
	unit = 60
	ka   = 100 // a task calls an actor that it, or its actor, may know
	kb   = 10  // likewise, by way of others
	kc   = 1   // only others on the way may know the actor
)

// ranked is a process that has messages to take.
type ranked struct {
	proc            int32
	known           *knowledge
	level, breaking int
	rank            int32
}

// rank fills in the ranks: 0 for actors that are proved stable. The others follow by level, the
// least first. Of equal levels, the actor that breaks most stabilities comes first, then the one
// that was created last.
func (o *Order) rank(s *trace.State, list []ranked, tasks []pending) {
	var rest []*ranked
	for i := range list {
		list[i].known = o.knowing(s, list[i].proc, tasks)
	}
	for i := range list {
		if r := &list[i]; !o.stable(r.known, tasks) {
			r.level, r.breaking = o.level(r.known, tasks), o.breaking(r.proc, list, tasks)
			rest = append(rest, r)
		}
	}
	slices.SortStableFunc(rest, func(a, b *ranked) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(b.breaking, a.breaking),
			cmp.Compare(b.proc, a.proc))
	})
	for i, r := range rest {
		r.rank = int32(i + 1)
	}
}

// Level returns st(a, S), in units of kc.
func (o *Order) Level(s *trace.State, a int32) float64 {
	o.view.At(s)
	tasks := o.pending(s)
	return float64(o.level(o.knowing(s, a, tasks), tasks)) / unit
}

// level is Level times unit. The tasks of one actor count once, with the greatest weight among
// them: it is unknown which of them runs first, and their number does not decide whether their
// actor can send to k's. Unknown tasks count little if their actors know k's. They do not count if
// these have only made k's mailbox: a process that makes a mailbox for another one has mostly sent
// to it by now, and waits for an answer.
func (o *Order) level(k *knowledge, tasks []pending) (sum int) {
	most, unknown := map[int32]int{}, 0 // by process
	for i := range tasks {
		switch t := &tasks[i]; {
		case !o.breaks(t, k):
		case len(t.targets) > 0:
			most[t.proc] = max(most[t.proc], o.instability(t, k))
		case k.heard[t.proc]:
			unknown = kc * unit
		}
	}
	for _, st := range most {
		sum += st
	}
	return sum + unknown
}

// instability is st(a, t, S) for a task that breaks the stability of k's actor.
func (o *Order) instability(t *pending, k *knowledge) (sum int) {
	others := 0 // by chains on which only others know the actor
	for _, m := range t.targets {
		for _, c := range o.calls.way(m, k.class).chains {
			w := k.weight(c, k.direct(t))
			if st := w * unit / (1 + c.depth); w == kc {
				others = max(others, st)
			} else {
				sum += st
			}
		}
	}
	return max(sum+others, 1)
}

// weight is st(a, t, Ch, S).
func (k *knowledge) weight(c chain, direct bool) int {
	switch {
	case direct && c.length == 2:
		return ka
	case direct && c.passes:
		return kb
	case k.has(c.caller):
		return kc
	}
	return 0
}

// breaking returns the number of other processes whose stability a task of process a breaks.
func (o *Order) breaking(a int32, list []ranked, tasks []pending) (n int) {
	for i := range list {
		if slices.ContainsFunc(tasks, func(t pending) bool {
			return t.proc == a && o.breaks(&t, list[i].known)
		}) {
			n++
		}
	}
	return n
}
