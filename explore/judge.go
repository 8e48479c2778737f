package explore

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Problem is something that is wrong with an execution.
type Problem struct {
	Kind     FindingKind
	Message  string
	Identity string // the same in all executions that show it; empty if it is not known
}

// NewProblem returns a problem that x shows.
func NewProblem(kind FindingKind, message string, x *trace.Execution) Problem {
	return Problem{kind, message, identity(kind, message, x)}
}

// Problems lists the problems of an execution: its end, if that is wrong, then its data races, and
// then panics that the library has recovered. If it was cut off, or the bound on steps ended it
// although it was not fair, it has only the latter two.
func Problems(x *trace.Execution) []Problem {
	var list []Problem
	if kind, message, ok := ending(x); !ok {
		list = append(list, NewProblem(kind, message, x))
	}
	if x.Never {
		return nil
	}
	for i := range x.Races {
		list = append(list, NewProblem(Race, x.Races[i].Text, x))
	}
	for i := range x.Recovered {
		list = append(list, recovered(&x.Recovered[i]))
	}
	return list
}

// recovered is the problem of a panic that the library has recovered. As without rehearse, it does
// not make the test fail.
func recovered(r *trace.Recovered) Problem {
	return Problem{Suspect, fmt.Sprintf("%s recovers a panic of the program: %s (%s)", r.By, r.Text,
		path.Base(r.Site)), identify(Suspect,
		[]string{"recovered", withoutNumbers(words.Stable(r.Text)), r.Site})}
}

// Judge returns the first problem of an execution; ok is true if there is none, other than panics
// that the library has recovered.
func Judge(x *trace.Execution) (kind FindingKind, message string, ok bool) {
	kind, message, ok = ending(x)
	if ok && len(x.Races) > 0 && !x.Never {
		return Race, x.Races[0].Text, false
	}
	return kind, message, ok
}

// Showing returns the problem of x that is the given one. If there is none, it returns the most
// similar one: one with a similar message, one of the same kind, or the first.
func Showing(x *trace.Execution, want Problem) (p Problem, ok bool) {
	best := -1
	for _, q := range Problems(x) {
		if like := q.likeness(want); like > best {
			p, best = q, like
		}
	}
	return p, best >= 0
}

func (p Problem) likeness(q Problem) int {
	switch {
	case p.Identity == q.Identity:
		return 3
	case p.Kind != q.Kind:
		return 0
	case withoutNumbers(words.Stable(p.Message)) == withoutNumbers(words.Stable(q.Message)):
		return 2
	}
	return 1
}

// ending judges how an execution ended. A failure after a forced move is only suspect, unless time
// had to pass there. A leak is suspect if a finalizer may end it: many close the object for which a
// goroutine waits. The failure of a test that depends on statistics of memory is suspect, as these
// are fixed numbers.
func ending(x *trace.Execution) (kind FindingKind, message string, ok bool) {
	kind, message, ok = endingOf(x)
	if kind == Leak && x.Finalizes {
		return Suspect, "leak, unless a finalizer or a cleanup of the program ends it: " + message,
			false
	}
	if kind == Fail && x.Doubted {
		return Suspect, "failed, after statistics were read that are fixed here: " + message, false
	}
	if !ok && kind != Uncontrolled && len(x.Forced) > 0 && !x.Proven {
		return Suspect, fmt.Sprintf("%s, after time passed because processes went on for long: %s",
			kind,
			message), false
	}
	return kind, message, ok
}

// IsLivelock reports whether x has no end, be that doubted or not.
func IsLivelock(x *trace.Execution) bool {
	kind, _, ok := endingOf(x)
	return !ok && kind == Livelock
}

// endingOf is ending without doubts. Of several problems it names the one that came first or
// explains the others: a panic, then blocking of the test itself, then a failed test, then
// processes that it left behind.
func endingOf(x *trace.Execution) (kind FindingKind, message string, ok bool) {
	switch {
	case x.End == trace.Cut, x.Never, x.End == trace.Steps &&
		(x.Limits.HasCut(trace.EndlessStep) || x.Limits.HasCut(trace.GetsOn)):
		return "", "", true
	case x.End == trace.Uncontrolled:
		return Uncontrolled, x.Crash.Text, false
	case x.End == trace.Crashed:
		return Panic, x.Crash.Text, false
	case x.End == trace.Steps && (!IsFair(x) || timePasses(x) || x.Escapes):
		return "", "", true
	case (x.End == trace.Steps || x.End == trace.Vain) && x.MainDone && x.Leaves:
		return "", "", true
	case x.End == trace.Vain && x.MainDone:
		return Livelock, "after the test has returned, " + vainly, false
	case x.End == trace.Vain:
		return Livelock, "no end: " + vainly, false
	case x.End == trace.Steps && x.MainDone:
		return Livelock, fmt.Sprintf(
			"processes go on after the test has returned, with no end after %d steps",
			len(x.Events)), false
	case x.End == trace.Steps:
		return Livelock, fmt.Sprintf("no end after %d steps", len(x.Events)), false
	case x.End == trace.Quiet && len(x.Blocked) > 0 && !x.MainDone:
		return Deadlock, blocked(x, x.Blocked), false
	case x.Failed:
		return Fail, strings.Join(x.Log, "\n"), false
	case x.End == trace.Exited && x.ExitCode != 0:
		return Fail, fmt.Sprintf("exit status %d", x.ExitCode), false
	case x.End == trace.Quiet && len(Leaked(x)) > 0 && !x.Leaves:
		return Leak, blocked(x, Leaked(x)), false
	}
	return "", "", true
}

