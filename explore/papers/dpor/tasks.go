package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Sleeping deliveries: E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection
// Strategies for Pruning Redundant State-Exploration in Testing", FORTE 2014, sect. 5; with the
// sleep sets of package search.
//
//	paper                     here
//	task t, process(t)        a delivery: an actor takes a message, and runs until it receives again
//	indep(t1, t2)             handlers.Classifier.Commute
//	mark(t)                   a sleeper whose process has gone on to another task
//
// If an actor has taken m1 in some state, and later takes m2 there, "takes m1" wakes up, for one
// process does both. With facts it goes on sleeping if the two tasks commute: m2, m1 would lead to
// the state to which m1, m2 has led.
//
// Why nothing is lost. Let w be m2 a m1 r, where m1 has not been woken, and a are the steps until
// the actor is back at the same receive. Let f be the steps of m1's task that others see. Move the
// events of r that do not happen after m1 before m1. If one of them wakes m1, w is explored because
// of that event. Otherwise each event between m1 and f happens after m1 because of another event of
// f, or because it looks at the mailbox. With
//   - only sends among f, which are possible as soon as m1 is taken,
//   - if there are several, only to mailboxes that nobody closes,
//   - no len of a mailbox, and no select with default on one,
//
// no event there depends on f, and m1 f is one step (if f is empty, it always is). This step
// commutes with a: with the tasks in a by the facts, with the other steps by package depend. So w
// is equivalent to m1 f m2 a r', which has been explored. The search may find an operation that
// looks at mailboxes late; then it begins anew, and such tasks count as dependent. It does find
// each such operation: up to the first one, an execution that is left out is equivalent to one that
// is explored, in which the operation is possible as well.
//
// Deviations. The paper marks messages of one actor, and its tasks are steps. It leaves the other
// order out at the choice; here an execution may be cut off when nothing but sleepers is left. The
// actor must also be at the same receive (the same stack) as before, for a task may go on to
// another loop.

// sleepingTask is the task that a sleeper begins.
type sleepingTask struct {
	delivery handlers.Delivery
	steps    []trace.Event // what the task does that others see: sends
	apart    bool          // the process has gone on to another task
}

// refiner lets dpor with sleep sets leave out orders of tasks that commute.
type refiner struct {
	tasks  *handlers.Classifier // nil: none are left out
	looked bool                 // somebody looks at a mailbox: tasks that send are not put off
	// some mailbox is closed: tasks that send several messages are not put off
	closed bool
	most   int             // sends of a task because of which an order has been left out
	matrix handlers.Matrix // what has been left out
	met    int             // of that, because of equal states: see contexts
}

// taskOf returns the task of event k of x; nil if the task is not known, or must not be put off.
func (r *refiner) taskOf(x *trace.Execution, k int) *sleepingTask {
	if r.tasks == nil {
		return nil
	}
	e := &x.Events[k]
	d, ok := r.tasks.DeliveryBy(&e.Op, e.Alt)
	if !ok || e.Kind != trace.Recv || !r.tasks.Hopeful(&d) || !r.tasks.Plain(&d) {
		return nil
	}
	t := &sleepingTask{delivery: d}
	for i := k + 1; i < len(x.Events); i++ {
		switch f := &x.Events[i]; {
		case !f.Involves(e.Proc):
		case f.Proc == e.Proc && r.begins(&f.Op):
			return t.upTo(&f.Op)
		case f.Proc != e.Proc || f.Kind != trace.Send || f.Closed ||
			!trace.Mailbox(f.Cap) && !direct(x, k, i):
			return nil
		default:
			t.steps = append(t.steps, *f)
		}
	}
	if p := &x.Procs[e.Proc]; !p.Ended && r.begins(&p.Pending) {
		return t.upTo(&p.Pending)
	}
	return nil
}

// begins reports whether a task begins with op.
func (r *refiner) begins(op *trace.Op) bool {
	_, ok := r.tasks.Receiver(op)
	return ok
}

// upTo returns t, which ends where its process declares op; nil if the process is elsewhere then.
func (t *sleepingTask) upTo(op *trace.Op) *sleepingTask {
	for i := range t.steps {
		if len(t.steps) > 1 && !trace.Mailbox(t.steps[i].Cap) {
			return nil
		}
	}
	// of other operations, N is no place
	if op.Kind != trace.Recv && op.Kind != trace.Select || op.N != t.delivery.Place {
		return nil
	}
	return t
}

// direct reports whether event i of x, a send to a channel of Go's, was possible right after event
// k, of the same process.
func direct(x *trace.Execution, k, i int) bool {
	f := &x.Events[i]
	for j := k + 1; j < i; j++ {
		if e := &x.Events[j]; e.Obj == f.Obj || f.Partner >= 0 && e.Involves(f.Partner) {
			return false
		}
	}
	return true
}

