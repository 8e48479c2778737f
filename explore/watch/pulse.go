package watch

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Pulse gives up a process that has stopped to reach visible operations.
type Pulse struct {
	limit  time.Duration // for one step; 0: none
	period time.Duration // between two looks
	// a step that computes may take longer than limit, if it has to end some time
	patient bool
	ends    func() time.Time // when what is under way has to end; zero: any time; nil: likewise
	places  *depict.Places
	test    string
	// whether a step has been made since the pulse was felt; the next one is the answer
	asked   atomic.Bool
	running atomic.Bool   // an execution is under way
	gone    atomic.Bool   // it was abandoned
	chooser trace.Chooser // of that
	witness trace.Witness // likewise; nil: it is none
	timer   *time.Timer
	ended   atomic.Bool
	Stuck   chan *Stuck // gets the process that was given up

	same int           // looks that have found no step since the last one that has
	seen time.Time     // when that one was
	used time.Duration // processor time up to then
}

// A pulse is felt looks times within the time that a step may take, and at least once in longest. A
// step that goes on for late looks is cut off when what is under way has to end.
const (
	looks   = 5
	longest = 250 * time.Millisecond
	late    = 2
)

// NewPulse feels the pulse of the executions of a test until its end.
func NewPulse(test string, limit time.Duration, places *depict.Places) *Pulse {
	p := &Pulse{limit: limit, period: longest, places: places, test: test,
		Stuck: make(chan *Stuck, 1)}
	if limit > 0 {
		p.period = min(max(limit/looks, time.Millisecond), longest)
	}
	p.timer = time.AfterFunc(p.period, func() {
		p.look()
		if !p.ended.Load() {
			p.timer.Reset(p.period)
		}
	})
	return p
}

// look feels the pulse.
func (p *Pulse) look() {
	if !p.asked.Swap(true) || !p.running.Load() {
		p.same, p.seen, p.used = 0, time.Now(), process.ProcessorTime()
		return
	}
	p.same++
	switch {
	case p.same > late && p.isLate() && !p.waits(late*p.period):
		p.leave()
	case p.limit > 0 && p.same == p.most():
		if p.mayGoOn() {
			p.same /= 2
		} else {
			p.giveUp()
		}
	}
}

// most is the number of looks within the time that a step may take.
func (p *Pulse) most() int { return max(int(p.limit/p.period), looks) }

// isLate reports whether what is under way had to end.
func (p *Pulse) isLate() bool {
	end := p.end()
	return !end.IsZero() && time.Now().After(end)
}

func (p *Pulse) end() (at time.Time) {
	if p.ends != nil {
		at = p.ends()
	}
	return at
}

// mayGoOn reports whether a step that has taken its time may take more. One that has had no half of
// that on a processor is slow only because the machine is busy.
func (p *Pulse) mayGoOn() bool {
	return p.waits(p.limit) || p.patient && !p.end().IsZero() && computing()
}

// waits reports whether a step has had no half of a time on a processor that it has had by the
// clock.
func (p *Pulse) waits(took time.Duration) bool {
	return time.Since(p.seen) < took+busy && starved(p.used, took/2)
}

// End stops to feel the pulse.
func (p *Pulse) End() {
	p.ended.Store(true)
	p.timer.Stop()
}

// giveUp abandons the execution under way, unless the explorer itself takes its time.
func (p *Pulse) giveUp() {
	if at := abandon(p.places, p.test, p.limit); at != nil {
		p.gone.Store(true)
		p.running.Store(false)
		p.Stuck <- at
		return
	}
	fmt.Fprintf(os.Stderr, "rehearse: no step has been made for %v%s\n", p.limit,
		stuckAt(p.places))
}

// leave abandons the execution under way because the work has to end, which is no fault of it. It
// reports false if the explorer itself takes its time.
func (p *Pulse) leave() bool {
	at := abandon(p.places, p.test, p.limit)
	if at == nil {
		return p.gone.Load()
	}
	p.gone.Store(true)
	at.X.End, at.X.Stuck, at.X.Crash = trace.Cut, false, nil
	p.running.Store(false)
	p.Stuck <- at
	return true
}

// Execute runs e under p.
func (p *Pulse) Execute(e explore.Executor, c trace.Chooser, sites bool) *trace.Execution {
	p.chooser = c
	p.witness, _ = c.(trace.Witness)
	p.step()
	p.gone.Store(false)
	p.running.Store(true)
	defer p.running.Store(false)
	return e.Execute(p, sites)
}

// step answers who has asked whether a step has been made. To look for the question takes less time
// than to store an answer.
func (p *Pulse) step() {
	if p.asked.Load() {
		p.asked.Store(false)
	}
}

// Choose implements trace.Chooser around the chooser of the execution under way. The chooser may
// take its time: the step that can last too long begins after the choice. While the chooser works,
// there is no process to be given up.
func (p *Pulse) Choose(s *trace.State) int {
	i := p.chooser.Choose(s)
	p.step()
	return i
}

// Done implements trace.Witness around the witness of the execution under way.
func (p *Pulse) Done(e *trace.Event) {
	if p.witness != nil {
		p.witness.Done(e)
	}
}
