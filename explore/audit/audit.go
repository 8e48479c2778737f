package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Verdict is the result of the audit of one pair.
type Verdict struct {
	Pair    Pair
	Skipped string // why it was not compared; empty: it was
	// why the states after both tasks were not compared, only what the executions led to; empty:
	// they were
	Unknown    string
	Difference string         // what differs; empty: nothing
	Schedules  [2][]trace.Alt // the two executions, if they differ
}

// Run runs both orders of a pair and compares them.
func (p Pair) Run(e explore.Executor, tasks *handlers.Classifier, look Look) Verdict {
	v := Verdict{Pair: p}
	one := &side{tasks: tasks, prefix: p.Prefix, takes: [2]trace.Alt{p.First, p.Second}, look: look}
	one.run(e)
	if v.Skipped = one.trouble; v.Skipped != "" {
		return v
	}
	two := &side{tasks: tasks, prefix: p.Prefix, takes: [2]trace.Alt{p.Second, p.First}, look: look,
		other: one}
	two.run(e)
	if v.Skipped = two.trouble; v.Skipped != "" {
		return v
	}
	v.Unknown = cmp.Or(one.unknown, two.unknown, one.queued())
	two.unknown = v.Unknown
	if v.Difference = difference(one, two); v.Difference != "" {
		v.Schedules = [2][]trace.Alt{one.choices, two.choices}
	}
	return v
}

// difference says what differs between the two sides, the first thing first.
func difference(one, two *side) string {
	for _, differs := range []func(a, b *side) string{inSteps, inState, inFuture, inEnd} {
		if d := differs(one, two); d != "" {
			return d
		}
	}
	return ""
}

// inSteps compares the steps of the tasks. Steps behind the actor's loop come after the second
// task, whichever it is.
func inSteps(a, b *side) string {
	first, last := a.steps(0, 1), b.steps(0, 1)
	ab, ba := a.steps(1, 2), b.steps(1, 2)
	switch {
	case !begins(ab, last) || !begins(ba, first) || !slices.Equal(ab[len(last):], ba[len(first):]):
		return fmt.Sprintf("the tasks do %s then %s in the one order, %s then %s in the other",
			listed(first), listed(ab), listed(last), listed(ba))
	}
	return ""
}

func begins(long, short []trace.Kind) bool {
	return len(long) >= len(short) && slices.Equal(long[:len(short)], short)
}

// steps lists the kinds of steps between two marks.
func (d *side) steps(from, to int) (list []trace.Kind) {
	for i := d.marks[from].events; i < d.marks[to].events; i++ {
		list = append(list, d.result.Events[i].Kind)
	}
	return list
}

func listed(list []trace.Kind) string {
	var texts []string
	for _, k := range list {
		texts = append(texts, k.String())
	}
	return strings.Join(texts, ", ")
}

// queued returns the reason why the states say nothing: both tasks send to one mailbox that keeps
// the order of a sender. This order is a part of the state. The facts know whether a process can
// tell it, and if so then later events show it.
func (d *side) queued() string {
	sends := map[int32]bool{}
	for i := d.marks[0].events; i < d.marks[2].events; i++ {
		e := &d.result.Events[i]
		switch {
		case e.Kind != trace.Send || e.Cap != trace.Pairs || e.Closed:
			// others can tell the content of a channel of Go
		case i < d.marks[1].events:
			sends[e.Obj] = true
		case sends[e.Obj]:
			return "both tasks send to a mailbox that keeps the order"
		}
	}
	return ""
}

// inState compares the states; b says why they cannot be compared.
func inState(a, b *side) string {
	if b.unknown == "" && a.state != b.state {
		return "the state after both tasks is not the same"
	}
	return ""
}

func inFuture(_, b *side) string {
	if b.lost > 0 {
		return fmt.Sprintf(
			"what goes on after the one order cannot go on after the other, from step %d after both tasks",
			b.lost)
	}
	return ""
}

func inEnd(a, b *side) string { return inResult(&a.result, &b.result) }

// inResult compares the results of two executions.
func inResult(x, y *trace.Execution) string {
	one, _, _ := explore.Judge(x)
	other, _, _ := explore.Judge(y)
	switch {
	case one != other || x.End != y.End || x.Failed != y.Failed || x.Skipped != y.Skipped ||
		x.ExitCode != y.ExitCode || len(x.Blocked) != len(y.Blocked):
		return fmt.Sprintf("the one order ends with %s, the other with %s", ending(one),
			ending(other))
	case outcome(x) != outcome(y):
		return fmt.Sprintf("the log is %q after the one order and %q after the other", outcome(x),
			outcome(y))
	}
	return ""
}

func ending(kind explore.FindingKind) string {
	if kind == "" {
		return "pass"
	}
	return string(kind)
}

// outcome is the log of an execution, without the parts that depend on the run.
func outcome(x *trace.Execution) string {
	text := strings.Join(x.Log, "\n")
	if x.Crash != nil {
		text += "\n" + x.Crash.Text
	}
	return words.Stable(text)
}
