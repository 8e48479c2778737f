package machine

import (
	"go/constant"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
)

// loopBody returns the body of the loop over a function that c calls, or nil. (Package ssa makes a
// function literal of it, which tells by a variable how the body has ended.)
func (c *site) loopBody() *heap.Closure {
	if len(c.args) == 0 {
		return nil
	}
	body, ok := c.args[len(c.args)-1].(*heap.Closure)
	if !ok || body.Fn == nil || body.Fn.Synthetic != "range-over-func yield" ||
		c.p.m.prog.Func(body.Fn) == nil {
		return nil
	}
	return body
}

// iterate runs the body of a loop over a function that is not seen, for as many rounds as any loop
// of unknown length has. That function calls the body with one value after the other, until the
// body returns false, and does not keep it. Whether it may have no value at all, or has an end, is
// for its author to say: see Decision.Empty and Config.Endless.
func (c *site) iterate(body *heap.Closure, rounds int) {
	last, leaves := rounds >= c.p.m.Rounds, leaves(c.p.m.prog.Func(body.Fn))
	switch {
	case leaves && last && c.p.m.Endless:
		c.p.m.unfinished("a loop over an unseen function goes on")
		return
	case last:
		return
	}
	round := func() {
		fn := c.p.m.prog.Func(body.Fn)
		c.p.push(fn, c.unknown(fn), body.Free, -1, c.pos).done = func(result heap.Value) {
			if on, known := c.h.Decide(result); on && known {
				c.iterate(body, rounds+1)
			}
		}
	}
	if c.p.m.Even || leaves && c.p.m.Endless {
		round()
		return
	}
	more := c.h.Fresh(types.Typ[types.Bool], "whether the loop has another value", c.pos)
	c.p.ask(more, c.pos, func(is bool) {
		if is {
			round()
		}
	})
	c.p.decision.Leaves = leaves
	if rounds == 0 {
		c.p.decision.Empty = index(c.h.Usual(more)) // the choice that says no
	}
}

// leaves reports whether the body of a loop over a function may end the loop. If no body does, the
// function has an end, or nothing comes after the loop.
func leaves(body *skeleton.Func) bool {
	for _, b := range body.Blocks {
		for _, i := range b.Instrs {
			if i.Op != skeleton.Return || len(i.Args) != 1 {
				continue
			}
			a := i.Args[0]
			if a >= 0 || body.Consts[^a].Value == nil || !constant.BoolVal(body.Consts[^a].Value) {
				return true
			}
		}
	}
	return false
}
