package session

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// maxStuck is the number of tests that are given up before the binary is: each leaves a goroutine behind, which may
// be busy.
const maxStuck = 3

// stuck is a process that was given up.
type stuck struct {
	name, path string
	doing, pos string // "in os.(*File).Read (IO wait)", and where
	calls      []report.Line
	limit      time.Duration
}

// abandon gives up the process that has control and says what it does; nil if none has.
func abandon(at *report.Places, limit time.Duration) *stuck {
	name, path, goid, ok := hook.Abandon()
	if !ok {
		return nil
	}
	p := &stuck{name: name, path: path, limit: limit}
	head := fmt.Sprintf("goroutine %d [", goid)
	for _, g := range stacks() {
		if state, isIt := strings.CutPrefix(g, head); isIt {
			state, _, _ = strings.Cut(state, "]")
			state, _, _ = strings.Cut(state, ",")
			p.doing, p.pos = report.Doing([]byte(g), at)
			p.doing = fmt.Sprintf("in %s (%s)", p.doing, state)
			p.calls = report.UserCalls([]byte(g), at)
		}
	}
	return p
}

// finding describes p for people.
func (p *stuck) finding(test string) *report.Finding {
	if p.path == "0" {
		p.name = test
	}
	f := &report.Finding{Kind: explore.Uncontrolled, Count: 1, Away: -1, Stack: p.calls}
	f.Message = fmt.Sprintf("%s has been at one step for %v, %s", p.name, p.limit, p.doing)
	f.Pos = p.pos
	f.Processes = []report.Process{{Name: p.name, Path: p.path, State: "running", Op: p.doing, Pos: p.pos}}
	return f
}

// guarded is test, given up if one of its steps does not end. Its goroutine stays behind then: it waits for a process
// that will never hand control back.
func (s *suite) guarded(t gate.Test, deadline time.Time) *report.Test {
	s.watch.stuck = make(chan *stuck, 1)
	done := make(chan *report.Test, 1)
	go func() { done <- s.test(t, deadline) }()
	select {
	case r := <-done:
		return r
	case p := <-s.watch.stuck:
		s.stuck++
		return s.givenUp(t, p)
	}
}

// givenUp is the result of a test that was given up.
func (s *suite) givenUp(t gate.Test, p *stuck) *report.Test {
	r := &report.Test{Package: s.pkg.Path, Name: t.Name, Verdict: report.Error, Elapsed: p.limit,
		Result: explore.Result{Reason: "given up: a step does not end"},
		Model:  s.opts.Model, Strategy: s.opts.Strategy, Order: s.opts.Order}
	r.Findings = []*report.Finding{p.finding(t.Name)}
	if s.stuck == maxStuck {
		r.Notes = []string{fmt.Sprintf("%d tests had to be given up; no more are started", maxStuck)}
	}
	s.out.Found(t.Name, r.Findings[0])
	s.out.Result(r)
	return r
}

// stuckAt says where the process is that has the processor and does not reach a visible operation: ": f at file:1", or
// nothing if it cannot be found.
func stuckAt(at *report.Places) string {
	for _, g := range stacks() {
		if !controlled(g) || parked(g) {
			continue
		}
		if calls := report.UserCalls([]byte(g), at); len(calls) > 0 {
			return ": " + calls[0].Text + " at " + calls[0].Pos
		}
	}
	return ""
}

// controlled reports whether the goroutine with this stack runs a process.
func controlled(stack string) bool { return strings.Contains(stack, "runtime/sched.(*Sched).runBody") }

// parked reports whether it waits for the scheduler.
func parked(stack string) bool {
	return strings.Contains(stack, "runtime/sched.(*Sched).switchTo") || strings.Contains(stack, "runtime/sched.(*Sched).dispatch")
}

// stacks are those of all goroutines.
func stacks() []string {
	buf := make([]byte, 1<<20)
	return strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
}
