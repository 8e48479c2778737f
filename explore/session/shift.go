package session

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/whole"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// A search that can be divided begins in this process, as most searches end within a second. If it
// takes longer than patient, and the estimate of what is left is unknown or at least twice that, it
// begins again by items, which all processes divide. The findings until then hold, but the
// executions do not count. This rule applies when -p does not set the number of processes, and
// where a refinement may be at work.
const (
	patient = 5 * time.Second
	offered = patient / 10 // in its place, while a cluster's workers have nothing to do
)

// hurry, if a test has the linker set it, is the number of executions after which a search is
// divided, however little is left. With it, tests can compare divided searches of small programs.
var hurry string

// shift looks at whether a search in this process is to be divided. The nil shift never does.
type shift struct {
	e        *exploration
	summary  func() *explore.Summary
	joins    explore.Refiner
	sections explore.Sections
	due      atomic.Bool
	why      string // it is not divided; empty: nothing is known
	scouts   int    // so many executions are to be run, whatever they take; 0: no
}

// watch makes a search end when it is to be divided.
func (f *shift) watch(limits *explore.Limits, summary func() *explore.Summary) {
	if f == nil {
		return
	}
	f.summary, f.joins, f.sections = summary, limits.Refine, limits.Sections
	if f.scouts > 0 {
		limits.MaxExecutions, limits.Study = f.scouts, nil
		return
	}
	stop, hurried, asked := limits.Stop, 0, 0
	fmt.Sscan(hurry, &hurried)
	limits.Stop = func() bool {
		if asked++; hurried > 0 && asked%hurried == 0 {
			f.decide()
		}
		return f.due.Load() || stop()
	}
}

// decide makes the search end here if nothing is in the way of dividing it.
func (f *shift) decide() {
	if f.why = f.refined(); f.why == "" {
		f.due.Store(true)
	}
}

// progress is what is called between executions now and then, beside what is told.
func (f *shift) progress(tell func(*explore.Progress)) func(*explore.Progress) {
	if f == nil || f.scouts > 0 {
		return tell
	}
	return func(p *explore.Progress) {
		tell(p)
		wait := patient
		if carrier != nil && carrier.Workers() > 0 {
			wait = offered
		}
		if left, ok := p.Left(); p.Elapsed < wait || ok && left < 2*wait {
			return
		}
		f.decide()
	}
}

// refined names the refinement at work that processes cannot divide; empty: there is none.
func (f *shift) refined() string {
	if j, ok := f.joins.(*adapt.Joining); ok && j.Joins() {
		return "sends of equal values are taken as one"
	}
	if s, ok := f.sections.(*adapt.Sections); ok && s.Commute() {
		return sectionsCommute
	}
	sum, c := f.summary(), f.e.suite.config
	switch {
	case sum.Name == whole.Name:
		return wholeSteps
	case sum.Drew:
		return twinsDraw
	case c.Groups:
		return groupsUnmatched
	case len(c.Points) > 0:
		return dataRace
	}
	return ""
}

// Why a search is not divided.
const (
	sectionsCommute = "sections of mutexes commute"
	groupsUnmatched = "calls of Add and Done of a WaitGroup do not match"
	dataRace        = "there is a data race"
	twinsDraw       = "goroutines that would be twins draw random numbers"
	wholeSteps      = "net/http or its like is explored in whole steps"
	unlikeProcess   = "the test does not do the same in each process"
)

// divides explores by items if processes can divide the search, or alone. It returns what has
// searched; nil: the search was made alone.
func (s *turnSearch) divides() *pieces {
	e, o := s.exploration, &s.o
	if parts, mine := e.suite.shards.divides(s); mine {
		return parts
	}
	why, kept := o.Whole(), o.Checkpoint != "" || o.Resume
	unasked := o.P == options.AsPays && o.Strategy != "auto" // who names a strategy wants that one
	if why != "" || !kept && carrier == nil && (o.Processes() < 2 || unasked) {
		s.alone(nil)
		e.noteAlone(o, why)
		return nil
	}
	var before explore.Result
	saved := e.resumed(o)
	if saved == nil && (!o.IsPlain() || o.P == options.AsPays && !kept) {
		f := &shift{e: e}
		s.alone(f)
		if !f.due.Load() || e.stopped() {
			e.noteAlone(o, f.why)
			return nil
		}
		before = e.result.Result
		e.number(false)
	}
	d := e.newPieces(s.apart, o, saved)
	if saved == nil {
		d.ordinary = hook.OrdinarySections()
	}
	d.total, d.spread = before.Total, before.Spread
	e.result.Result = d.search(s.limits)
	e.setSections(false)
	if d.whole != "" && !e.stopped() {
		s.alone(nil)
		e.noteAlone(o, d.whole)
		return nil
	}
	e.result.Result.Remember(&before)
	return d
}

// noteAlone says why a search that took long was made in one process although the user has asked
// for several.
func (m *remarks) noteAlone(o *options.Options, why string) {
	switch slow := m.result.Result.Elapsed > patient; {
	case why == "":
	case o.Checkpoint != "":
		m.note("nothing is written to %s, as the search is in one piece: %s", o.Checkpoint, why)
	case carrier != nil:
		m.note("explored by one process, as workers do not divide this: %s", why)
	case o.P > 1 && (o.Verbose || slow):
		m.note("explored by one process, as -p does not divide this: %s", why)
	}
}
