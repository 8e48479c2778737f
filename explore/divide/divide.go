// Package divide divides a search among operating system processes, because one process can explore
// only one execution at a time. A search is divided by items (package items), or by the blocks of a
// randomised strategy (package sample).
//
// Vocabulary: a task is an item, or a row of blocks, with a bound on the exploration. Its report
// has the counts, and what is left of the task. A helper is a process that does tasks. Like the
// children of package isolate, it is the same binary with the same arguments. It goes through
// package initialisation and TestMain, and then takes tasks from the process that has started it,
// until that process wants no more, or is gone. The first task of each is a sample, which shows
// that it does what the others do.
//
// A carrier is a process that takes items to machines elsewhere; see Remote.
//
// Guarantees: each execution counts once, whichever process runs it, so the sum of the parts is the
// count of a single process. Parts of items have no order. Parts of blocks have the order of the
// blocks, so all that depends on the order of executions is as in one process. A helper reports
// only counts. The process that reports does a task itself if something out of the ordinary comes
// up in it, or if its helper ends or cannot be started. A new helper takes the place of one that
// has ended. Helpers are started when the first task has left something to be done.
//
// LIMITS: helpers run the program at the same time as the process that reports, so state that they
// share outside of the process, such as a file of a fixed name, can be in the program's way. When
// the search is stopped, executions that a helper does not report within a second are not counted.
// The memory and the processor time that a package reports are those of the process that reports.
package divide

import (
	"slices"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
)

// Task is what is explored without a break.
type Task struct {
	Test     string
	Item     *dpor.Item         // what is left of it; nil: the task is Blocks
	Blocks   *Range             // of a randomised strategy
	Hungry   int                // alternatives of an item that others could have
	Plan     bool               // look ahead, for a plan: see dpor.Search.Ahead
	Cut      bool               // leave the item as for a plan: see dpor.Search.LeaveOne
	Ordinary *sections.Ordinary // of sections, if these may commute: no others do
	Check    bool               // say what the executions were, see Report.Check
	Alone    bool               // each execution has to be a process: below it, processes have died
	Most     int                // executions; 0: any number
	Until    time.Time          // after which a process is to report, be it at the end or not
	Deadline time.Time          // after which it does not go on; zero: none
}

// Report is what has come of a task.
type Report struct {
	Part   explore.Part
	Left   dpor.Left // what has come of the item
	Blocks           // what has come of a Range
	// tells machines apart on which a test does not do the same
	Check uint64
	// a helper's: nothing counts, the process that has given the task has to do it
	Odd  bool
	Lost bool // so it is because the helper is gone
	Last bool // nothing counts: the search cannot be divided
}

// portion is how long a process works on a task: starting the next one takes some hundred
// microseconds.
const portion = 100 * time.Millisecond

// Search is one that is divided.
type Search struct {
	Start    isolate.Start
	Helpers  int                // how many there are to be
	Test     string             // what the tasks are about
	Deadline time.Time          // after which no task goes on; zero: none
	Stop     func() bool        // asked now and then; true ends the search
	Do       func(Task) Report  // does one in this process
	Try      func(Task) Report  // does one that does not count: see Sample
	Ordinary *sections.Ordinary // see Task
	Remote   *Remote            // in the place of helpers; nil: there are helpers

	mu      sync.Mutex
	changed *sync.Cond
	queue   queue
	pieces  *pieces   // the queue, if it is made of items
	first   *Range    // the first block, if it is made of blocks
	closed  bool      // no task is begun any more
	late    time.Time // if so: when what has not been reported does not count
	helpers []*helper
	sample  Sample         // zero: nobody has asked
	unlike  bool           // a helper has another one
	longest time.Duration  // that a task has taken here
	hired   bool           // helpers have been started, as far as they could be
	working sync.WaitGroup // the goroutines that speak to helpers
}

// BeginItems begins the exploration of the items of k, of at most most executions; 0: there is no
// bound.
func (s *Search) BeginItems(k *items.Keeper, most int) {
	s.pieces = &pieces{keeper: k, workers: s.Helpers + 1, bounded: most > 0, room: most,
		keeps: s.Remote != nil && s.Remote.Keep != nil}
	s.begin(s.pieces)
}

func (s *Search) begin(q queue) { s.changed, s.queue = sync.NewCond(&s.mu), q }

// Next returns the next part. ok is false if there is none left.
func (s *Search) Next() (p explore.Part, ok bool) {
	for {
		part, j := s.pick()
		switch {
		case part != nil:
			return *part, true
		case j == nil:
			return p, false
		}
		t := s.task(j)
		began := time.Now()
		r := s.Do(t)
		s.longest = max(s.longest, time.Since(began))
		s.finish(j, r)
	}
}

