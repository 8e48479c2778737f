package strategy

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Sleep sets: P. Godefroid, "Using Partial Orders to Improve Automatic Verification Methods", CAV
// 1990; "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996.
//
// An alternative that has been explored at a node need not be explored again after others of that
// node until something happens that is dependent with it: what would follow is equivalent to what
// has been seen.
//
//	papers                       here
//	sleep set                    DPOR.sleeping, Optimal's of a station; a list of sleeper
//	t, a transition of it        sleeper.event
//	t independent of t'          not sleeper.wokenBy
//
// Deviations: elements are alternatives with the event that they were, so that dependence is exact.
// An alternative after which the program crashed or exited is dependent with the log, which it cuts
// short.

// sleeper is an explored alternative.
type sleeper struct {
	event trace.Event
	final bool         // the execution ended with it: a crash or an exit
	lazy  bool         // it takes an observer to tell its order: see Observers
	cases []trace.Case // memory of event.Op.Cases
	// that begins with it, if it may sleep on when its process goes on; see tasks.go
	task *sleepingTask
}

// set makes z the sleeper of e.
func (z *sleeper) set(e *trace.Event, final bool) {
	z.event, z.final, z.task = *e, final, nil
	z.cases = append(z.cases[:0], e.Op.Cases...)
	z.event.Op.Cases = z.cases
	z.event.PartnerOp.Cases = nil // looked at by no one: a rendezvous is no Default
}

// wokenBy reports whether z is dependent with e, which was done after z might have been. beyond is
// true if it is woken although the two commute.
func (z *sleeper) wokenBy(e *trace.Event) (woken, beyond bool) {
	if woken, _ = depend.Dependent(&z.event, e); woken {
		return true, false
	}
	beyond = z.final && e.Kind == trace.Log || depend.Exhausts(e, &z.event)
	return beyond, beyond
}

// stillAsleep appends to dst those of list that e, which led to state s, does not wake.
func (d *DPOR) stillAsleep(dst, list []*sleeper, e *trace.Event, s *trace.State) []*sleeper {
	for _, z := range list {
		if z.task != nil {
			dst = d.refine.stillAsleep(dst, z, e, s)
			continue
		}
		woken, beyond := z.wokenBy(e)
		if !woken {
			dst = append(dst, z)
		}
		d.doubt = d.doubt || beyond
	}
	return dst
}

func contains(list []*sleeper, a trace.Alt) bool {
	for _, z := range list {
		if z.event.Alt == a {
			return true
		}
	}
	return false
}
