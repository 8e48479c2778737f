package depict

import "github.com/rehearse-go/rehearse/runtime/trace"

// Beside is the passing execution with which a failing one is compared.
type Beside struct {
	Alts []trace.Alt // its choices
	Away int         // the steps in which another alternative was taken than in the failing one

	steps []besideStep
	index map[step]int // of steps
}

// Steps is Away; 0 if there is no such execution.
func (b *Beside) Steps() int {
	if b == nil {
		return 0
	}
	return b.Away
}

// besideStep is an event, without what is only valid until the next execution.
type besideStep struct {
	kind          trace.Kind
	proc, partner string // paths
	chosen        int32  // of a select: which case
}

// step names an event across executions: the n-th of a process, from 0.
type step struct {
	path string
	n    int
}

// NewBeside keeps what is needed of x.
func NewBeside(x *trace.Execution) *Beside {
	b := &Beside{Away: 1, index: map[step]int{}}
	counts := map[int32]int{}
	for i := range x.Events {
		e := &x.Events[i]
		b.Alts = append(b.Alts, e.Alt)
		b.steps = append(b.steps, stepOf(e, x.Procs))
		for _, p := range parties(e) {
			b.index[step{x.Procs[p].Path, counts[p]}] = i
			counts[p]++
		}
	}
	return b
}

func stepOf(e *trace.Event, procs []trace.Proc) besideStep {
	s := besideStep{kind: e.Kind, proc: procs[e.Proc].Path}
	if e.Partner >= 0 {
		s.partner = procs[e.Partner].Path
	}
	if e.Op.Kind == trace.Select {
		s.chosen = e.Case
	}
	return s
}

// parties are the processes of an event.
func parties(e *trace.Event) []int32 {
	if e.Partner >= 0 {
		return []int32{e.Proc, e.Partner}
	}
	return []int32{e.Proc}
}

// same returns where event i of x, which is one that has counts[p] events of process p before it,
// came here; -1: it did not.
func (b *Beside) same(x *trace.Execution, i int, counts func(p int32) int) int {
	e := &x.Events[i]
	for _, p := range parties(e) {
		if j, ok := b.index[step{x.Procs[p].Path, counts(p)}]; ok &&
			b.steps[j] == stepOf(e, x.Procs) {
			return j
		}
	}
	return -1
}

// next returns where process path did its n-th event here; -1: it has fewer.
func (b *Beside) next(path string, n int) int {
	if j, ok := b.index[step{path, n}]; ok {
		return j
	}
	return -1
}
