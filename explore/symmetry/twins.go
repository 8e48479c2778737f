package symmetry

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// twins knows the twins of the current execution.
type twins struct {
	procs []twin
	alts  []trace.Alt // those of the last state whose turn it is
	index []int       // of each in the state
	later []trace.Proc
	none  bool // nobody counts as a twin
	any   bool // somebody has waited for an elder, in this execution or one before
	seen  int  // so many events have been taken down
	// Shallow says that twins are ordered by their first moves only. It is for a search for which
	// also events commute that depend.Dependent says are dependent, as nobody sees their order.
	Shallow bool

	families []explore.Twins // those that have been seen, by where they were started
}

// twin is what is known of a process.
type twin struct {
	elder int32    // -1: it waits for nobody
	first int32    // its first event, -1 if it has not moved
	op    trace.Op // what it declared first
	ended bool     // it had nothing to declare
	held  bool     // it could have moved before its elder
	// the number of twins that were started before it in a row; 0: it is the first one, or no twin
	rank int

	moves  []int32 // by which events the first ones of its moves begin
	alike  int     // so many of its moves, from the first one on, are those of its elder
	starts int     // how many moves it had done when it started another process; 0: it has not
	parent int32   // whose event has started it, -1 if that is not sure
	born   int32   // the number of events before
}
