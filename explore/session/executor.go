package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
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
	return func(t gate.Test, maxSteps int) explore.Executor {
		if t.Run == nil {
			return timed(hook.NewMainExecutor(pkg.Main, technique, maxSteps), o)
		}
		return timed(hook.NewExecutor(t, technique, maxSteps), o)
	}
}

// timed sets when e's timers fire.
func timed(e *hook.Executor, o *options.Options) *hook.Executor {
	e.Early(o.Early())
	return e
}
