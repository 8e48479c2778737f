package session

import (
	"os"
	"os/signal"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// child is a process that runs one execution for a parent.
type child struct {
	*suite
	link *isolate.Link
}

// serve runs the execution that the parent asks for and returns the exit code.
func (s child) serve(tests []gate.Test) int {
	signal.Ignore(os.Interrupt) // the terminal tells the parent, too, which decides
	r := s.link.Request()
	tests = s.withMain(tests)
	i := slices.IndexFunc(tests, func(t gate.Test) bool { return t.Name == r.Test })
	if i < 0 {
		return complain(s.stderr, os.ErrNotExist)
	}
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return complain(s.stderr, err)
	}
	group := s.Config.Group // a function does not travel
	s.Config = r.Config
	s.Config.Group, s.Config.Sections = group, false
	x := s.one(tests[i], r)
	library.RemoveLeftovers(true)
	s.link.End(x)
	return process.Clean
}

// one runs the execution. If it gets stuck, that is reported, and the process ends.
func (s child) one(t gate.Test, r isolate.Request) *trace.Execution {
	e := s.executor(t)
	library.LoadFiles(r.Files)
	if s.opts.StepTimeout == 0 {
		return e.Execute(s.link, r.Sites)
	}
	p := watch.NewPulse(t.Name, s.opts.StepTimeout, s.places)
	defer p.End()
	go func() {
		at := <-p.Stuck
		s.link.End(at.X)
		os.Exit(process.Failure)
	}()
	return p.Execute(e, s.link, r.Sites)
}

// help does tasks of another process, and returns the exit code.
func (s *suite) help(boss *divide.Link, tests []gate.Test) int {
	signal.Ignore(os.Interrupt) // the terminal tells the other process, too, which decides
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return complain(s.stderr, err)
	}
	s.watch = watch.Idle(s.places)
	tests = s.withMain(tests)
	var e *exploration
	boss.Work(func(t divide.Task) divide.Report {
		if e == nil {
			i := slices.IndexFunc(tests, func(g gate.Test) bool { return g.Name == t.Test })
			if i < 0 {
				return divide.Report{Odd: true}
			}
			e = s.newExploration(tests[i], s.opts.MaxSteps)
		}
		return e.help(t)
	})
	return process.Clean
}

// help does a task, if nothing comes up beside what is counted.
func (e *exploration) help(t divide.Task) divide.Report {
	o := e.suite.opts
	lim := explore.Limits{Deadline: t.Deadline, FailFast: o.FailFast, Stop: e.stopped,
		Specimens: true, Known: e.knowsFinding}
	var r divide.Report
	whole := ""
	if t.Blocks != nil {
		r, whole = e.walk(t, lim)
	} else {
		r = e.piece(t, lim, !o.Separates())
		whole = r.Left.Whole
	}
	over := r.Part.Over != "" && r.Part.Over != explore.TimeIsUp
	if over || whole != "" || len(e.stuck) > 0 || len(states.Carried()) > 0 {
		return divide.Report{Odd: true}
	}
	return r
}
