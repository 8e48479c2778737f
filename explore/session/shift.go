package session

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/whole"
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
	sum, c := f.summary(), f.e.suite.Config
	switch {
	case sum.Name == whole.Name:
		return wholeSteps
	case sum.Drew:
		return twinsDraw
	case sum.Spun:
		return polls
	case c.Groups:
		return groupsUnmatched
	case len(c.Points) > 0:
		return dataRace
	}
	return ""
}

// Why a search is not divided.
const (
	sectionsCommute  = "sections of mutexes commute"
	groupsUnmatched  = "calls of Add and Done of a WaitGroup do not match"
	dataRace         = "there is a data race"
	twinsDraw        = "goroutines that would be twins draw random numbers"
	polls            = "a goroutine that polls was held back"
	wholeSteps       = "net/http or its like is explored in whole steps"
	unlikeProcess    = "the test does not do the same in each process"
	executionsDiffer = "executions differ"
	tooEarly         = "it ended before it was divided"
)

// isUnlike reports whether f says that executions differ.
func isUnlike(f explore.Finding) bool { return f.Kind == explore.Nondeterminism }