// vainly says why an execution that is stopped by trace.Vain would have no end.
const vainly = "all that can go on wait, in loops, for what nobody will change"

// timePasses reports whether x, which the bound on steps ended, goes on only because time passes.
// It does so if, in the second half of x and after the last move of the test itself, timers have
// fired when nothing else was possible. A janitor that works once a minute has no end, and hangs
// nobody.
func timePasses(x *trace.Execution) bool {
	passes := false
	for i := range x.Events {
		e := &x.Events[i]
		switch {
		case e.Involves(0) && (x.MainDone || 2*i < len(x.Events)):
			passes = false
		case e.Involves(0):
			return false
		case (x.MainDone || 2*i >= len(x.Events)) && depend.IsBarrier(e) &&
			!slices.Contains(x.Forced, int32(i)):
			passes = true
		}
	}
	return passes
}

// Leaked lists the processes that wait for ever although nobody can ever reach them: all of
// x.Blocked but those that are idle. A process is idle when it only receives, from channels that
// package initialisation made. It is also idle when package initialisation or TestMain has started
// it, and it only receives, accepts, reads, waits for a Cond or sleeps. Idle processes belong to
// the package and not to this test, and later code can still send to them. A process that only
// receives, and one of its channels gets signals for another module, such as a framework for
// tests, is idle: the system can still send a signal. Processes that the library has started for
// itself do not count either: see IsBorders.
func Leaked(x *trace.Execution) []int32 {
	isIdle := func(b int32) bool { return idle(x, &x.Procs[b]) || x.Procs[b].IsBorders() }
	if !slices.ContainsFunc(x.Blocked, isIdle) {
		return x.Blocked
	}
	return slices.DeleteFunc(slices.Clone(x.Blocked), isIdle)
}

func idle(x *trace.Execution, p *trace.Proc) bool {
	listens := func(obj int32) bool { return slices.Contains(x.Signals, obj) }
	op := &p.Pending
	signaled := slices.ContainsFunc(op.Cases, func(c trace.Case) bool { return listens(c.Obj) })
	static := func(k trace.Kind, obj int32) bool {
		return k == trace.Recv && (p.Service || slices.Contains(x.Static, obj) ||
			signaled || listens(obj))
	}
	switch op.Kind {
	case trace.Select:
	case trace.Fire, trace.CondWait, trace.StreamAccept, trace.StreamRead:
		return p.Service
	default:
		return static(op.Kind, op.Obj)
	}
	for _, c := range op.Cases {
		if !static(c.Kind, c.Obj) {
			return false
		}
	}
	return len(op.Cases) > 0 || p.Service
}

// blocked describes processes that wait for ever, with a count for each name and operation.
func blocked(x *trace.Execution, procs []int32) string {
	count := map[string]int{}
	var order []string
	own := func(b int32) bool { return x.Procs[b].IsBorders() }
	if left := slices.DeleteFunc(slices.Clone(procs), own); len(left) > 0 {
		procs = left
	}
	for _, b := range procs {
		p := &x.Procs[b]
		what := fmt.Sprintf("%s (%s)", p.Name, Waits(&p.Pending))
		if count[what] == 0 {
			order = append(order, what)
		}
		count[what]++
	}
	for i, what := range order {
		if n := count[what]; n > 1 {
			order[i] = fmt.Sprintf("%d %s", n, what)
		}
	}
	if len(procs) == 1 {
		return "1 process is blocked for ever: " + order[0]
	}
	return fmt.Sprintf("%d processes are blocked for ever: %s", len(procs),
		strings.Join(order, ", "))
}

// Waits says in a word or two what a process with pending operation op does.
func Waits(op *trace.Op) string {
	if op.Kind != trace.Select {
		return op.Kind.String()
	}
	if len(op.Cases) == 0 {
		return "select without cases"
	}
	kinds := make([]string, len(op.Cases))
	for i, c := range op.Cases {
		kinds[i] = c.Kind.String()
	}
	return "select " + strings.Join(kinds, "/")
}
