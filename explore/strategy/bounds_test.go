package strategy_test

import (
	"strings"

	"github.com/rehearse-go/rehearse/explore/auto"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/race"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/explore/search"
)

// Bounds that tests make small.

// setWide sets from how many alternatives on stations do not keep them, and returns what it was.
func setWide(n int) (before int) {
	before, search.Wide = search.Wide, n
	return before
}

// setEffort sets the bounds of optimal and returns what restores them.
func setEffort(slack, perEvent, held int) (restore func()) {
	a, b, c := optimal.WorkSlack, optimal.WorkPerEvent, optimal.MostHeld
	optimal.WorkSlack, optimal.WorkPerEvent, optimal.MostHeld = slack, perEvent, held
	return func() { optimal.WorkSlack, optimal.WorkPerEvent, optimal.MostHeld = a, b, c }
}

// setTried sets after how many executions Adaptive judges dpor, and returns what it was.
func setTried(n int) (before int) {
	before, auto.Tried = auto.Tried, n
	return before
}

// setRaceMemory sets the bounds of race and returns what restores them.
func setRaceMemory(known, waiting int) (restore func()) {
	a, b := race.MaxKnown, race.MaxWaiting
	race.MaxKnown, race.MaxWaiting = known, waiting
	return func() { race.MaxKnown, race.MaxWaiting = a, b }
}

// makers make the parts of Adaptive.
func makers() auto.Makers {
	return auto.Makers{Optimal: optimal.New, DPOR: func() *dpor.Search { return dpor.New(true) },
		POP: pop.New}
}

func newAdaptive() *auto.Adaptive { return auto.NewAdaptive(makers()) }

func newExact() *auto.Adaptive { return auto.NewExact(makers()) }

// again reports whether a has begun again.
func again(a *auto.Adaptive) bool { return strings.Contains(a.Summary().Name, ", then ") }
