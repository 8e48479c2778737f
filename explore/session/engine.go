package session

import (
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func judge(x *trace.Execution) (kind explore.FindingKind, message string, bad bool) {
	switch {
	case x.End == trace.Crashed:
		return explore.Panic, x.Crash.Text, true
	case x.End == trace.Uncontrolled:
		return explore.Uncontrolled, x.Crash.Text, true
	case x.End == trace.Steps:
		return explore.Livelock, "steps", true
	case x.End == trace.Quiet && len(x.Blocked) > 0 && !x.MainDone:
		return explore.Deadlock, "deadlock", true
	case x.End == trace.Quiet && len(x.Blocked) > 0:
		return explore.Leak, "leak", true
	case x.Failed:
		return explore.Fail, strings.Join(x.Log, "\n"), true
	}
	return "", "", false
}

func passes(x *trace.Execution) bool {
	_, _, bad := judge(x)
	return !bad && x.End != trace.Cut
}

func outcomeOf(x *trace.Execution) explore.Outcome {
	kind, _, bad := judge(x)
	o := explore.Outcome{Verdict: "pass", Kind: kind, Log: strings.Join(x.Log, "\n"), Count: 1}
	if bad {
		o.Verdict = "fail"
	}
	return o
}

func minimise(e explore.Executor, f *explore.Finding, stop func() bool) []trace.Alt { return f.Choices }

// runEngine is exhaustive depth-first search, for want of strategies.
func runEngine(e explore.Executor, o *options.Options, l explore.Limits, progress func(*explore.Progress)) (explore.Result, string) {
	d := &dfs{}
	var r explore.Result
	start := time.Now()
	for {

		x := e.Execute(d, false)
		if x.End == trace.Cut {
			r.Reason = "stopped"
			return r, "exhaustive"
		}
		r.Executions++
		r.Traces++
		r.Transitions += len(x.Events)
		r.MaxDepth = max(r.MaxDepth, len(x.Events))
		r.Elapsed = time.Since(start)
		record(&r, x)
		progress(&explore.Progress{Result: r, Planned: -1})
		switch {
		case !d.next():
			r.Complete = true
			return r, "exhaustive"
		case l.FailFast && len(r.Findings) > 0:
			r.Reason = "-failfast"
			return r, "exhaustive"
		case l.MaxExecutions > 0 && r.Executions >= l.MaxExecutions:
			r.Reason = "-max-executions"
			return r, "exhaustive"
		case l.Stop() || !l.Deadline.IsZero() && time.Now().After(l.Deadline):
			r.Reason = "budget"
			return r, "exhaustive"
		}
	}
}

func record(r *explore.Result, x *trace.Execution) {
	o := outcomeOf(x)
	i := slices.IndexFunc(r.Outcomes, func(p explore.Outcome) bool {
		return p.Verdict == o.Verdict && p.Kind == o.Kind && p.Log == o.Log
	})
	if i < 0 {
		r.Outcomes = append(r.Outcomes, o)
	} else {
		r.Outcomes[i].Count++
	}
	kind, message, bad := judge(x)
	if !bad {
		return
	}
	if i := slices.IndexFunc(r.Findings, func(f explore.Finding) bool { return f.Kind == kind && f.Message == message }); i >= 0 {
		r.Findings[i].Count++
		return
	}
	r.Findings = append(r.Findings, explore.Finding{Kind: kind, Message: message, Choices: altsOf(x), Count: 1})
}

type dfs struct {
	path, width []int
}

func (d *dfs) Choose(s *trace.State) int {
	if s.Depth == len(d.path) {
		d.path, d.width = append(d.path, 0), append(d.width, len(s.Alts))
	}
	return d.path[s.Depth]
}

func (d *dfs) next() bool {
	for n := len(d.path) - 1; n >= 0; n-- {
		if d.path[n]++; d.path[n] < d.width[n] {
			d.path, d.width = d.path[:n+1], d.width[:n+1]
			return true
		}
	}
	return false
}
