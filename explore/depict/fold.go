package depict

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore/diagram"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// several is the user of an object that several processes use.
const several = -2

// findUsers finds out who uses each object.
func (c *chart) findUsers() map[int32]int32 {
	users := map[int32]int32{}
	note := func(op *trace.Op, p int32) {
		for _, o := range append([]int32{op.Obj}, casesOf(op)...) {
			if q, used := users[o]; used && q != p {
				p = several
			}
			users[o] = p
		}
	}
	for i := range c.X.Events {
		e := &c.X.Events[i]
		note(&e.Op, e.Proc)
		if e.Partner >= 0 {
			note(&e.PartnerOp, e.Partner)
		}
	}
	for p := range c.X.Procs {
		note(&c.X.Procs[p].Pending, int32(p))
	}
	return users
}

func casesOf(op *trace.Op) (objs []int32) {
	for _, c := range op.Cases {
		objs = append(objs, c.Obj)
	}
	return objs
}

// concernsNobody reports whether an event is about an object that no other process uses, or reads
// the clock.
func (c *chart) concernsNobody(e *trace.Event) bool {
	switch e.Kind.Operation().Class {
	case trace.Mutex, trace.RWMutex, trace.WaitGroup, trace.OnceGuard, trace.Variable, trace.Pool:
		return !e.Op.IsPlain() && c.users[e.Obj] == e.Proc
	}
	switch e.Kind {
	case trace.Len, trace.Default:
		return c.users[e.Obj] == e.Proc
	}
	return e.Kind == trace.Now
}

// fewestQuiet is how many rows are folded.
const fewestQuiet = 3

// foldQuiet replaces steps in a row of one process that concern nobody else, such as what sets the
// others up, by their number.
func (c *chart) foldQuiet() {
	var folded []row
	for i := 0; i < len(c.rows); {
		n := c.quietAt(i)
		if n < fewestQuiet {
			folded = append(folded, c.rows[i])
			i++
			continue
		}
		folded = append(folded, row{Row: diagram.Aside(
			"... %d steps of %s that concern nobody else ...",
			steps(c.rows[i:i+n]), c.proc(c.rows[i].From))})
		i += n
	}
	c.rows = folded
}

// steps counts the steps that rows stand for.
func steps(rows []row) (n int) {
	for i := range rows {
		n += 1 + rows[i].more
	}
	return n
}

// foldCalls replaces the steps of one call of a library's function by their number, as long as no
// other process moves in between and none of the steps is an arrow.
func (c *chart) foldCalls() {
	var folded []row
	for i := 0; i < len(c.rows); {
		n := c.inCallAt(i)
		r := c.rows[i]
		for _, next := range c.rows[i+1 : i+n] {
			r.quiet = r.quiet && next.quiet
		}
		if n > 1 {
			r.Text, r.Obj, r.more = fmt.Sprintf("%s: %d steps", nameOf(r.call), n), -1, n-1
		}
		folded = append(folded, r)
		i += n
	}
	c.rows = folded
}

// nameOf is the name of a function, without its package and its type. For a function without a
// name, it is the package's name.
func nameOf(call string) string {
	call = strings.TrimPrefix(call, trace.Runs)
	call = call[strings.LastIndexByte(call, '/')+1:]
	name := call[strings.LastIndexByte(call, '.')+1:]
	if literal().MatchString(name) {
		name, _, _ = strings.Cut(call, ".")
	}
	return name
}

// isOwn reports whether no function of the library's is known that the program has called.
func isOwn(call string) bool { return call == "" || strings.HasPrefix(call, trace.Runs) }

// literal is what the compiler calls a function literal.
var literal = words.Pattern(`^(func)?[0-9]+$`)

// inCallAt counts the rows from i on that belong to one call; 1 if row i does not.
func (c *chart) inCallAt(i int) (n int) {
	first := &c.rows[i]
	for n = 1; first.folds() && i+n < len(c.rows); n++ {
		next := &c.rows[i+n]
		if !next.folds() || next.From != first.From || next.call != first.call ||
			next.Site != first.Site && !strings.HasPrefix(first.call, trace.Runs) {
			break
		}
	}
	return n
}

// folds reports whether a row may be one of several that become one.
func (r *row) folds() bool { return r.call != "" && r.To < 0 && !r.Mark && r.Note == "" }

// quietAt counts the rows from i on that are quiet, and of one process.
func (c *chart) quietAt(i int) (n int) {
	for i+n < len(c.rows) && c.rows[i+n].quiet && !c.rows[i+n].Mark && c.rows[i+n].Note == "" &&
		c.rows[i+n].From == c.rows[i].From {
		n++
	}
	return n
}

// endAtRace leaves out what comes after the second access of the race that the chart is about.
func (c *chart) endAtRace() {
	for i := len(c.rows) - 1; i >= 0; i-- {
		if c.rows[i].Note == inRace {
			c.rows = c.rows[:i+1]
			return
		}
	}
}

// inRace is the note on an access.
const inRace = "in a race"
