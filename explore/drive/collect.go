package drive

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Collector keeps what executions show.
type Collector struct {
	explore.Executor
	out     refine.Explored
	left    map[int]bool
	types   map[string]reflect.Type
	idle    bool // timers fire when nothing else can move
	Endless int  // executions that the bound on steps has ended
}

// NewCollector returns a Collector of e's executions; idle says that timers fire when nothing else
// can move.
func NewCollector(e explore.Executor, idle bool) *Collector {
	return &Collector{Executor: e, idle: idle, left: map[int]bool{},
		types: map[string]reflect.Type{}}
}

// Execute implements explore.Executor.
func (c *Collector) Execute(choose trace.Chooser, sites bool) *trace.Execution {
	x := c.Executor.Execute(choose, sites)
	if x.End == trace.Cut || x.End == trace.Uncontrolled || x.Never {
		return x
	}
	shown := Latest(x)
	if !c.out.View.Show(shown.Inputs, shown.Pomset) {
		shown.Failure = "more than 64 inputs: lower -n or -k"
	}
	if shown.Failure != "" && c.out.Failure == "" {
		c.out.Failure = shown.Failure
	}
	for _, port := range shown.Wants {
		if !slices.Contains(c.out.Wants, port) {
			c.out.Wants = append(c.out.Wants, port)
		}
	}
	for _, op := range shown.Left {
		c.left[op] = true
	}
	if x.End == trace.Steps {
		c.out.Stepped = true
		c.Endless++
	}
	maps.Copy(c.types, shown.Types)
	c.out.Beyond = c.out.Beyond || shown.Beyond
	c.out.Waited = max(c.out.Waited, shown.Waited)
	c.out.Timed = c.out.Timed || c.idle && slices.ContainsFunc(x.Events, func(e trace.Event) bool {
		return e.Kind == trace.Fire
	})
	return x
}

// Conclude returns the view that the exploration of one script of h, with result r, has made.
// Processes that wait for ever are no failure here.
func (c *Collector) Conclude(h *Harness, r *explore.Result) refine.Explored {
	out := c.out
	out.Types = h.DescribeTypes(c.types)
	out.Executions, out.Complete = r.Executions, r.Complete || onlyOfSteps(r.Cut)
	out.Reason = report.Why(r.Reason, r.Cut)
	for op := range 64 {
		if c.left[op] {
			out.Left = append(out.Left, op)
		}
	}
	for _, l := range r.Fixed {
		if l.What != trace.IdleTimers { // Timed says so
			out.Fixed = append(out.Fixed, l.What)
		}
	}
	for _, f := range r.Findings {
		switch f.Kind {
		case explore.Race:
			out.Races = append(out.Races, firstLine(f.Message))
		case explore.Nondeterminism, explore.Uncontrolled, report.Unsupported:
			if out.Failure == "" {
				out.Failure = fmt.Sprintf("%s: %s", f.Kind, firstLine(f.Message))
			}
		}
	}
	return out
}

// onlyOfSteps reports whether executions were cut, and only by the bound on steps. The path of such
// an execution counts up to the cut, because a component that never stops has no complete
// execution.
func onlyOfSteps(cuts []trace.Limit) bool {
	return len(cuts) > 0 && !slices.ContainsFunc(cuts, func(l trace.Limit) bool {
		return !strings.Contains(l.What, "the bound on steps")
	})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
