package options

import (
	"strings"

	"github.com/rehearse-go/rehearse/runtime/world"
)

// Delayed is the clock of all executions of -clock delay.
var Delayed = world.Clock{Early: -1, Within: LongestDelay, Flows: true}

// StillClock ends the rule for timers where readings with no firing in between are equal.
const StillClock = "still"

// usualClock is the rule for timers that schedules need not name.
const usualClock = "idle"

// ClockIn returns which firings may be early in a replay: the schedule itself is the bound.
func ClockIn(text string) world.Clock {
	rule, still := strings.CutSuffix(text, StillClock)
	to := world.Clock{Early: -1}
	switch strings.TrimSpace(rule) {
	case "", usualClock:
		to = world.Clock{}
	case "delay":
		to = Delayed
	}
	to.Flows = !still
	return to
}

// ClockAtFirst is the clock that the search begins with.
func (o *Options) ClockAtFirst() world.Clock {
	if o.Clock == "delay" {
		return world.Clock{Within: LongestDelay, Turns: o.MaxFires, Flows: !o.Still()}
	}
	return world.Clock{Early: o.Early(), Flows: !o.Still()}
}
