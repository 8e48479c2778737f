package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/drive"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// refine answers questions about harnesses, one line each, until there are no more. It reports no
// results of its own: whoever asks compares them with those of another binary.
func (s *suite) refine(tests []gate.Test, questions io.Reader) int {
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return s.complain(err)
	}
	defer process.Mute()()
	in, out := json.NewDecoder(questions), json.NewEncoder(s.stdout)
	for {
		var q refine.Question
		switch err := in.Decode(&q); {
		case errors.Is(err, io.EOF):
			return process.Clean
		case err != nil:
			return s.complain(err)
		}
		if err := out.Encode(s.answer(tests, q)); err != nil {
			return s.complain(err)
		}
	}
}

// answer describes a harness, or explores one script of it.
func (s *suite) answer(tests []gate.Test, q refine.Question) refine.Explored {
	h := drive.Find(q.Harness)
	i := slices.IndexFunc(tests, func(t gate.Test) bool {
		return t.Name == refine.DriverOf(q.Harness)
	})
	drive.Set(drive.Settings{Script: q.Script, Draw: q.Draw})
	switch {
	case h == nil || i < 0:
		return refine.Explored{Failure: "the binary has no " + q.Harness}
	case q.Script == nil:
		return refine.Explored{Interface: h.Describe()}
	}
	if refused := s.refuse(tests[i]); refused != nil {
		return refine.Explored{Failure: refused.Findings[0].Pos + ": " +
			refused.Findings[0].Message}
	}
	s.deadline = time.Time{}
	if q.Budget > 0 {
		s.deadline = time.Now().Add(q.Budget)
	}
	steps := s.opts.MaxSteps
	if q.Far {
		steps *= farther
	}
	return s.exploreScript(h, tests[i], steps)
}

// A component that never stops has executions without an end, and often without number. Then fewer
// steps of each are looked at, until they are not many.
const (
	manyEndless = 2000
	fewestSteps = 24
	farther     = 4 // how many times the steps are looked at that were asked for, to be sure
)

// exploreScript runs all executions of the script that is set.
func (s *suite) exploreScript(h *drive.Harness, t gate.Test, steps int) refine.Explored {
	for ; steps/2 >= fewestSteps; steps /= 2 {
		if out, many := s.exploreSteps(h, t, steps, manyEndless); !many {
			return out
		}
	}
	out, _ := s.exploreSteps(h, t, fewestSteps, 25*manyEndless)
	return out
}

// exploreSteps runs all executions of the script, for some steps each. It gives up if more than
// most have no end.
func (s *suite) exploreSteps(h *drive.Harness, t gate.Test, steps, most int) (out refine.Explored,
	many bool) {
	e := s.newExploration(t, steps)
	defer e.raw.Close()
	c := &collector{Executor: e.Exec, idle: s.opts.Clock == "idle", left: map[int]bool{},
		types: map[string]reflect.Type{}}
	stop := func() bool { return c.endless > most || e.stopped() }
	limits := explore.Limits{MaxExecutions: s.opts.MaxExecutions, Deadline: s.deadline, Stop: stop,
		Idle: true}
	again := func() explore.Strategy {
		strategy, _, _ := strategyOf(s.opts, advice{})
		return strategy
	}
	limits.KeepGroups = func() explore.Strategy { e.keepGroups(true); return again() }
	e.keepGroups(false)
	e.search(func() explore.Result {
		return e.raw.Search(explore.Prepare(c, again(), limits, nil))
	}, func() {})
	out = c.conclude(e)
	out.Types = h.DescribeTypes(c.types)
	return out, c.endless > most
}

// collector keeps what executions show.
type collector struct {
	explore.Executor
	out     refine.Explored
	left    map[int]bool
	types   map[string]reflect.Type
	idle    bool // timers fire when nothing else can move
	endless int  // executions that the bound on steps has ended
}

// Execute implements explore.Executor.
func (c *collector) Execute(choose trace.Chooser, sites bool) *trace.Execution {
	x := c.Executor.Execute(choose, sites)
	if x.End == trace.Cut || x.End == trace.Uncontrolled || x.Never {
		return x
	}
	shown := drive.Latest(x)
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
		c.endless++
	}
	maps.Copy(c.types, shown.Types)
	c.out.Beyond = c.out.Beyond || shown.Beyond
	c.out.Timed = c.out.Timed || c.idle && slices.ContainsFunc(x.Events, func(e trace.Event) bool {
		return e.Kind == trace.Fire
	})
	return x
}

// conclude says what the exploration of one script has come to. That processes wait for ever is
// nothing wrong here.
func (c *collector) conclude(e *exploration) refine.Explored {
	out, r := c.out, &e.result.Result
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
		case explore.Nondeterminism, explore.Uncontrolled, unsupported:
			if out.Failure == "" {
				out.Failure = fmt.Sprintf("%s: %s", f.Kind, firstLine(f.Message))
			}
		}
	}
	return out
}

// onlyOfSteps reports whether nothing but the bound on steps has cut anything. What such an
// execution has shown until then counts: a component that never stops has no execution that is
// whole.
func onlyOfSteps(cuts []trace.Limit) bool {
	return len(cuts) > 0 && !slices.ContainsFunc(cuts, func(l trace.Limit) bool {
		return !strings.Contains(l.What, "the bound on steps")
	})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
