package session

import (
	"os"
	"os/signal"
	"slices"

	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// serve runs the one execution that a parent asks for and returns the exit code.
func (s *suite) serve(l *isolate.Link, tests []gate.Test) int {
	signal.Ignore(os.Interrupt) // the terminal tells the parent, too, which decides
	r := l.Request()
	tests = s.withMain(tests)
	i := slices.IndexFunc(tests, func(t gate.Test) bool { return t.Name == r.Test })
	if i < 0 {
		return complain(s.stderr, os.ErrNotExist)
	}
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return complain(s.stderr, err)
	}
	group := s.config.Group // a function does not travel
	s.config = r.Config
	s.config.Group, s.config.Sections = group, false
	x := s.one(tests[i], r, l)
	library.RemoveLeftovers(true)
	l.End(x)
	return process.Clean
}

// one runs the execution. If it gets stuck, that is reported, and the process ends.
func (s *suite) one(t gate.Test, r isolate.Request, c trace.Chooser) *trace.Execution {
	e := s.executor(t)
	library.LoadFiles(r.Files)
	if s.opts.StepTimeout == 0 {
		return e.Execute(c, r.Sites)
	}
	p := watch.NewPulse(t.Name, s.opts.StepTimeout, s.places)
	defer p.End()
	go func() {
		at := <-p.Stuck
		link.End(at.X)
		os.Exit(process.Failure)
	}()
	return p.Execute(e, c, r.Sites)
}
