package session

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// pulse gives up a process that has stopped to reach visible operations.
type pulse struct {
	limit   time.Duration // for one step
	suite   *suite
	test    string
	beat    atomic.Int64 // grows while executions make progress
	steps   int64
	running atomic.Bool   // an execution is under way
	chooser trace.Chooser // of that
	witness trace.Witness // likewise; nil: it is none
	timer   *time.Timer
	ended   atomic.Bool
	stuck   chan *stuck // gets the process that was given up

	last int64         // the beat at the last look
	same int           // looks since that have found no other
	seen time.Time     // when a look has found it first
	used time.Duration // processor time up to then
}

// looks is how often a pulse is felt within the time that a step may take.
const looks = 5

func (s *suite) newPulse(test string) *pulse {
	p := &pulse{limit: s.opts.StepTimeout, suite: s, test: test, stuck: make(chan *stuck, 1)}
	p.timer = time.AfterFunc(p.limit/looks, func() {
		p.look()
		if !p.ended.Load() {
			p.timer.Reset(p.limit / looks)
		}
	})
	return p
}

// look feels the pulse. A step that has had no half of its time on a processor is slow only because the machine is busy.
func (p *pulse) look() {
	if now := p.beat.Load(); now != p.last || !p.running.Load() {
		p.last, p.same, p.seen, p.used = now, 0, time.Now(), processorTime()
	} else if p.same++; p.same == looks && time.Since(p.seen) < p.limit+busy && starved(p.used, p.limit/2) {
		p.same--
	} else if p.same == looks {
		p.giveUp()
	}
}

func (p *pulse) end() {
	p.ended.Store(true)
	p.timer.Stop()
}

// giveUp abandons the execution under way, unless the explorer itself takes its time.
func (p *pulse) giveUp() {
	if at := abandon(p.suite.places, p.test, p.limit); at != nil {
		p.running.Store(false)
		p.stuck <- at
		return
	}
	fmt.Fprintf(os.Stderr, "rehearse: no step has been made for %v%s\n", p.limit, stuckAt(p.suite.places))
}

// execute runs e under p.
func (p *pulse) execute(e explore.Executor, c trace.Chooser, sites bool) *trace.Execution {
	p.chooser = c
	p.witness, _ = c.(trace.Witness)
	p.step()
	p.running.Store(true)
	defer p.running.Store(false)
	return e.Execute(p, sites)
}

// step is called by one goroutine at a time.
func (p *pulse) step() {
	p.steps++
	p.beat.Store(p.steps)
}

// Choose implements trace.Chooser around the chooser of the execution under way. That may take its time: the step that can last
// too long begins when it has chosen. While it does, there is no process to be given up.
func (p *pulse) Choose(s *trace.State) int {
	i := p.chooser.Choose(s)
	p.step()
	return i
}

// Done implements trace.Witness likewise.
func (p *pulse) Done(e *trace.Event) {
	if p.witness != nil {
		p.witness.Done(e)
	}
}
