package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxLeft is the number of goroutines that are left behind before the binary is ended: each holds
// the memory of its execution, and may be busy.
const maxLeft = 9

// Stuck is a process that was given up.
type Stuck struct {
	X     *trace.Execution // up to there
	goid  uint64
	doing string // "a step of it computes in f at x.go:7"
	state string // of the goroutine: "IO wait"
	stack string // what it does, without its state
}

// abandon gives up the process that has control and says what it does; nil if none has.
func abandon(at *depict.Places, test string, limit time.Duration) *Stuck {
	proc, goid, ok := executor.Abandon()
	if !ok {
		return nil
	}
	p := &Stuck{X: executor.Partial(0), goid: goid}
	text := goroutineOf(stacks(), goid)
	p.state, p.stack = stateOf(text), withoutState(text)
	doing, place := depict.Doing([]byte(text), at)
	p.doing = "a step of it is in " + doing
	if !p.resting() {
		p.doing = "a step of it computes in " + doing
	}
	if place != "" {
		p.doing += " at " + place
	}
	p.X.Procs[0].Name = test
	p.X.End, p.X.Stuck = trace.Uncontrolled, true
	p.X.Crash = &trace.Crash{
		Proc: proc, Fatal: true, Stack: []byte(text),
		Text: fmt.Sprintf("%s has been at one step for %v, in %s (%s); if it ends by itself, a longer "+
			"-step-timeout waits for it", p.X.Procs[proc].Name, limit, doing, p.state),
	}
	return p
}

// resting reports whether p's goroutine waits.
func (p *Stuck) resting() bool { return !moves(p.state) }

// moves reports whether a goroutine in a state goes on without any other one: it computes, unless
// the runtime has just stopped it to look at its stack or to collect garbage.
func moves(state string) bool {
	computing := []string{"run", "preempted", "copystack", "GC ", "garbage"}
	return state == "" || slices.ContainsFunc(computing, func(s string) bool {
		return strings.HasPrefix(state, s)
	})
}

// stackOf is what a goroutine does, without its state.
func stackOf(all []string, goid uint64) string { return withoutState(goroutineOf(all, goid)) }

// goroutineOf finds a goroutine in a dump; empty if it is not there.
func goroutineOf(all []string, goid uint64) string {
	head := fmt.Sprintf("goroutine %d [", goid)
	for _, g := range all {
		if strings.HasPrefix(g, head) {
			return g
		}
	}
	return ""
}

// stateOf is the state in the first line of a goroutine's dump: "IO wait" of "goroutine 7 [IO wait,
// 2 minutes]:".
func stateOf(g string) string {
	line, _, _ := strings.Cut(g, "\n")
	_, state, _ := strings.Cut(line, "[")
	state, _, _ = strings.Cut(state, "]")
	state, _, _ = strings.Cut(state, ",")
	return state
}

// withoutState is a goroutine's dump without its first line.
func withoutState(g string) string {
	_, calls, _ := strings.Cut(g, "\n")
	return calls
}

// stuckAt finds the process that has the processor and does not reach a visible operation. It
// returns the process's place, ": f at file:1", or nothing if no such process is found.
func stuckAt(at *depict.Places) string {
	for _, g := range stacks() {
		if !controlled(g) || parked(g) {
			continue
		}
		if calls := depict.UserCalls([]byte(g), at); len(calls) > 0 {
			return ": " + calls[0].Text + " at " + calls[0].Pos
		}
	}
	return ""
}

// controlled reports whether the goroutine with this stack runs a process.
func controlled(stack string) bool {
	return strings.Contains(stack, "runtime/sched.(*Sched).runBody")
}

// parked reports whether it waits for the scheduler.
func parked(stack string) bool {
	return strings.Contains(stack, "runtime/sched.(*Sched).switchTo") ||
		strings.Contains(stack, "runtime/sched.(*Sched).dispatch")
}

// stacks are those of all goroutines.
func stacks() []string {
	return strings.Split(string(library.Stacks()), "\n\n")
}

// Loose reports whether there is a goroutine outside of control that runs code other than the
// standard library's.
func Loose() bool {
	return slices.ContainsFunc(stacks(), func(g string) bool {
		return !controlled(g) && !strings.Contains(g, "rehearse/explore/") && callsProgram(g)
	})
}

// callsProgram reports whether a stack has a call of code that is not the standard library's.
func callsProgram(g string) bool {
	calls, _, _ := strings.Cut(g, "\ncreated by ")
	for line := range strings.Lines(calls) {
		file, isFile := strings.CutPrefix(line, "\t")
		if isFile && (!strings.HasPrefix(file, sched.StdRoot) ||
			strings.Contains(file, "_test.go:")) {
			return true
		}
	}
	return false
}
