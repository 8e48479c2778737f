package study

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Seeing follows a script and notes what it sees.
type Seeing struct {
	explore.Script
	depict.Watched
}

// Choose implements trace.Chooser.
func (c *Seeing) Choose(s *trace.State) int {
	c.See(s)
	return c.Script.Choose(s)
}

// detailed runs alts, with a trace for the record if there is one. Both are valid until the next
// execution.
func (d *Desk) detailed(alts []trace.Alt, partings []depict.Parting,
	role string) (*trace.Execution, *record.Trace) {
	if !d.Records {
		return d.Show(alts), nil
	}
	plain := d.Shown.Execute(&explore.Script{Alts: alts}, false)
	ended, print := plain.End, Fingerprint(plain)
	c := &Seeing{Script: explore.Script{Alts: alts}}
	x := d.Shown.Execute(c, true)
	t := d.TraceOf(x, c, partings, role)
	switch {
	case x.End == trace.Cut || ended == trace.Cut:
		t.Detail, t.Why = false, "the execution was cut off: "+d.Why()
	case Fingerprint(x) != print:
		t.Detail, t.Why = false,
			"with stacks and values recorded, the same choices gave another execution"
	}
	return x, t
}

// TraceOf is x, which c has seen, for the record; nil if there is none.
func (d *Desk) TraceOf(x *trace.Execution, c *Seeing, partings []depict.Parting,
	role string) *record.Trace {
	if !d.Records {
		return nil
	}
	t := depict.Detail(x, &c.Watched, partings, d.Places)
	t.Package, t.Test, t.Role = d.Package, d.Test, role
	if len(x.Events) <= trace.MaxChoices && x.End != trace.Cut {
		f := &depict.Finding{}
		if kind, message, ok := explore.Judge(x); !ok {
			f.Kind, f.Message = kind, message
		}
		t.Schedule = string(d.Schedule(string(f.Kind), f.Message, x).Format())
	}
	return t
}

// Tell says in a sentence what decides that x shows a finding.
func (d *Desk) Tell(f *depict.Finding, x *trace.Execution, partings []depict.Parting,
	b *depict.Beside, t *record.Trace) {
	text, decision := depict.Sentence(f, x, partings, b, d.Places)
	f.Sentence = text
	if t != nil {
		t.Decision = decision
	}
}

// Passing is the trace of the execution that the finding is compared with; nil if there is none, or
// if nothing is recorded.
func (d *Desk) Passing(b *depict.Beside, partings []depict.Parting) *record.Trace {
	if !d.Records || b == nil {
		return nil
	}
	_, t := d.detailed(b.Alts, partings, record.Passing)
	return t
}

// Fingerprint tells executions apart by all that happened in them, except for their logs.
func Fingerprint(x *trace.Execution) string {
	h := fnv.New128a()
	fmt.Fprint(h, x.End, x.Blocked, x.MainDone, x.Failed, x.ExitCode)
	if x.Crash != nil {
		io.WriteString(h, words.Stable(x.Crash.Text))
	}
	for i := range x.Events {
		e := &x.Events[i]
		fmt.Fprint(h, e.Alt, e.Kind, e.Obj, e.Seq, e.Closed, e.OK)
	}
	return string(h.Sum(nil))
}

// Present returns those of traces that there are.
func Present(traces ...*record.Trace) []*record.Trace {
	return slices.DeleteFunc(traces, func(t *record.Trace) bool { return t == nil })
}

// mostExampleSteps bounds the examples of a test's outcomes, in steps.
const mostExampleSteps = 20_000

// Examples returns a trace for each of the first outcomes whose execution can be run again
// unchanged: accesses that became steps since, and critical sections, may have changed it. If
// nothing is recorded, there are no traces.
func (d *Desk) Examples(outcomes []explore.Outcome) (list []*record.Trace) {
	if !d.Records {
		return nil
	}
	left := mostExampleSteps
	for i, o := range outcomes {
		if len(o.Choices) == 0 || len(o.Choices) > left || d.Why() != "" {
			continue
		}
		c := &Seeing{Script: explore.Script{Alts: o.Choices}}
		x := d.Shown.Execute(c, true)
		kind, _, _ := explore.Judge(x)
		if c.Missed > 0 || x.End == trace.Cut || kind != o.Kind ||
			words.Stable(strings.Join(x.Log, "\n")) != words.Stable(o.Log) {
			continue
		}
		left -= len(x.Events)
		t := d.TraceOf(x, c, nil, record.Example)
		t.Outcome = i + 1
		list = append(list, t)
	}
	return list
}
