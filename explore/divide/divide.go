// Package divide divides the exploration of execution graphs (package graph) among operating system
// processes, as what a process explores is all that one process can explore at a time.
//
// Vocabulary: a task is a list of nodes, in the order in which one process would come to them, and
// how far to explore what is below them; its report is what has been counted, and the nodes that
// are left. A helper is a process that does tasks; it is the same binary with the same arguments,
// as package isolate's children are: it goes through package initialisation and TestMain, and then
// takes tasks from the process that has started it, until that wants no more, or is gone.
//
// Guarantees: Next returns the parts in the order in which one process would have counted them,
// whoever has counted them, and each node is explored once. So their sum is what one process
// counts, with the order of outcomes, the schedules of findings, and the execution at which a bound
// on executions ends the search. A helper tells nothing but counts: a task in which something out
// of the ordinary comes up, or whose helper ends, or cannot be started, is done in the process that
// reports. Helpers are started when the first task has left something to be done.
//
// LIMITS: helpers run the program at the same time as the process that reports, so what it shares
// with itself outside of the process, such as a file of a fixed name, can be in its way. When the
// search is stopped, what a helper does not report within a second is not counted. The memory and
// the processor time that a package reports are those of the process that reports.
package divide

import (
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/graph"
	"github.com/rehearse-go/rehearse/explore/isolate"
)

// Task is what is explored without a break.
type Task struct {
	Test     string
	Nodes    []*graph.Graph // below them; not to be changed
	Most     int            // executions; 0: any number
	Until    time.Time      // after which a process is to report, be it at the end or not
	Deadline time.Time      // of the search; zero: none
}

// Report is what has come of a task.
type Report struct {
	Part explore.Part
	Rest []*graph.Graph // the nodes that are left, in their order
	// a helper's: nothing counts, the process that has given the task has to do it
	Odd  bool
	Last bool // nothing that comes after this is to be explored
}

// portion is how long a process works on a task: starting the next one takes some hundred
// microseconds.
const portion = 100 * time.Millisecond

// Search is one that is divided.
type Search struct {
	Start    isolate.Start
	Helpers  int               // how many there are to be
	Test     string            // what the tasks are about
	Deadline time.Time         // of the search; zero: none
	Stop     func() bool       // asked now and then; true ends the search
	Do       func(Task) Report // does one in this process

	mu      sync.Mutex
	changed *sync.Cond
	jobs    []*job    // in the order in which one process would come to them
	closed  bool      // no task is begun any more
	late    time.Time // if so: when what has not been reported does not count
	helpers []*helper
	hired   bool           // helpers have been started, as far as they could be
	working sync.WaitGroup // the goroutines that speak to helpers
}

// job is a task, and how far it is.
type job struct {
	nodes  []*graph.Graph
	state  state
	here   bool // it is for this process
	report Report
}

type state int

const (
	waiting state = iota
	begun
	done
)

// Begin makes all that there is the first task.
func (s *Search) Begin() {
	s.changed = sync.NewCond(&s.mu)
	s.jobs = []*job{{nodes: []*graph.Graph{{}}, here: true}}
}

// Next returns the next part, which has at most so many executions, if most is not 0; ok is false
// if there is none.
func (s *Search) Next(most int) (p explore.Part, ok bool) {
	for {
		j, finished := s.pick(most)
		switch {
		case j == nil:
			return p, false
		case finished:
			return j.report.Part, true
		}
		s.finish(j, s.Do(s.task(j, most)))
	}
}

// pick returns the first job if it is done, and otherwise one for this process; nil if there is
// none.
func (s *Search) pick(most int) (j *job, finished bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.jobs) > 0 {
		switch first := s.jobs[0]; {
		case s.ended():
			return s.last()
		case first.state == done && most > 0 && executions(first) > most:
			first.state, first.here = begun, true // once more, but not so far
			return first, false
		case first.state == done:
			return s.leave(first), true
		}
		if j := s.waiting(true); j != nil {
			return j, false
		}
		s.wait()
	}
	return nil, false
}

