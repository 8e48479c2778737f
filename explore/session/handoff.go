package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Handoff is what one binary of a package leaves to the next one, which has more dependencies under
// control: the test whose executions differed, those that came to their deadlines, and all that
// follow, for which the dependencies are not what they were at first. The totals count the others.
type Handoff struct {
	Control []string // import paths of the dependencies to take under control
	Begun   []string // tests of which the user has been told that they run
	Tests   []string // the others of the round
	Round   int      // of -count
	Total   report.Package
	Worst   int           // exit code so far
	Spent   time.Duration // of the budget
}

// readHandoff reads what an earlier binary has left in a file; nil if there is no file yet.
func readHandoff(file string) (*Handoff, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	h := &Handoff{}
	if err == nil {
		err = json.Unmarshal(text, h)
	}
	return h, err
}

// handover is what binaries of one run leave to the next.
type handover struct {
	*common
	before *Handoff // what an earlier binary has left; nil: there was none
	next   *Handoff // what is left to another build; nil: nothing
}

// takeOver goes on where an earlier binary has stopped, if one has.
func (s *suite) takeOver() (err error) {
	if s.opts.Handoff == "" {
		return nil
	}
	if s.before, err = readHandoff(s.opts.Handoff); s.before == nil || err != nil {
		return err
	}
	s.total, s.worst = s.before.Total, s.before.Worst
	if !s.deadline.IsZero() {
		s.deadline = s.deadline.Add(-s.before.Spent)
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
	if h.opts.Handoff == "" || h.before != nil || h.opts.Isolate {
		return nil
	}
	return h.pkg.Carried
}

// leave leaves a test, and with it all that follow, to another build.
func (s *suite) leave(test string) {
	s.next = &Handoff{Control: s.controllable(), Begun: []string{test}, Round: s.round}
	for _, e := range s.again {
		s.next.Begun = append(s.next.Begun, e.test.Name)
	}
	s.unbegun += len(s.next.Begun)
	s.again = nil
}

// leaveRest adds the tests that have not begun to those that are left.
func (h *handover) leaveRest(tests []gate.Test) {
	for _, t := range tests {
		h.next.Tests = append(h.next.Tests, t.Name)
	}
}

// handOver writes down what another build has to do.
func (s *suite) handOver() error {
	s.next.Total, s.next.Worst, s.next.Spent = s.total, s.worst, time.Since(s.start)
	text, err := json.Marshal(s.next)
	if err != nil {
		return err
	}
	return os.WriteFile(s.opts.Handoff, text, 0o666)
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

// lacks returns the dependencies that were under control when a schedule was made and are not;
// empty if there is none.
func (c *common) lacks(sched *trace.Schedule) string {
	var missing []string
	for path := range strings.SplitSeq(sched.Control, ",") {
		if slices.Contains(c.pkg.Carried, path) {
			missing = append(missing, path)
		}
	}
	return strings.Join(missing, ",")
}

// underControl is the dependencies that were taken under control for this binary, as schedules have
// them.
func (h *handover) underControl() string {
	if h.before == nil {
		return ""
	}
	return strings.Join(h.before.Control, ",")
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
			shortList(m.suite.before.Control))
	}
}
