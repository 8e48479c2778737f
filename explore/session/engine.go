package session

import (
	"cmp"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// strategyOf makes the strategy that the options ask for. name is the one asked for, or what auto is instead of a mixture.
func strategyOf(o *options.Options) (s explore.Strategy, name string, err error) {
	name, sleep := o.Strategy, o.Sleep
	if name == "auto" && o.Model != "go" {
		name, sleep = "dpor", true
	}
	s, err = strategy.New(name, strategy.Options{Sleep: sleep, Order: o.Order, Seed: o.Seed, Spins: o.MaxSpins})
	return s, name, err
}

// atWork names s, or the strategy that works in it, as in auto.
func atWork(s explore.Strategy, name string) string {
	if n, ok := s.(interface{ Name() string }); ok {
		return n.Name()
	}
	return name
}

// explore searches for findings until the deadline, and studies each. The options have been checked.
func (e *exploration) explore(deadline time.Time) {
	o := *e.suite.opts
	o.Seed += uint64(e.suite.round) // with -count, other random orders each time
	s, name, err := strategyOf(&o)
	if err != nil {
		panic("session: " + err.Error())
	}
	limits := explore.Limits{MaxExecutions: o.MaxExecutions, Deadline: deadline, FailFast: o.FailFast, Stop: e.stopped, Idle: o.Clock == "idle"}
	hook.Skipped = false
	hook.TakeOmissions() // of saved schedules
	e.result.Result = e.raw.search(explore.Prepare(e.exec, s, limits, e.progress))
	e.result.Strategy = atWork(s, name)
	if hook.Skipped && e.result.Complete {
		e.result.Complete, e.result.Reason = false, "with -atomics=false, atomic operations are not scheduling points"
	}
	e.explainOmissions()
	if why := cmp.Or(e.raw.over(), e.suite.watch.why()); why != "" && !e.result.Complete {
		e.result.Reason = why
	}
	for _, f := range e.result.Result.Findings {
		if !e.known(f.Identity, f.Count) {
			e.studyNew(f)
		}
	}
}

// explainOmissions says which hidden choices were not explored in full.
func (e *exploration) explainOmissions() {
	for _, o := range hook.TakeOmissions() {
		if r := &e.result; r.Complete {
			r.Complete, r.Reason = false, "not all hidden choices were explored in full"
		}
		e.note("hidden choice at %s: %s", e.suite.places.Line(o.Site), o.Text)
	}
}

// progress is called between executions.
func (e *exploration) progress(p *explore.Progress) {
	if e.suite.meter.Due(time.Now()) {
		e.suite.out.Progress(e.test.Name, p)
	}
}
