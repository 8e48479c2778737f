package independence

import (
	"slices"

	"go/token"

	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// comparison finds why two tasks of an actor do not commute.
type comparison struct {
	p       *program
	a, b    *effects.Task
	foreign *foreign
	out     []facts.Conflict
	commute []string // facts.Pair.Commuting
}

func (c *comparison) conflicts() []facts.Conflict {
	if c.anything() {
		return c.out
	}
	c.ending()
	c.memory()
	c.visible()
	c.shared(c.a, c.b, false)
	c.shared(c.b, c.a, true)
	c.deferring()
	return c.out
}

// add notes a conflict at two places; either of them may be unknown.
func (c *comparison) add(kind facts.ConflictKind, what string, first, second token.Pos,
	models ...facts.Model) *facts.Conflict {
	c.out = append(c.out, facts.Conflict{Kind: kind, What: what, First: c.p.a.Position(first),
		Second: c.p.a.Position(second), Models: models})
	return &c.out[len(c.out)-1]
}

// operation returns t's first operation of a kind that it does itself.
func operation(t *effects.Task, kinds ...effects.Kind) (effects.Operation, bool) {
	for _, o := range t.Operations {
		if slices.Contains(kinds, o.Kind) {
			return o, true
		}
	}
	return effects.Operation{}, false
}

// anything: an unknown operation conflicts with every effect of the other task.
func (c *comparison) anything() bool {
	if o, ok := operation(c.a, effects.Unknown); ok && does(c.b) {
		c.add(facts.Anything, o.What, o.Pos, somewhere(c.b))
		return true
	}
	if o, ok := operation(c.b, effects.Unknown); ok && does(c.a) {
		c.add(facts.Anything, o.What, somewhere(c.a), o.Pos)
		return true
	}
	return false
}

func does(t *effects.Task) bool { return len(t.Accesses)+len(t.Sends)+len(t.Operations) > 0 }

// somewhere is a place where t does something.
func somewhere(t *effects.Task) token.Pos {
	switch {
	case len(t.Operations) > 0:
		return t.Operations[0].Pos
	case len(t.Sends) > 0:
		return t.Sends[0].Pos
	}
	return t.Accesses[0].At[0]
}

// ending: after a task that ends the loop there is no other.
func (c *comparison) ending() {
	if o, ok := operation(c.a, effects.Stop); ok {
		c.add(facts.Ending, "the first may end the loop", o.Pos, token.NoPos)
		return
	}
	if o, ok := operation(c.b, effects.Stop); ok {
		c.add(facts.Ending, "the second may end the loop", token.NoPos, o.Pos)
	}
}

func (c *comparison) deferring() {
	x, ok1 := operation(c.a, effects.Defer)
	y, ok2 := operation(c.b, effects.Defer)
	if ok1 && ok2 {
		c.add(facts.Deferring, "both defer calls, which run in the reverse order", x.Pos, y.Pos)
	}
}

// memory: Theorem 2, refined.
func (c *comparison) memory() {
	for _, x := range c.a.Accesses {
		for _, y := range c.b.Accesses {
			if x.Kind == effects.Read && y.Kind == effects.Read || !x.Loc.Overlap(y.Loc) {
				continue
			}
			if atoms, conflict := condition(x, y); conflict {
				c.location(x, y, atoms)
			} else if text := commuting(x, y); !slices.Contains(c.commute, text) {
				c.commute = append(c.commute, text)
			}
		}
	}
}

// location notes the conflict of two accesses, unless one for the same location says as much.
func (c *comparison) location(x, y *effects.Access, atoms []facts.Atom) {
	what := x.Name()
	if y.Name() != what {
		what += ", " + y.Name()
	}
	for i := range c.out {
		old := &c.out[i]
		if old.Kind != facts.Memory || old.What != what {
			continue
		}
		if len(old.Unless) == 0 || slices.Equal(old.Unless, atoms) {
			return
		}
		if len(atoms) == 0 {
			c.out = slices.DeleteFunc(c.out,
				func(d facts.Conflict) bool { return d.Kind == facts.Memory && d.What == what })
			break
		}
	}
	n := c.add(facts.Memory, what, x.At[0], y.At[0])
	n.Unless = atoms
	n.Comment = x.Mode() + ", " + y.Mode()
}

// commuting says what two accesses do that commute although both are to one location.
func commuting(x, y *effects.Access) string {
	switch {
	case x.By != "" && x.By == y.By:
		return x.Name() + " by " + x.By
	case x.Name() != y.Name():
		return x.Name() + ", " + y.Name()
	case x.Value != nil:
		return x.Name() + " = " + x.Value.String()
	}
	return x.Name()
}

// condition returns when two accesses to one location, not both reads, commute all the same: if one
// of the atoms holds. It is false if they always do.
func condition(x, y *effects.Access) (unless []facts.Atom, conflict bool) {
	if x.Kind == effects.Update && y.Kind == effects.Update && x.By == y.By ||
		x.By == "delete" && y.By == "delete" {
		return nil, false
	}
	if !x.Loc.SameCell(y.Loc) {
		return nil, true // one may be a part of the other
	}
	if x.Key != nil && y.Key != nil {
		atom, holds, known := compare(facts.Differ, *x.Key, *y.Key)
		switch {
		case known && holds:
			return nil, false
		case !known:
			unless = append(unless, atom)
		}
	}
	if x.Kind == effects.Write && y.Kind == effects.Write && x.Value != nil && y.Value != nil {
		atom, holds, known := compare(facts.Equal, *x.Value, *y.Value)
		switch {
		case known && holds:
			return nil, false
		case !known:
			unless = append(unless, atom)
		}
	}
	return unless, true
}

// compare decides a comparison of constants; others are for the explorer.
func compare(op facts.Comparison, x, y facts.Operand) (atom facts.Atom, holds, known bool) {
	if x.Const != "" && y.Const != "" {
		return facts.Atom{}, (x.Const == y.Const) == (op == facts.Equal), true
	}
	return facts.Atom{Op: op, First: x, Second: y}, false, false
}

// visible: both tasks have operations that others notice. A send, or the start of a goroutine, adds
// something that runs later; all other operations may depend on what others have done until then.
func (c *comparison) visible() {
	x, first, adds1 := c.notable(c.a)
	y, second, adds2 := c.notable(c.b)
	switch {
	case x == "" || y == "":
	case !adds1 || !adds2:
		c.add(facts.Visible, mutual(x, y), first, second)
	default:
		c.spawns()
		c.sends()
	}
}

// notable returns the first operation of t that others notice, if possible one that does more than
// add something.
func (c *comparison) notable(t *effects.Task) (what string, at token.Pos, adds bool) {
	o, ok := operation(t, effects.Receive, effects.Close, effects.Block, effects.Outside,
		effects.Unknown)
	if ok {
		return c.p.operation(o).String(), o.Pos, false
	}
	for i := range t.Sends {
		if s := &t.Sends[i]; !s.Spawned {
			return "send on " + s.What, s.Pos, true
		}
	}
	if o, ok := operation(t, effects.Spawn); ok {
		return c.p.operation(o).String(), o.Pos, true
	}
	return "", token.NoPos, true
}

// spawns: the goroutines that a process starts are known by their numbers.
func (c *comparison) spawns() {
	x, ok1 := operation(c.a, effects.Spawn)
	y, ok2 := operation(c.b, effects.Spawn)
	if ok1 && ok2 {
		c.add(facts.Visible, "both start goroutines, whose numbers tell the order", x.Pos, y.Pos)
	}
}

// sends: what the delivery model orders.
func (c *comparison) sends() {
	sure := false // under go, there is a conflict without a condition
	for i := range c.a.Sends {
		for k := range c.b.Sends {
			s, t := &c.a.Sends[i], &c.b.Sends[k]
			if s.Spawned || t.Spawned || !c.p.a.SameChannel(s, t) {
				continue
			}
			n := c.add(facts.SendOrder,
				"both send on "+both(s.What, t.What)+", which keeps the order", s.Pos, t.Pos)
			if c.relaxed(s) && c.relaxed(t) {
				n.Models = []facts.Model{facts.GoModel, facts.PairsModel}
			}
			if s.Carried != nil && t.Carried != nil {
				n.Unless = []facts.Atom{{Op: facts.Differ, First: *s.Carried, Second: *t.Carried}}
			}
			sure = sure || len(n.Unless) == 0
		}
	}
	if !sure {
		_, first, _ := c.notable(c.a)
		_, second, _ := c.notable(c.b)
		c.add(facts.SendOrder, "who is reached by one may act before the other goes on", first,
			second, facts.GoModel)
	}
}

// relaxed reports whether s is known to be to mailboxes.
func (c *comparison) relaxed(s *effects.Sending) bool {
	return c.p.a.MadeAt(s, func(at token.Pos) bool { return c.p.boxes[c.p.a.Position(at)] })
}

// mutual says that two tasks have operations that others notice.
func mutual(x, y string) string {
	if x == y {
		return "both " + x
	}
	return x + "; " + y
}

func both(x, y string) string {
	if x == y {
		return x
	}
	return x + " and " + y
}

// shared: a accesses variables that other goroutines access, and b has an operation that they
// notice.
func (c *comparison) shared(a, b *effects.Task, flipped bool) {
	what, at, _ := c.notable(b)
	if what == "" {
		return
	}
	for _, x := range a.Accesses {
		other, ok := c.foreign.access(x)
		if !ok {
			continue
		}
		first, second := x.At[0], at
		if flipped {
			first, second = second, first
		}
		text := x.Name() + ", which another goroutine accesses at " +
			c.p.a.Position(other).String() + "; " + what
		c.add(facts.SharedVar, text, first, second)
		return
	}
}
