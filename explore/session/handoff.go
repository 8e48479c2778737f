package session

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/handoff"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// takeOver goes on where an earlier binary has stopped, if one has.
func (s *suite) takeOver() (err error) {
	if s.opts.Handoff == "" {
		return nil
	}
	if s.before, err = handoff.Read(s.opts.Handoff); s.before == nil || err != nil {
		return err
	}
	s.total, s.worst = s.before.Total, s.before.Worst
	if !s.deadline.IsZero() {
		s.deadline = s.deadline.Add(-s.before.Spent)
	}
	if s.before.Fresh {
		s.starting = s.start.Sub(s.before.At)
		s.from(s.start.Add(-s.starting))
	}
	return nil
}

// rounds has the tests of each round of -count, from the present one on.
func (h *handover) rounds(tests []gate.Test) [][]gate.Test {
	rounds := make([][]gate.Test, h.opts.Count)
	for i := range rounds {
		rounds[i] = tests
	}
	if h.before == nil {
		return rounds
	}
	left := func(t gate.Test) bool {
		return slices.Contains(h.before.Begun, t.Name) || slices.Contains(h.before.Tests, t.Name)
	}
	rounds[h.before.Round] = slices.DeleteFunc(slices.Clone(tests),
		func(t gate.Test) bool { return !left(t) })
	return rounds[h.before.Round:]
}

// announced reports whether the user knows that a test runs, from an earlier binary.
func (h *handover) announced(test string) bool {
	return h.before != nil && h.round == h.before.Round && slices.Contains(h.before.Begun, test)
}

// controllable lists the dependencies that another build could take under control.
func (h *handover) controllable() []string {
	if h.opts.Handoff == "" || h.before != nil && h.before.Asked || h.opts.Isolate {
		return nil
	}
	return h.pkg.Carried
}

// leave leaves a test, and with it all that follow, to another build.
func (s *suite) leave(test string) {
	s.next = &handoff.Work{Asked: true, Control: s.controllable(), Begun: []string{test},
		Round: s.round}
	for _, e := range s.again {
		s.next.Begun = append(s.next.Begun, e.test.Name)
	}
	s.unbegun += len(s.next.Begun)
	s.again = nil
}

// leaveRest adds the tests that have not begun to those that are left.
func (h *handover) leaveRest(tests []gate.Test) {
	for _, t := range tests {
		if h.announced(t.Name) {
			h.next.Begun = append(h.next.Begun, t.Name)
		} else {
			h.next.Tests = append(h.next.Tests, t.Name)
		}
	}
}

// handOver writes down what another build has to do.
func (s *suite) handOver() error {
	s.next.At = time.Now()
	s.next.Total, s.next.Worst, s.next.Spent = s.total, s.worst, s.next.At.Sub(s.start)
	if s.before != nil {
		s.next.Spent += s.before.Spent
	}
	return s.next.Write(s.opts.Handoff)
}

// renews leaves the remaining work to a new process, if this one is spoilt. The work is the tests
// that have not begun in this round, and those that came to their deadlines.
func (s *suite) renews(tests []gate.Test, again []*exploration) bool {
	if !s.watch.Spoilt() || s.watch.Stopped() || s.opts.Handoff == "" || s.shards.isOne() ||
		s.unbegun+len(again) == 0 {
		return false
	}
	s.next = &handoff.Work{Fresh: true, Round: s.round}
	if s.before != nil {
		s.next.Asked, s.next.Control = s.before.Asked, s.before.Control
	}
	for _, e := range again {
		s.next.Again = append(s.next.Again, handoff.Result{Round: e.round, Test: e.result})
	}
	s.leaveRest(tests)
	return true
}

// postponed are the tests that an earlier process has left, with their results until then.
func (s *suite) postponed(tests []gate.Test) {
	if s.before == nil {
		return
	}
	for _, r := range s.before.Again {
		i := slices.IndexFunc(tests, func(t gate.Test) bool { return t.Name == r.Name })
		if i >= 0 {
			s.again = append(s.again, explorationOf(&trial{suite: s, test: tests[i],
				round: r.Round, result: r.Test}))
		}
	}
}

// needsControl reports whether executions of the test differ, and dependencies that are not under
// control may be why.
func (e *exploration) needsControl() bool {
	if len(e.suite.controllable()) == 0 || e.replayed > 0 {
		return false
	}
	list := e.result.Result.Findings
	isOne := func(f explore.Finding) bool { return f.Kind == explore.Nondeterminism }
	return slices.ContainsFunc(list, isOne) ||
		slices.ContainsFunc(list[:min(len(list), maxShown)], e.vanished)
}

// maxShown bounds the findings whose schedules are run once more before they are studied.
const maxShown = 3

// vanished reports whether the schedule of a finding does not show it any more.
func (e *trial) vanished(f explore.Finding) bool {
	if len(f.Choices) == 0 || f.Kind == explore.Uncontrolled || f.Kind == explore.Livelock ||
		e.stuckAs(f) != nil || e.stopped() {
		return false
	}
	x := e.Show(f.Choices)
	p, ok := explore.Showing(x, f.Problem)
	return x.End != trace.Cut && (!ok || p.Kind != f.Kind)
}

// savedUnderControl reports whether a saved schedule of the test was made with dependencies under
// control that are not.
func (h *handover) savedUnderControl(test string) bool {
	if len(h.controllable()) == 0 {
		return false
	}
	for _, file := range h.saved.List(test) {
		sched, err := h.saved.Read(file)
		if err == nil && h.lacks(sched) != "" {
			return true
		}
	}
	return false
}

// noteTaken says which dependencies are under control because executions of this test or of one
// before it differed: those whose variables this test's executions change.
func (m *remarks) noteTaken() {
	if m.suite.before == nil || len(m.suite.before.Control) == 0 {
		return
	}
	touched := states.Touched()
	for _, path := range m.suite.before.Control {
		if names := touched[path]; len(names) > 0 {
			c := report.Controlled{Package: path, Variables: names}
			m.result.Controlled = append(m.result.Controlled, c)
			m.note("taken under control, because executions differed: %v", c)
		}
	}
	if len(m.result.Controlled) == 0 && m.suite.announced(m.test.Name) {
		m.note("taken under control, because executions differed: %s",
			report.Shortly(m.suite.before.Control))
	}
}