// pick returns a part that counts, or a job for this process; nothing if there is none.
func (s *Search) pick() (p *explore.Part, j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for idle := time.Now(); !s.queue.empty(); dismiss(s.helpers, idle, several*s.longest) {
		s.keep()
		if s.ended() {
			return s.last(), nil
		}
		p, last := s.queue.next()
		s.closed = s.closed || last
		if p != nil || last {
			return p, nil
		}
		if j := s.queue.begin(true); j != nil {
			return nil, j
		}
		s.wait()
	}
	return nil, nil
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
	if !s.closed && (s.unlike || s.Stop()) {
		s.closed, s.late = true, time.Now().Add(patience)
		s.queue.drop()
		s.changed.Broadcast()
	}
	return s.closed
}

// last returns, one after the other, the parts of jobs that are done, or are done soon, when no
// other is begun any more.
func (s *Search) last() *explore.Part {
	for time.Now().Before(s.late) {
		if p, _ := s.queue.next(); p != nil || !s.queue.under() {
			return p
		}
		s.wait()
	}
	return nil
}

// patience is how long a search that has been stopped waits for reports.
const patience = time.Second

// task is what job j has to do.
func (s *Search) task(j *job) Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Remote != nil {
		s.pieces.workers = ahead*max(1, s.Remote.Workers()) - len(s.Remote.orders)
	}
	t := s.queue.task(j)
	t.Test, t.Until, t.Deadline = s.Test, time.Now().Add(portion), s.Deadline
	t.Ordinary = s.Ordinary
	return t
}

// finish notes what has come of j.
func (s *Search) finish(j *job, r Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	s.done(j, r)
}

// done is finish for a caller that holds the lock.
func (s *Search) done(j *job, r Report) {
	more := s.queue.finish(j, r)
	if s.Remote != nil {
		for _, e := range s.pieces.accepted {
			s.Remote.unkept = append(s.Remote.unkept, e)
		}
		s.pieces.accepted = nil
	}
	if more && !s.hired && !s.closed {
		s.hire()
	}
}

// hire starts the helpers.
func (s *Search) hire() {
	s.hired = true
	if s.Remote != nil {
		s.post()
		return
	}
	s.Sample() // which no helper's goroutine is to run
	for range s.Helpers {
		h, err := start(s.Start)
		if err != nil {
			return // this process does it all
		}
		s.helpers = append(s.helpers, h)
		s.working.Go(func() { s.employ(h) })
	}
}

// employ has h do tasks, as long as there can be any. If h dies, another helper takes its place,
// provided that h has done a task.
func (s *Search) employ(h *helper) {
	for did := 0; did > 0 || s.alike(h); did++ {
		j := s.take()
		if j == nil {
			return
		}
		t := s.task(j)
		if t.Blocks == nil {
			t.Most = 0
		}
		h.until.Store(t.Until.UnixNano())
		r, err := h.do(t)
		h.until.Store(0)
		if err == nil {
			s.finish(j, r)
			continue
		}
		s.finish(j, Report{Odd: true, Lost: true})
		if did == 0 {
			return
		}
		if h = s.replace(h); h == nil {
			return
		}
		did = -1
	}
}

// replace starts a helper in the place of one that is gone; it returns nil if the search has ended
// or no helper can be started.
func (s *Search) replace(h *helper) *helper {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return nil
	}
	with, err := start(s.Start)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.closed {
		go with.end(leave)
		return nil
	}
	i := slices.Index(s.helpers, h)
	if i < 0 || err != nil {
		return nil
	}
	s.helpers[i] = with
	go h.end(leave)
	return with
}

// take begins a job for a helper, once there is one; nil if there will be none.
func (s *Search) take() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		if j := s.queue.begin(false); j != nil {
			return j
		}
		s.changed.Wait()
	}
	return nil
}

// Save calls write with what the keeper has, and the parts that count and have not been returned.
// No result is written down or accepted meanwhile.
func (s *Search) Save(write func(items.Saved, []explore.Part) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.pieces
	var parts []explore.Part
	for _, p := range q.parts {
		parts = append(parts, *p)
	}
	err := write(q.keeper.Save(), parts)
	if r := s.Remote; r != nil {
		r.unkept = nil // write has them
		if err != nil {
			r.part()
		}
	}
}

// Open is how many items have no result.
func (s *Search) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pieces.keeper.Open()
}

// Close ends the helpers.
func (s *Search) Close() {
	s.mu.Lock()
	s.closed = true
	s.changed.Broadcast()
	helpers, within := slices.Clone(s.helpers), leave
	if !s.late.IsZero() && time.Now().After(s.late) {
		within = rest
	}
	s.mu.Unlock()
	var ends sync.WaitGroup
	for _, h := range helpers {
		ends.Go(func() { h.end(within) })
	}
	ends.Wait()
	s.working.Wait()
	s.recall()
}
