package session

import (
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/tree"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// recorded makes the reporter write the record, too, if there is to be one.
func (s *suite) recorded(out report.Reporter) (report.Reporter, error) {
	if s.opts.Record == "" {
		return out, nil
	}
	file, err := os.OpenFile(s.opts.Record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return report.NewRecorder(out, file, &record.Header{
		Record: record.Version, Go: runtime.Version(), Package: s.pkg.Path, Dir: s.pkg.Dir,
		Root: s.pkg.Root, Cwd: s.places.Cwd, Values: !s.places.Secret,
	}), nil
}

// seeing follows a script and notes what it sees.
type seeing struct {
	explore.Script
	depict.Watched
}

// Choose implements trace.Chooser.
func (c *seeing) Choose(s *trace.State) int {
	c.See(s)
	return c.Script.Choose(s)
}

// detailed runs alts, with a trace for the record if there is one. Both are valid until the next
// execution.
func (e *exploration) detailed(alts []trace.Alt, partings []depict.Parting,
	role string) (*trace.Execution, *record.Trace) {
	if !e.suite.opts.Records() {
		return e.show(alts), nil
	}
	plain := e.shown.Execute(&explore.Script{Alts: alts}, false)
	ended, print := plain.End, fingerprint(plain)
	c := &seeing{Script: explore.Script{Alts: alts}}
	x := e.shown.Execute(c, true)
	t := e.traceOf(x, c, partings, role)
	switch {
	case x.End == trace.Cut || ended == trace.Cut:
		t.Detail, t.Why = false, "the execution was cut off: "+e.whyStopped()
	case fingerprint(x) != print:
		t.Detail, t.Why = false,
			"with stacks and values recorded, the same choices gave another execution"
	}
	return x, t
}

// traceOf is x, which c has seen, for the record; nil if there is none.
func (e *exploration) traceOf(x *trace.Execution, c *seeing, partings []depict.Parting,
	role string) *record.Trace {
	if !e.suite.opts.Records() {
		return nil
	}
	t := depict.Detail(x, &c.Watched, partings, e.suite.places)
	t.Package, t.Test, t.Role = e.suite.pkg.Path, e.test.Name, role
	if len(x.Events) <= trace.MaxChoices && x.End != trace.Cut {
		f := &depict.Finding{}
		if kind, message, ok := explore.Judge(x); !ok {
			f.Kind, f.Message = kind, message
		}
		t.Schedule = string(e.schedule(string(f.Kind), f.Message, x).Format())
	}
	return t
}

// tell says in a sentence what decides that x shows a finding.
func (e *exploration) tell(f *depict.Finding, x *trace.Execution, partings []depict.Parting,
	b *depict.Beside, t *record.Trace) {
	text, decision := depict.Sentence(f, x, partings, b, e.suite.places)
	if f.Sentence = text; t != nil {
		t.Decision = decision
	}
}

// passing is the trace of the execution that f is compared with; nil if there is none, or none is
// to be recorded.
func (e *exploration) passing(b *depict.Beside, partings []depict.Parting) *record.Trace {
	if !e.suite.opts.Records() || b == nil {
		return nil
	}
	_, t := e.detailed(b.Alts, partings, record.Passing)
	return t
}

// shape is what keeps the shape of the search for the record; nil if there is none.
func (e *exploration) shape() *tree.Tree {
	if !e.suite.opts.Records() {
		return nil
	}
	return &tree.Tree{}
}

// mostExampleSteps bounds the examples of a test's outcomes, in steps.
const mostExampleSteps = 20_000

// recordExamples records an execution for each of the first outcomes, as far as it can be run again
// as it was: accesses that became steps since, and critical sections, may make another one of it.
func (e *exploration) recordExamples() {
	if !e.suite.opts.Records() {
		return
	}
	left := mostExampleSteps
	for i, o := range e.result.Result.Outcomes {
		if len(o.Choices) == 0 || len(o.Choices) > left || e.stopped() {
			continue
		}
		c := &seeing{Script: explore.Script{Alts: o.Choices}}
		x := e.shown.Execute(c, true)
		kind, _, _ := explore.Judge(x)
		if c.Missed > 0 || x.End == trace.Cut || kind != o.Kind ||
			explore.Stable(strings.Join(x.Log, "\n")) != explore.Stable(o.Log) {
			continue
		}
		left -= len(x.Events)
		t := e.traceOf(x, c, nil, record.Example)
		t.Outcome = i + 1
		e.result.Examples = append(e.result.Examples, t)
	}
}

// present returns those of traces that there are.
func present(traces ...*record.Trace) []*record.Trace {
	return slices.DeleteFunc(traces, func(t *record.Trace) bool { return t == nil })
}
