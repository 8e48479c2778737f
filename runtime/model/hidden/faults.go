package hidden

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Faults are events outside of the program: signals, failures of the network. Each place where a
// fault may happen is a hidden choice. Its usual alternative is that no fault happens. The number
// of faults of an execution is bounded, so two faults that happen are dependent: trace.Op.Hits. A
// fault that does not happen is independent of all others, although the bound might have ruled it
// out. For each execution with a fault there is one without, which reaches the same place and has
// the choice.
type Faults struct {
	Kinds int // that are choices: see gate.FaultSignal
	Most  int // of one execution; 0: any number

	s      *sched.Sched
	choose *Choices
	count  int32 // the object that counts them
	so     int   // have happened
}

// NewFaults returns the faults of s's executions.
func NewFaults(s *sched.Sched, c *Choices) *Faults {
	f := &Faults{s: s, choose: c}
	s.OnReset(func() {
		if f.so = 0; f.Kinds != 0 {
			f.count = s.NewObject(func() string { return "the faults" })
		}
	})
	return f
}

// Trouble is the declared choice of one process; its memory is reused.
type Trouble struct {
	Operation
	f *Faults
}

// Choose lets p choose what goes wrong: one of texts, from 1; 0: nothing does.
func (f *Faults) Choose(p *sched.Proc, op *Trouble, texts ...string) int {
	if f.s.Dying() || !f.choose.may(p.ID, "places where something may go wrong") {
		return 0
	}
	*op = Trouble{Operation{c: f.choose, n: int32(len(texts)) + 1, say: func(i int) string {
		if i == 0 {
			return "had no fault"
		}
		return texts[i-1]
	}}, f}
	p.Op = trace.Op{Kind: trace.Fault, Obj: f.count, N: int32(f.Most)}
	if f.Most == 0 {
		p.Op.Obj = -1
	}
	return int(f.s.Do(p, op).Case)
}

// Alts implements sched.Operation.
func (op *Trouble) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	if f := op.f; f.Most > 0 && f.so >= f.Most {
		f.s.Spent(f.Most)
		return trace.Alone(dst, p.ID, 0)
	}
	return op.Operation.Alts(p, dst)
}

// Apply implements sched.Operation.
func (op *Trouble) Apply(p *sched.Proc, ev *trace.Event) {
	if ev.Obj = ev.Op.Hits(ev.Case); ev.Case > 0 {
		op.f.so++
	}
	op.Operation.Apply(p, ev)
}

// Outer implements sched.Outer: a fault is a choice also within the library's border.
func (op *Trouble) Outer() {}
