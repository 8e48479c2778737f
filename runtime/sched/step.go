package sched

import "github.com/rehearse-go/rehearse/runtime/trace"

// dispatch returns the process to run next, or nil for the driver when the execution has ended.
func (s *course) dispatch() *Proc {
	for !s.ended {
		if s.head < len(s.runq) {
			s.head++
			return s.runq[s.head-1]
		}
		s.runq, s.head = s.runq[:0], 0
		s.step()
	}
	return nil
}

// step chooses and applies one alternative.
func (s *course) step() {
	alts := s.alternatives()
	switch {
	case s.ended: // a whole step has no end
		return
	case len(alts) == 0:
		if s.viewer != nil {
			s.viewer.Quiet()
		}
		s.Stop(trace.Quiet)
		return
	case s.opts.MaxSteps > 0 && len(s.x.Events) >= s.opts.MaxSteps:
		s.Stop(trace.Steps)
		return
	case s.Returned() && len(s.x.Events)-s.returned >= s.afterwards():
		s.Stop(trace.Steps)
		return
	case late(len(s.x.Events), s.opts.MaxSteps), s.Returned() &&
		late(s.StepsAfter(), s.afterwards()):
		s.noteEnabled(alts[:len(alts)-s.state.Forced])
		if !s.lastSteps.on && s.lastSteps.left > 0 {
			s.WatchLast()
		}
	}
	s.state.Depth, s.state.Events = len(s.x.Events), s.x.Events
	s.state.Objects, s.state.Met = s.objects, s.x.Met
	if i := s.choose(); i < 0 {
		s.Stop(trace.Cut)
	} else {
		s.apply(&alts[i])
	}
}

// late reports whether n is beyond half of a bound, but not close to it: a process that is enabled
// close to the bound need not have moved. Bound 0 is none.
func late(n, bound int) bool { return bound > 0 && 2*n >= bound && 8*n < 7*bound }

func (s *course) alternatives() []trace.Alt {
	alts := s.state.Alts[:0]
	s.state.Forced = 0
	if p := s.inSection(); p != nil {
		s.state.Moves = 0
		s.state.Alts = p.operation.Alts(p, alts)
		return s.state.Alts
	}
	if len(s.procs) > crowd {
		alts = s.beds.list(s.procs, alts)
	} else {
		for _, p := range s.alive {
			alts = p.operation.Alts(p, alts)
		}
	}
	s.state.Inner = false
	if s.border.on {
		if alts, s.state.Inner = s.whole(&s.processes, alts); s.state.Inner {
			s.state.Moves, s.state.Alts = 0, alts
			return alts
		}
	}
	if s.clock != nil {
		alts = s.clock.Fires(alts)
	}
	s.state.Alts = alts
	return alts
}

// inSection returns the process that has just begun a section and is about to end it, nil if there
// is none: a section is one step.
func (s *course) inSection() *Proc {
	n := len(s.x.Events)
	if n == 0 {
		return nil
	}
	e := &s.x.Events[n-1]
	if e.Op.Sectioned() == 0 {
		return nil
	}
	p := s.procs[e.Proc]
	if e.Obj != p.Op.Obj || p.ended || p.Op.Sectioned() == 0 || !begins(e.Kind) ||
		begins(p.Op.Kind) {
		return nil
	}
	return p
}

// begins reports whether an operation of a section, of kind k, begins it.
func begins(k trace.Kind) bool { return k == trace.Lock || k == trace.WLock || k == trace.RLock }

func (s *course) apply(a *trace.Alt) {
	p := s.procs[a.Proc]
	ev := s.newEvent()
	ev.Alt, ev.Op, ev.Kind, ev.Obj, ev.Cap = *a, p.Op, p.Op.Kind, p.Op.Obj, p.Op.Cap
	if s.opts.Sites {
		s.recordSites(s.procs, a)
	}
	if !p.daemon {
		s.runq = append(s.runq, p)
	}
	p.alt, p.twins.moved = *a, true
	ev.Rested, p.rested = p.rested, false
	p.entered()
	if a.Partner >= 0 {
		q := s.procs[a.Partner]
		ev.PartnerRested, q.rested = q.rested, false
		q.entered()
		ev.PartnerOp = q.Op
		q.alt, q.twins.moved = *a, true
		p.Meet(q)
		s.runq = append(s.runq, q)
		q.operation.Apply(q, ev)
		q.looks.last = int32(len(s.x.Events) - 1)
	}
	p.operation.Apply(p, ev)
	for _, w := range s.watchers {
		w.Done(ev)
	}
	s.state.Last = a.Proc
	if a.Involves(0) {
		s.moved = len(s.x.Events)
	}
	if !p.daemon && !ev.Op.IsInner() || a.Partner >= 0 && !ev.PartnerOp.IsInner() {
		s.outer = len(s.x.Events)
	}
	p.looks.noteChoice(a, len(s.x.Events)-1, s.state.Alts)
	ev.Round, p.looks.last = p.looks.round, int32(len(s.x.Events)-1)
	s.tries = s.tries || ev.Kind.Tries()
	if !ev.Waits() {
		s.changed = len(s.x.Events)
	}
	if s.beds.on {
		s.beds.wakeFor(s.procs, ev)
	}
	if s.witness != nil {
		s.witness.Done(ev)
	}
}

// Pass makes q go on with the value that p sends in the event that is being applied. q has declared
// a receive, or a select with one in a case. The event's alternative is p's alone.
func (s *course) Pass(p, q *Proc, index int32) {
	p.alt.Partner, p.alt.PartnerCase = q.ID, index
	q.alt, q.twins.moved, q.rested = p.alt, true, false
	p.Meet(q)
	s.runq = append(s.runq, q)
	if q.ID == 0 {
		s.moved = len(s.x.Events)
	}
}

// Answer makes q, which has declared a receive, go on with alternative a, as p, the current
// process, has made that possible. This is a part of the last event; steps are the alternatives
// that it replaces. both: p learns what q has done, too.
func (s *course) Answer(p, q *Proc, a trace.Alt, both bool, steps ...trace.Alt) {
	s.pay()
	for _, step := range steps {
		s.Silent(step)
	}
	q.alt, q.Op, q.rested = a, trace.Op{}, false
	s.runq = append(s.runq, q)
	for _, w := range s.watchers {
		w.Learned(q, p)
		if both {
			w.Learned(p, q)
		}
	}
}

// Others lets all other processes that can go on without a choice do so before p, the current
// process.
func (s *Sched) Others(p *Proc) {
	s.pay()
	s.runq = append(s.runq, p)
	s.leave()
	if q := s.dispatch(); q != p {
		s.backend.switchTo(p, q)
	}
	s.enter(p)
}

// StepsAfter returns the number of events since the first process has ended.
func (s *course) StepsAfter() int { return len(s.x.Events) - s.returned }