func executions(j *job) int { return j.report.Part.Executions + j.report.Part.Blocked }

// leave takes the first job from the list.
func (s *Search) leave(first *job) *job {
	s.jobs = s.jobs[1:]
	if first.report.Last {
		s.jobs, s.closed = nil, true
	}
	return first
}

// waiting begins the first job that waits; here: in this process.
func (s *Search) waiting(here bool) *job {
	for _, j := range s.jobs {
		if j.state == waiting && (here || !j.here) {
			j.state = begun
			return j
		}
	}
	return nil
}

// wait waits for something to change, or for long enough to ask Stop again.
func (s *Search) wait() {
	const often = 50 * time.Millisecond
	late := time.AfterFunc(often, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})
	s.changed.Wait()
	late.Stop()
}

// ended reports whether the search is over before its end.
func (s *Search) ended() bool {
	if !s.closed && (s.Stop() || !s.Deadline.IsZero() && time.Now().After(s.Deadline)) {
		s.closed, s.late = true, time.Now().Add(patience)
		s.changed.Broadcast()
	}
	return s.closed
}

// last returns, one after the other, the jobs that are done, or are done soon, when no other is
// begun any more.
func (s *Search) last() (j *job, finished bool) {
	for len(s.jobs) > 0 && time.Now().Before(s.late) {
		switch j := s.jobs[0]; j.state {
		case done:
			return s.leave(j), true
		case waiting:
			s.jobs = s.jobs[1:]
		default:
			s.wait()
		}
	}
	return nil, false
}

// patience is how long a search that has been stopped waits for reports.
const patience = time.Second

// task is what job j has to do.
func (s *Search) task(j *job, most int) Task {
	return Task{Test: s.Test, Nodes: j.nodes, Most: most, Until: time.Now().Add(portion), Deadline: s.Deadline}
}

// finish notes what has come of j. What is left is parted, so that there is something to do for
// others.
func (s *Search) finish(j *job, r Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	if r.Odd {
		j.state, j.here = waiting, true
		return
	}
	j.state, j.report = done, r
	s.insertAfter(j, parted(r.Rest))
	if len(r.Rest) > 0 && !s.hired && !s.closed {
		s.hire()
	}
}

// parted makes jobs of nodes.
func parted(nodes []*graph.Graph) (list []*job) {
	half := len(nodes) / 2
	for _, part := range [][]*graph.Graph{nodes[:half], nodes[half:]} {
		if len(part) > 0 {
			list = append(list, &job{nodes: part})
		}
	}
	return list
}

// insertAfter puts what j has left behind it.
func (s *Search) insertAfter(j *job, list []*job) {
	for i := range s.jobs {
		if s.jobs[i] == j {
			s.jobs = append(s.jobs[:i+1:i+1], append(list, s.jobs[i+1:]...)...)
			return
		}
	}
}

// hire starts the helpers.
func (s *Search) hire() {
	s.hired = true
	for range s.Helpers {
		h, err := start(s.Start)
		if err != nil {
			return // this process does it all
		}
		s.helpers = append(s.helpers, h)
		s.working.Go(func() { s.employ(h) })
	}
}

// employ has h do tasks, as long as there can be any and it is there.
func (s *Search) employ(h *helper) {
	var err error
	for err == nil {
		j := s.take()
		if j == nil {
			return
		}
		var r Report
		r, err = h.do(s.task(j, 0))
		r.Odd = r.Odd || err != nil
		s.finish(j, r)
	}
}

// take begins a job for a helper, once there is one; nil if there will be none.
func (s *Search) take() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		if j := s.waiting(false); j != nil {
			return j
		}
		s.changed.Wait()
	}
	return nil
}

// Close ends the helpers.
func (s *Search) Close() {
	s.mu.Lock()
	s.closed = true
	s.changed.Broadcast()
	s.mu.Unlock()
	for _, h := range s.helpers {
		h.end()
	}
	s.working.Wait()
}
