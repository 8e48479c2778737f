package machine

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Decision is a choice that the code leaves open.
type Decision struct {
	Name string // the same in all executions that come to it in the same way
	Pos  token.Pos
	Text []string    // what each choice assumes; empty: nothing
	At   []token.Pos // where a choice goes on, if that is a case of a select
	// Equates says of each choice that it takes an unknown value to be a certain one.
	Equates []bool
	Least   []Bound // of each choice, if it takes an unknown number to be large
	Filled  bool    // the choice is about what code that is not seen has written
	// Sources names the unknown values that the choice is about, and Opaque the numbers that were
	// computed from them in a way that tells nothing of them.
	Sources, Opaque []string
	Room            bool // it is what room a channel has
	// the choice by which a loop that counts, or one over an unseen function, has no round,
	// although it might; -1: none
	Empty int
	// it is about another round of a loop over an unseen function that the body may end, too
	Leaves bool
}

// Bound says that an unknown number is at least so large.
type Bound struct {
	Of    string // the name of the number; empty: nothing is said
	Least int64
	Given bool // it is a parameter of a root or a field, or the length of one, as it came
}

// Answer names a choice: by where it goes on, if the number of choices may differ.
func (d *Decision) Answer(choice int) int {
	if choice < len(d.At) {
		return int(d.At[choice])
	}
	return choice
}

// has reports whether one of the choices has an answer. A case of a select has none in a world in
// which the channel is no longer one of others.
func (d *Decision) has(answer int) bool {
	return answer < 0 || len(d.At) == 0 || slices.Contains(d.At, token.Pos(answer))
}

// nameDecision names a decision of p at pos.
func (p *Proc) nameDecision(pos token.Pos) string {
	n := fmt.Sprintf("%s@%d", p.path, pos)
	p.m.decided[n]++
	return fmt.Sprintf("%s#%d", n, p.m.decided[n])
}

// Contradicts is why an execution is unfinished that takes a condition to be true and false.
const Contradicts = "two decisions contradict each other"

// Filling says how conditions are decided on what code that is not seen has written.
type Filling int

// The ways to decide.
const (
	Either  Filling = iota // the search tries both answers
	Usual                  // as if nothing was special
	Unusual                // the other way round
)

// firstAnswer comes first: the usual one, that nothing went wrong. In a function that has called
// itself often it is the other one, which may end that.
func firstAnswer(p *Proc, cond heap.Value) bool {
	return p.m.heap.Usual(cond) != (len(p.stack) > 0 && p.top().deep)
}

// ask lets the search decide a condition.
func (p *Proc) ask(cond heap.Value, pos token.Pos, then func(answer bool)) {
	first := firstAnswer(p, cond)
	if p.m.Filled != Either && heap.Filled(cond) {
		answer := p.m.heap.Usual(cond) == (p.m.Filled == Usual)
		p.polled = nil
		p.m.heap.Assume(cond, answer)
		then(answer)
		return
	}
	d := &Decision{Name: p.nameDecision(pos), Pos: pos, Filled: heap.Filled(cond), Empty: -1,
		Sources: heap.Sources(cond), Opaque: heap.Opaque(cond)}
	d.Text = []string{heap.Says(cond, first), heap.Says(cond, !first)}
	for _, holds := range []bool{first, !first} {
		of, n := heap.Least(cond, holds)
		b := Bound{Least: n}
		if of != nil {
			b.Of, b.Given = of.Name, of.Given()
		}
		d.Least = append(d.Least, b)
	}
	d.Equates = []bool{p.m.heap.Equates(cond, first), p.m.heap.Equates(cond, !first)}
	p.declare(trace.Op{Kind: trace.Draw, Obj: -1, N: 2}, pos, func(_ *trace.Event, which int,
		_ heap.Value, _ bool) {
		answer := first == (which == 0)
		if now, known := p.m.heap.Decide(cond); known && now != answer {
			p.m.unfinished(Contradicts) // another process has decided it since
		}
		p.m.heap.Assume(cond, answer)
		then(answer)
	})
	p.decision = d
}

// room lets the search decide what room a channel has, if that is not known.
func room(p *Proc, v heap.Value, pos token.Pos, then func(n int64)) {
	v = p.m.heap.Resolve(v)
	base := v
	if b, _ := heap.Offset(v); b != nil {
		base = p.m.heap.Resolve(b)
	}
	s, unknown := base.(*heap.Sym)
	switch {
	case unknown && p.m.Roomy && heap.IsLength(base):
		p.m.heap.Is(s, manyItems)
	case unknown && p.m.Roomy:
		then(maxRoom)
		return
	}
	p.concrete(v, pos, then)
	if p.decision != nil {
		p.decision.Room = true
	}
}

// maxRoom bounds the capacity of a channel, and manyItems is how many items there are if room for
// them is not the matter.
const (
	maxRoom   = 1 << 20
	manyItems = 5
)

// concrete lets the search decide what a small number is, if that is not known.
func (p *Proc) concrete(v heap.Value, pos token.Pos, then func(n int64)) {
	v = p.m.heap.Resolve(v)
	if n, ok := v.(int64); ok {
		then(n)
		return
	}
	if base, off := heap.Offset(v); base != nil {
		p.concrete(base, pos, func(n int64) { then(max(0, n+off)) })
		return
	}
	low, high, ok := p.m.heap.Limits(v)
	if !ok {
		low, high = 0, 2
	}
	low = max(low, 0)
	high = max(low, min(high, int64(p.m.Rounds)))
	if p.m.Even {
		low = high
	}
	d := &Decision{Name: p.nameDecision(pos), Pos: pos, Empty: -1}
	order := []int64{}
	for n := low; n <= high; n++ {
		order = append(order, n)
	}
	if len(order) > 1 && order[0] == 0 { // nothing is the least usual
		order = append(order[1:], 0)
	}
	for _, n := range order {
		d.Text = append(d.Text, fmt.Sprintf("%s is %d", heap.Describe(v), n))
	}
	take := func(n int64) {
		if s, ok := v.(*heap.Sym); ok {
			p.m.Vague = p.m.Vague || heap.Computed(s)
			p.m.heap.Is(s, n)
		}
		then(n)
	}
	if len(order) == 1 {
		take(order[0])
		return
	}
	p.declare(trace.Op{Kind: trace.Draw, Obj: -1, N: int32(len(order))}, pos,
		func(_ *trace.Event, which int, _ heap.Value, _ bool) { take(order[which]) })
	p.decision = d
}
