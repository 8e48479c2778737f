package search

import (
	"math"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Sleep sets: P. Godefroid, "Using Partial Orders to Improve Automatic Verification Methods", CAV
// 1990; "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996.
//
// An alternative that has been explored at a station need not be explored again after others of
// that station until a dependent event happens: the executions that would follow are equivalent to
// explored ones.
//
//	papers                       here
//	sleep set                    station.sleep of dpor and of optimal: a list of Sleeper
//	t, a transition of it        Sleeper.Event
//	t independent of t'          not Sleeper.WokenBy
//
// Deviations: elements are alternatives with the event that they were, so that dependence is exact.
// An alternative after which the program crashed or exited is dependent with the log, which it cuts
// short.

// Sleeper is an explored alternative.
type Sleeper struct {
	Event trace.Event
	Final bool         // the execution ended with it: a crash or an exit
	cases []trace.Case // memory of event.Op.Cases
}

// Set makes z the sleeper of e.
func (z *Sleeper) Set(e *trace.Event, final bool) {
	z.Event, z.Final = *e, final
	z.cases = append(z.cases[:0], e.Op.Cases...)
	z.Event.Op.Cases = z.cases
	z.Event.PartnerOp.Cases = nil // looked at by no one: a rendezvous is no Default
}

// WokenBy reports whether z is dependent with e, which was done after z might have been. beyond is
// true if it is woken although the two commute.
func (z *Sleeper) WokenBy(e *trace.Event) (woken, beyond bool) {
	if woken, _ = depend.Dependent(&z.Event, e); woken {
		return true, false
	}
	beyond = z.Final && e.Kind == trace.Log || depend.Exhausts(e, &z.Event)
	return beyond, beyond
}

// Nobody is the number of a process that takes part in nothing else.
const Nobody = math.MaxInt32

// Dependent reports whether the order of two events matters.
func Dependent(a, b *trace.Event) bool {
	yes, _ := depend.Dependent(a, b)
	return yes
}
