package revisit

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Visit is a state that is compared with others. See contexts.
type Visit struct {
	At    int // number of its station in the execution under way
	Sleep []Asleep
	// of optimal/tasks: the processes that have left a loop, each with its last event there
	Left   string
	procs  int              // that there are
	over   bool             // all that follows has been explored
	Opaque bool             // what follows may be in a race with anything
	Later  []Later          // what processes declare in what follows
	known  map[laterKey]int // by key: where it is in later
}

// Asleep is a sleeper, as far as that tells what is left out.
type Asleep struct {
	Alt         trace.Alt
	Final       bool
	Task, Apart bool // see sleepingTask
	Last        bool // see task
}

// covers reports whether b, which has the same state as m, explores all that has to be explored
// from m: each sleeper at b sleeps at m, too, and as deeply.
func (b *Visit) covers(m *Visit) bool {
	return b.Left == m.Left && !slices.ContainsFunc(b.Sleep, func(z Asleep) bool {
		return !slices.ContainsFunc(m.Sleep, func(y Asleep) bool {
			return y.Alt == z.Alt && y.Final == z.Final && y.Apart == z.Apart && y.Last == z.Last &&
				(y.Task || !z.Task)
		})
	})
}

// Later is an operation that is declared after a visit; or a message that is received after it,
// or never.
type Later struct {
	// a process that there is at the visit: it declares the operation, or sends the message
	Proc  int32
	Fresh bool // it is not this one that does, but one that comes from it
	Op    trace.Op
	// of optimal/tasks: processes that there are at the visit, and that do something after it that
	// it comes after
	Past  search.Procset
	Whole bool    // likewise: it comes after all that its process has done
	Keeps bool    // it is a send of a plain task to a channel that keeps the order
	Mail  *Parcel // of optimal/tasks; nil: it is an operation
}

// Parcel is a message that is received after a visit, or that nobody receives.
type Parcel struct {
	Number int32 // which one of its sender's
	Box    int32
	Task   Task // that receives it; nil: none
}

// laterKey tells apart what may be in other races.
type laterKey struct {
	proc   int32
	fresh  bool
	keeps  bool
	whole  bool
	kind   trace.Kind
	obj, n int32  // n only where it matters
	cases  string // of a Select; of a message, what is known of its task
}

// Key is the same for two later operations that cannot be told apart.
func (l *Later) Key() laterKey {
	k := laterKey{proc: l.Proc, fresh: l.Fresh, keeps: l.Keeps, whole: l.Whole, kind: l.Op.Kind,
		obj: l.Op.Obj}
	if l.Mail != nil {
		return l.Mail.Key(k)
	}
	switch l.Op.Kind {
	case trace.Select:
		k.cases = fmt.Sprint(l.Op.Cases)
	case trace.WgAdd, trace.CondWait:
		k.n = l.Op.N
	}
	return k
}

// Task is a task as revisit.Visit tells tasks apart.
type Task interface {
	Key() string // what is known of it in any execution
}

// Key completes the key of an operation that takes the message.
func (m *Parcel) Key(k laterKey) laterKey {
	k.obj = m.Box
	if !k.fresh {
		k.n = m.Number
	}
	if m.Task != nil {
		k.cases = m.Task.Key()
	}
	return k
}

// Numbered reports whether op acts on an object whose number is a part of the state, or on none. It
// is a flat table.
func Numbered(op *trace.Op) bool {
	switch op.Kind {
	case trace.None, trace.Yield, trace.Draw, trace.Pick, trace.Log, trace.End, trace.Join:
		return true
	case trace.Send, trace.Recv, trace.Close, trace.Len:
		return op.Cap != trace.Timers
	case trace.Select:
		return !op.Default && !slices.ContainsFunc(op.Cases, func(c trace.Case) bool {
			return c.Cap == trace.Timers
		})
	case trace.Lock, trace.TryLock, trace.Unlock, trace.WLock, trace.WWait, trace.WTryLock,
		trace.WUnlock, trace.RLock, trace.RTryLock,
		trace.RUnlock, trace.WgAdd, trace.WgWait, trace.Once, trace.OnceDone, trace.CondEnter,
		trace.CondWait, trace.CondSignal,
		trace.CondBroadcast:
		return true
	}
	return false
}

// Resting reports whether the process that moved last is between two tasks, or has ended.
func Resting(s *trace.State) bool {
	if s.Last < 0 {
		return false
	}
	op := s.Procs[s.Last]
	return op == nil || op.Kind == trace.Recv || op.Kind == trace.Select
}
