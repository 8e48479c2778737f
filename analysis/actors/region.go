package actors

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Actor is an actor with its code.
type Actor struct {
	facts.Actor
	Goroutines []*Goroutine // what starts the loop; several where several roots call it
	Boxes      []*Box       // parallel to Mailboxes
	Tasks      []*Handler   // parallel to Handlers
	Start      Code         // what a process runs before it first receives
}

// Handler is the static class of the tasks that messages of one kind cause, with its code.
type Handler struct {
	facts.Handler
	Receive *Receive
	Code    Code // what a task runs, from the receive up to the next receive of the actor
	// of a loop that ends after a number of messages, whatever they are: Code without the code
	// after the loop; else nil
	Round *Code
	// the code that runs instead when the mailbox is closed, if the code tells the two apart
	Closed Code

	task task
}

// Code is what one task may execute: the instructions of the regions and everything they call. A
// call that is a key of Into executes no more of its callee than that region.
//
// Other instructions of the functions on the way are left out: those that run for messages of other
// kinds only, and those after the next receive. A select that receives is among the instructions
// for its send cases and its default case.
type Code struct {
	Regions []*Region // of the receive's function first
	Into    map[ssa.CallInstruction]*Region
	// of a Handler.Round: the variables that count the messages, and do nothing else
	Counts []*ssa.Phi
	// of a Handler.Round: the next receive is the one that it began with, in any case
	Same bool
	Ends bool // no receive follows: the loop ends, or blocks or runs for ever
}

// Region is a part of a function.
type Region struct {
	Fn     *ssa.Function
	Instrs []ssa.Instruction // in the order of the blocks
}

// also adds the code of b, which starts the same loop in another way.
func (a *Actor) also(b *Actor) {
	a.Goroutines = append(a.Goroutines, b.Goroutines...)
	a.Start = a.Start.merge(b.Start)
	for _, h := range b.Tasks {
		if i := slices.IndexFunc(a.Tasks, h.same); i >= 0 {
			a.Tasks[i].Code = a.Tasks[i].Code.merge(h.Code)
			a.Tasks[i].Closed = a.Tasks[i].Closed.merge(h.Closed)
			a.Tasks[i].Round = mergeRounds(a.Tasks[i].Round, h.Round)
		}
	}
}

func mergeRounds(c, d *Code) *Code {
	if c == nil || d == nil {
		return nil
	}
	both := c.merge(*d)
	return &both
}

func (h *Handler) same(x *Handler) bool {
	return h.Receive.Pos == x.Receive.Pos && h.Kind == x.Kind && h.Pos == x.Pos
}

// merge returns code that covers c and d.
func (c Code) merge(d Code) Code {
	if c.Into == nil {
		return d
	}
	byFn := map[*ssa.Function]*Region{}
	for _, r := range c.Regions {
		byFn[r.Fn] = r
	}
	for _, r := range d.Regions {
		if have := byFn[r.Fn]; have != nil {
			have.add(r.Instrs)
		} else {
			byFn[r.Fn] = r
			c.Regions = append(c.Regions, r)
		}
	}
	c.Ends, c.Same = c.Ends && d.Ends, c.Same && d.Same
	c.Counts = append(c.Counts, d.Counts...)
	for call, r := range d.Into {
		if have := byFn[r.Fn]; have != nil {
			r = have
		}
		c.Into[call] = r
	}
	return c
}

// add adds instructions, in the order of the blocks.
func (r *Region) add(instrs []ssa.Instruction) {
	in := map[ssa.Instruction]bool{}
	for _, i := range append(instrs, r.Instrs...) {
		in[i] = true
	}
	r.Instrs = nil
	for i := range kernel.All(r.Fn) {
		if in[i] {
			r.Instrs = append(r.Instrs, i)
		}
	}
}
