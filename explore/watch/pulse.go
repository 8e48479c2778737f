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
	limit  time.Duration // for one step
	places *depict.Places
	test   string
	// whether a step has been made since the pulse was felt; the next one is the answer
	asked   atomic.Bool
	running atomic.Bool   // an execution is under way
	chooser trace.Chooser // of that
	witness trace.Witness // likewise; nil: it is none
	timer   *time.Timer
	ended   atomic.Bool
	Stuck   chan *Stuck // gets the process that was given up

	same int           // looks that have found no step since the last one that has
	seen time.Time     // when that one was
	used time.Duration // processor time up to then
}

// looks is how often a pulse is felt within the time that a step may take.
const looks = 5

// NewPulse feels the pulse of the executions of a test until its end.
func NewPulse(test string, limit time.Duration, places *depict.Places) *Pulse {
	p := &Pulse{limit: limit, places: places, test: test, Stuck: make(chan *Stuck, 1)}
	p.timer = time.AfterFunc(p.limit/looks, func() {
		p.look()
		if !p.ended.Load() {
			p.timer.Reset(p.limit / looks)
		}
	})
	return p
}

// look feels the pulse. A step that has had no half of its time on a processor is slow only because
// the machine is busy.
func (p *Pulse) look() {
	if !p.asked.Swap(true) || !p.running.Load() {
		p.same, p.seen, p.used = 0, time.Now(), process.ProcessorTime()
	} else if p.same++; p.same == looks && time.Since(p.seen) < p.limit+busy &&
		starved(p.used, p.limit/2) {
		p.same--
	} else if p.same == looks {
		p.giveUp()
	}
}

// End stops to feel the pulse.
func (p *Pulse) End() {
	p.ended.Store(true)
	p.timer.Stop()
}

// giveUp abandons the execution under way, unless the explorer itself takes its time.
func (p *Pulse) giveUp() {
	if at := abandon(p.places, p.test, p.limit); at != nil {
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
		return false
	}
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

// Choose implements trace.Chooser around the chooser of the execution under way. That may take its
// time: the step that can last too long begins when it has chosen. While it does, there is no
// process to be given up.
func (p *Pulse) Choose(s *trace.State) int {
	i := p.chooser.Choose(s)
	p.step()
	return i
}

// Done implements trace.Witness likewise.
func (p *Pulse) Done(e *trace.Event) {
	if p.witness != nil {
		p.witness.Done(e)
	}
}
