// Package hidden models choices that Go leaves to chance and that are no operations of the program:
// the numbers of math/rand, the order of keys in a range over a map, and faults.
//
// Vocabulary: a hidden choice is an operation with several alternatives. If hidden choices are not
// explored, the usual alternative is taken: the number of the process's own sequence, or the key
// that is next in the fixed order. Some are explored in part only: that is a cut, as trace.Limit
// has it.
//
// Guarantees: a hidden choice touches nothing that another process sees. Whether it is one depends
// on its process's own steps only. Alternatives that are not explored are noted as a trace.Limit.
//
// LIMITS: MaxValues, MaxKeys and MaxChoices; MaxSmall and MaxDraws. Each process has a share of the
// draws of an execution: the first has all, and gives half of its remaining share to each process
// that it starts. A process that loops until it draws the right number could do so for ever; after
// MaxChoices hidden choices it goes on as usual.
package hidden

import (
	"fmt"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds on the explored alternatives.
const (
	// a number that may have more values has three: the usual, the least and the greatest one
	MaxValues  = 16
	MaxKeys    = 6  // a map with more keys is iterated in two orders: the usual one and its reverse
	MaxSmall   = 4  // a number that has no more values is explored also where numbers are not
	MaxDraws   = 8  // so many of those of an execution are
	MaxChoices = 64 // hidden choices of one process; what follows is as usual
	// ranges of one process over maps of several keys; then the usual order is not the same again
	UsualRanges = 1000
)

// Choices are the hidden choices of one execution.
type Choices struct {
	Rand, Maps bool // those kinds are explored

	s    *sched.Sched
	made []int32 // by process
}

// New returns the hidden choices of s's executions.
func New(s *sched.Sched) *Choices {
	c := &Choices{s: s}
	s.OnReset(func() { clear(c.made) })
	s.SetAllowance(MaxDraws)
	return c
}

// Operation is the declared hidden choice of one process; its memory is reused.
type Operation struct {
	c     *Choices
	n     int32
	usual int32
	say   func(i int) string // describes an alternative, in executions that record sites
}

// Choose lets p choose one of n alternatives. size is their number for the record, 0 if they stand
// for more.
func (c *Choices) Choose(p *sched.Proc, op *Operation, kind trace.Kind, n, usual, size int,
	say func(i int) string) int {
	switch {
	case n < 2 || c.s.Dying():
		return usual
	case !c.may(p.ID, "hidden choices"):
		return usual
	}
	*op = Operation{c, int32(n), int32(usual), say}
	p.Op = trace.Op{Kind: kind, Obj: -1, N: int32(size)}
	return int(c.s.Do(p, op).Case)
}

// may counts a hidden choice of process p, if it may have one more.
func (c *Choices) may(p int32, what string) bool {
	for len(c.made) <= int(p) {
		c.made = append(c.made, 0)
	}
	if c.made[p] == MaxChoices {
		c.s.Cut(fmt.Sprintf("a process makes more than %d %s; the others are as usual", MaxChoices,
			what))
		return false
	}
	c.made[p]++
	return true
}

// Made returns how many hidden choices process p has made.
func (c *Choices) Made(p int32) int {
	if int(p) >= len(c.made) {
		return 0
	}
	return int(c.made[p])
}

// Alts implements sched.Operation. The usual alternative comes first: an execution that goes onward
// takes it.
func (op *Operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	for i := range op.n {
		dst = trace.Alone(dst, p.ID, (op.usual+i)%op.n)
	}
	return dst
}

// Apply implements sched.Operation.
func (op *Operation) Apply(_ *sched.Proc, ev *trace.Event) {
	if op.c.s.Sites() {
		op.c.s.Tell(op.say(int(ev.Case)))
	}
}

// Draw lets p draw one of the numbers 0 to n-1. n is 0 for 1<<64.
func (c *Choices) Draw(p *sched.Proc, op *Operation, n, usual uint64) uint64 {
	switch {
	case n == 1:
		return usual
	case !c.Rand && !c.small(p, n):
		c.s.Fix(trace.RandomNumbers)
		return usual
	case n > MaxValues || n == 0:
		return [...]uint64{usual, 0, n - 1}[c.Sample(p, op)]
	}
	return uint64(c.Choose(p, op, trace.Draw, int(n), int(usual), int(n), number))
}

// small reports whether p draws a number of few values, and may still explore those. A coin that is
// tossed once decides how the program goes on; one that is tossed in a loop has too many sequences.
func (c *Choices) small(p *sched.Proc, n uint64) bool {
	if n == 0 || n > MaxSmall || p.Allowance == 0 || c.s.Dying() {
		return false
	}
	p.Allowance--
	return true
}

// Permutes reports whether a permutation of n values has too many outcomes for its numbers to be
// drawn one by one. It is fixed then.
func (c *Choices) Permutes(n int) bool {
	if c.Rand || n <= MaxSmall {
		return false
	}
	c.s.Fix(trace.RandomNumbers)
	return true
}

func number(i int) string { return fmt.Sprint("drew ", i) }

// Sample lets p draw one of numbers that are too many, or cannot be counted. It returns 0 for the
// usual one, 1 for the least, 2 for the greatest.
func (c *Choices) Sample(p *sched.Proc, op *Operation) int {
	if !c.Rand {
		c.s.Fix(trace.RandomNumbers)
		return 0
	}
	c.s.Cut(
		"three of the values that may be drawn are tried: the usual, the least and the greatest one")
	return c.Choose(p, op, trace.Draw, 3, 0, 0, sampled)
}

func sampled(i int) string {
	return "drew the " + [...]string{"usual", "least", "greatest"}[i] + " value"
}

// Fixed notes that the process draws a number that is always the usual one.
func (c *Choices) Fixed() {
	if c.Rand {
		c.s.Cut("what is drawn is not varied")
	} else {
		c.s.Fix(trace.RandomNumbers)
	}
}

// Reverse lets p choose whether a map with more than MaxKeys keys is iterated in the
// reverse order.
func (c *Choices) Reverse(p *sched.Proc, op *Operation) bool {
	c.s.Cut(fmt.Sprintf(
		"two of the orders of more than %d keys are tried: the usual one and its reverse", MaxKeys))
	return c.Choose(p, op, trace.Pick, 2, 0, 0, direction) == 1
}

func direction(i int) string { return [...]string{"usual order", "reverse order"}[i] }

// Insertions notes that keys that were added to a map while it is iterated are not produced, for
// there are too many.
func (c *Choices) Insertions() {
	c.s.Cut("not all keys that are added to the map during the iteration are produced")
}

// Order notes that n keys come in the usual order, if that is no choice. The usual order is the
// same in each range, until p has ranged often. Then each range begins with another key, whose
// number is first: a loop that waits for an order ends, as in Go, where orders are random.
func (c *Choices) Order(p *sched.Proc, n int) (first int) {
	if !c.Maps {
		c.s.Fix(trace.MapOrder)
	}
	if p == nil {
		return 0
	}
	if p.Ranges++; p.Ranges <= UsualRanges {
		return 0
	}
	return p.Ranges % n
}
