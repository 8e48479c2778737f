package session

import (
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// executorOf returns the function that makes executors for the tests of pkg. The latest that it made may be used.
func executorOf(pkg Package, o *options.Options) func(t gate.Test, maxSteps int) explore.Executor {
	technique := o.Backend
	switch {
	case technique != "":
	case raceEnabled:
		technique = "goroutine" // a coroutine's switches would hide every race
	default:
		technique = "coroutine"
	}
	hook.SetSeed(o.Seed)
	hook.Atomics, hook.Races = o.Atomics, o.Races
	return func(t gate.Test, maxSteps int) explore.Executor {
		if t.Run == nil {
			return timed(hook.NewMainExecutor(pkg.Main, technique, maxSteps), o)
		}
		return timed(hook.NewExecutor(t, technique, maxSteps), o)
	}
}

// timed sets when e's timers fire, and which hidden choices are explored.
func timed(e *hook.Executor, o *options.Options) *hook.Executor {
	hook.SetEarly(o.Early())
	setHidden(o.Hidden())
	return e
}

// setHidden makes the kinds of hidden choices in a comma list choices of the schedule.
func setHidden(kinds string) {
	hook.SetChoices(strings.Contains(kinds, "rand"), strings.Contains(kinds, "maps"))
}

// choices lists what is explored beside the order of operations: the cases of selects, and kinds of hidden choices.
func choices(hidden string) string { return strings.TrimSuffix("select,"+hidden, ",") }

// useSettings makes the program draw the random numbers that it drew when sched was saved, and lets timers fire and
// hidden choices be made as they were, until the returned function is called.
func (s *suite) useSettings(sched *trace.Schedule) (restore func()) {
	seed, err := strconv.ParseUint(sched.Seed, 10, 64)
	if err != nil { // the parser accepts no other text
		seed = options.DefaultSeed
	}
	hook.SetSeed(seed)
	hook.SetEarly(early(sched.Clock))
	setHidden(sched.Hidden)
	return func() {
		hook.SetSeed(s.opts.Seed)
		hook.SetEarly(s.opts.Early())
		setHidden(s.opts.Hidden())
	}
}

// usualClock is the rule for timers that schedules need not name.
const usualClock = "idle"

// early returns how many firings may be early in a replay: the schedule itself is the bound.
func early(clock string) int {
	if clock == "" || clock == usualClock {
		return 0
	}
	return -1
}

// clockText is the rule for timers as a schedule has it.
func clockText(clock string) string {
	if clock == usualClock {
		return ""
	}
	return clock
}

// seedText is the seed as a schedule has it.
func seedText(seed uint64) string {
	if seed == options.DefaultSeed {
		return ""
	}
	return strconv.FormatUint(seed, 10)
}
