package divide

import (
	"time"

	"github.com/rehearse-go/rehearse/explore/papers/dpor"
)

// A test may do something else in another process: package initialisation may have drawn random
// numbers, or asked for the number of the process. The items of such a test mean something else
// there. So each process first runs the executions with which the search of one process begins. If
// they are not those of this process, the search is not divided.

// Sample is the beginning of a search. Processes that do the same have the same sample.
type Sample struct {
	Executions int
	Check      uint64 // see Report.Check
}

const (
	probes = 3                      // executions of a sample, at most
	enough = 300 * time.Millisecond // no execution of it begins later than that
	ages   = time.Hour              // no end, for a process that has to run as many as another
)

// Sample returns the sample of the search, in this process.
func (s *Search) Sample() Sample {
	if s.sample.Executions == 0 {
		t := s.sampling(probes)
		t.Until = time.Now().Add(enough)
		r := s.Try(t)
		s.sample = Sample{max(1, executions(&r)), r.Check}
	}
	return s.sample
}

// Does reports whether this process has a sample that another one has had.
func (s *Search) Does(p Sample) bool {
	r := s.Try(s.sampling(p.Executions))
	s.sample = Sample{executions(&r), r.Check}
	return s.sample == p
}

// sampling is the task of a process that is to be compared.
func (s *Search) sampling(most int) Task {
	t := Task{Test: s.Test, Most: most, Check: true, Ordinary: s.Ordinary,
		Until: time.Now().Add(ages), Deadline: s.Deadline, Blocks: s.first}
	if s.first == nil {
		t.Item = &dpor.Item{}
	}
	return t
}

// Unlike reports whether another process has turned out to do something else. Then nothing that the
// search has come to counts.
func (s *Search) Unlike() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unlike
}

// alike reports whether a helper is alive, and does the same as this process.
func (s *Search) alike(h *helper) bool {
	t := s.sampling(s.sample.Executions)
	r, err := h.do(t)
	switch {
	case err != nil || r.Odd || executions(&r) < t.Most:
		return false
	case r.Check == s.sample.Check:
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unlike = true
	s.changed.Broadcast()
	return false
}

// overdue is how far behind with a task a helper may be while this process has nothing to do. Tests
// have less patience.
var overdue = 10 * time.Second

// several is how many times as long as here a task may take in a helper, if that is longer.
const several = 4

// dismiss ends the helpers that are overdue, or behind for so long if that is longer: they may have
// been stopped, or wait for something that this process has. Their tasks are then done here. This
// process has had nothing to do since idle.
func dismiss(helpers []*helper, idle time.Time, behind time.Duration) {
	due := time.Now().Add(-max(overdue, behind))
	if idle.After(due) {
		return
	}
	for _, h := range helpers {
		if until := h.until.Load(); until != 0 && time.Unix(0, until).Before(due) {
			h.process.Kill()
		}
	}
}
