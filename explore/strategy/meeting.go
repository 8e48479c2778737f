package strategy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// meeting is a state that is compared with others. See contexts.
type meeting struct {
	at    int // number of its node in the execution under way
	sleep []asleep
	// of OptimalTasks: who has left a loop, and what was the last that it did there
	left   string
	procs  int              // that there are
	over   bool             // all that follows has been explored
	opaque bool             // what follows may be in a race with anything
	later  []later          // what processes declare in what follows
	known  map[laterKey]int // by key: where it is in later
}

// asleep is a sleeper, as far as that tells what is left out.
type asleep struct {
	alt         trace.Alt
	final       bool
	task, apart bool // see sleepingTask
	last        bool // see task
}

// covers reports whether what has to be explored from m, which has the same state, has to be
// explored from b, too: what sleeps at b sleeps at m, and as deeply.
func (b *meeting) covers(m *meeting) bool {
	return b.left == m.left && !slices.ContainsFunc(b.sleep, func(z asleep) bool {
		return !slices.ContainsFunc(m.sleep, func(y asleep) bool {
			return y.alt == z.alt && y.final == z.final && y.apart == z.apart && y.last == z.last && (y.task || !z.task)
		})
	})
}

// later is an operation that is declared after a meeting; or a message that is received after it,
// or never.
type later struct {
	// a process that there is at the meeting: it declares the operation, or sends the message
	proc  int32
	fresh bool // it is not this one that does, but one that comes from it
	op    trace.Op
	// of OptimalTasks: processes that there are at the meeting, and that do something after it that
	// it comes after
	past  procset
	whole bool    // likewise: it comes after all that its process has done
	keeps bool    // it is a send of a plain task to a channel that keeps the order
	mail  *parcel // of OptimalTasks; nil: it is an operation
}

// parcel is a message that is received after a meeting, or that nobody receives.
type parcel struct {
	number int32 // which one of its sender's
	box    int32
	task   receivingTask // that receives it; nil: none
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

func (l *later) key() laterKey {
	k := laterKey{proc: l.proc, fresh: l.fresh, keeps: l.keeps, whole: l.whole, kind: l.op.Kind, obj: l.op.Obj}
	if l.mail != nil {
		return l.mail.key(k)
	}
	switch l.op.Kind {
	case trace.Select:
		k.cases = fmt.Sprint(l.op.Cases)
	case trace.WgAdd, trace.CondWait:
		k.n = l.op.N
	}
	return k
}

// receivingTask is a task as revisit.Visit tells tasks apart.
type receivingTask interface {
	key() string // what is known of it in any execution
}

func (m *parcel) key(k laterKey) laterKey {
	k.obj = m.box
	if !k.fresh {
		k.n = m.number
	}
	if m.task != nil {
		k.cases = m.task.key()
	}
	return k
}

// numbered reports whether op acts on an object whose number is a part of the state, or on none. It
// is a flat table.
func numbered(op *trace.Op) bool {
	switch op.Kind {
	case trace.None, trace.Yield, trace.Draw, trace.Pick, trace.Log, trace.End, trace.Join:
		return true
	case trace.Send, trace.Recv, trace.Close, trace.Len:
		return op.Cap != trace.Timers
	case trace.Select:
		return !op.Default && !slices.ContainsFunc(op.Cases, func(c trace.Case) bool { return c.Cap == trace.Timers })
	case trace.Lock, trace.TryLock, trace.Unlock, trace.WLock, trace.WWait, trace.WTryLock, trace.WUnlock, trace.RLock, trace.RTryLock,
		trace.RUnlock, trace.WgAdd, trace.WgWait, trace.Once, trace.OnceDone, trace.CondEnter, trace.CondWait, trace.CondSignal,
		trace.CondBroadcast:
		return true
	}
	return false
}
