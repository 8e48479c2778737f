package strategy

import (
	"math"

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
//	sleep set                    DPOR.sleeping, Optimal's of a station; a list of Sleeper
//	t, a transition of it        Sleeper.event
//	t independent of t'          not Sleeper.wokenBy
//
// Deviations: elements are alternatives with the event that they were, so that dependence is exact.
// An alternative after which the program crashed or exited is dependent with the log, which it cuts
// short.

// Sleeper is an explored alternative.
type Sleeper struct {
	event trace.Event
	final bool         // the execution ended with it: a crash or an exit
	cases []trace.Case // memory of event.Op.Cases
}

// set makes z the sleeper of e.
func (z *Sleeper) set(e *trace.Event, final bool) {
	z.event, z.final = *e, final
	z.cases = append(z.cases[:0], e.Op.Cases...)
	z.event.Op.Cases = z.cases
	z.event.PartnerOp.Cases = nil // looked at by no one: a rendezvous is no Default
}

// wokenBy reports whether z is dependent with e, which was done after z might have been. beyond is
// true if it is woken although the two commute.
func (z *Sleeper) wokenBy(e *trace.Event) (woken, beyond bool) {
	if woken, _ = depend.Dependent(&z.event, e); woken {
		return true, false
	}
	beyond = z.final && e.Kind == trace.Log || depend.Exhausts(e, &z.event)
	return beyond, beyond
}

// nobody is the number of a process that takes part in nothing else.
const nobody = math.MaxInt32

func dependent(a, b *trace.Event) bool {
	yes, _ := depend.Dependent(a, b)
	return yes
}
