package trace

import "slices"

// Elders say that steps of a process must come after events. They are for strategies: see package
// symmetry.
type Elders []Elder

// Elder is one step, and one event.
type Elder struct {
	Step   int32 // an event of the process; -1: what it has declared when the execution ends
	Before int32 // the event that must come before it
}

// Of returns the event that must come before a step; -1: none.
func (l Elders) Of(step int32) int32 {
	for _, e := range l {
		if e.Step == step {
			return e.Before
		}
	}
	return -1
}

// Has reports whether some step must come after event k.
func (l Elders) Has(k int32) bool {
	return slices.ContainsFunc(l, func(e Elder) bool { return e.Before == k })
}