// stillAsleep appends to dst what is left of sleeper z, which has a task, after event e led to
// state s.
func (r *refiner) stillAsleep(dst []*sleeper, z *sleeper, e *trace.Event,
	s *trace.State) []*sleeper {
	woken, _ := z.WokenBy(e)
	switch own := e.Involves(z.Event.Proc); {
	case own && r.passes(z, e, s):
		if z.task.apart {
			return append(dst, z)
		}
		apart := *z.task
		apart.apart = true
		return append(dst, &sleeper{Sleeper: search.Sleeper{Event: z.Event, Final: z.Final},
			task: &apart})
	case own || woken:
		return dst
	case !z.task.disturbedBy(e):
		return append(dst, z)
	case !z.task.apart:
		return append(dst, &sleeper{Sleeper: search.Sleeper{Event: z.Event, Final: z.Final}})
	}
	return dst
}

// passes reports whether z's task commutes with e, a step of its own process, and the process may
// still take the task.
func (r *refiner) passes(z *sleeper, e *trace.Event, s *trace.State) bool {
	sends := len(z.task.steps)
	if e.Proc != z.Event.Proc || sends > 0 && r.looked || sends > 1 && r.closed {
		return false
	}
	if r.begins(&e.Op) {
		d, ok := r.tasks.DeliveryBy(&e.Op, e.Alt)
		if !ok || e.Kind != trace.Recv {
			return false
		}
		// with the values of this execution: channels are others
		asleep, ok := r.tasks.DeliveryBy(&z.Event.Op, z.Event.Alt)
		if !ok {
			return false
		}
		why, ok := r.tasks.Commute(&asleep, &d)
		if !ok {
			return false
		}
		r.most = max(r.most, sends)
		r.matrix.Add(why)
	} else if first := apart(&z.Event); !z.task.apart || search.Dependent(&first, e) ||
		z.task.disturbedBy(e) || z.task.follows(e) {
		return false
	}
	op := s.Procs[e.Proc]
	return op != nil && (!receives(op, z.Event.Obj) || op.N == z.task.delivery.Place)
}

// receives reports whether op may take something from a mailbox, or from any.
func receives(op *trace.Op, obj int32) bool {
	for i := range op.Cases {
		if c := &op.Cases[i]; c.Kind == trace.Recv && c.Obj == obj {
			return true
		}
	}
	return op.Kind == trace.Recv && op.Obj == obj
}

// apart returns a step as if nobody else did anything.
func apart(f *trace.Event) trace.Event {
	e := *f
	e.Proc = search.Nobody
	return e
}

// disturbedBy reports whether e, done by another process or on behalf of another task, does not
// commute with the steps of t.
func (t *sleepingTask) disturbedBy(e *trace.Event) bool {
	for i := range t.steps {
		f := apart(&t.steps[i])
		if e.Kind == trace.Recv && e.Takes.Number > 0 && f.Obj == e.Obj {
			continue // it takes another message: t's has not been sent
		}
		if search.Dependent(&f, e) {
			return true
		}
	}
	return false
}

// follows reports whether e, done on behalf of another task, and a step of t send to one mailbox
// that keeps their order.
func (t *sleepingTask) follows(e *trace.Event) bool {
	for i := range t.steps {
		if e.Kind == trace.Send && e.Cap == trace.Pairs && e.Obj == t.steps[i].Obj {
			return true
		}
	}
	return false
}

// watch looks at the events of x from number from on. It returns false if orders that must not be
// left out have been: the search has to begin anew.
func (r *refiner) watch(x *trace.Execution, from int) bool {
	if r.tasks == nil {
		return true
	}
	for i := from; i < len(x.Events); i++ {
		e := &x.Events[i]
		r.looked = r.looked || looksAt(&e.Op)
		r.closed = r.closed || e.Kind == trace.Close && trace.Mailbox(e.Cap)
	}
	for i := range x.Procs {
		r.looked = r.looked || looksAt(&x.Procs[i].Pending)
	}
	if r.most > 0 && r.looked || r.most > 1 && r.closed {
		r.most, r.matrix = 0, handlers.Matrix{}
		return false
	}
	return true
}

// looksAt reports whether op sees how many messages there are in a mailbox.
func looksAt(op *trace.Op) bool {
	for i := range op.Cases {
		if op.Default && trace.Mailbox(op.Cases[i].Cap) {
			return true
		}
	}
	return op.Kind == trace.Len && trace.Mailbox(op.Cap)
}

// sleeper is an explored alternative.
type sleeper struct {
	search.Sleeper
	// that begins with it, if it may sleep on when its process goes on; nil: it may not
	task *sleepingTask
}

// sleepers makes sleepers, and finds out which ones an event wakes.
type sleepers struct {
	free   search.Pool[sleeper]
	refine refiner
	doubt  bool // an alternative was explored again after events that it commutes with
}

// stillAsleep appends to dst those of list that e, which led to state s, does not wake.
func (d *sleepers) stillAsleep(dst, list []*sleeper, e *trace.Event, s *trace.State) []*sleeper {
	for _, z := range list {
		if z.task != nil {
			dst = d.refine.stillAsleep(dst, z, e, s)
			continue
		}
		woken, beyond := z.WokenBy(e)
		if !woken {
			dst = append(dst, z)
		}
		d.doubt = d.doubt || beyond
	}
	return dst
}

func contains(list []*sleeper, a trace.Alt) bool {
	return slices.ContainsFunc(list, func(z *sleeper) bool { return z.Event.Alt == a })
}
