package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// explorer answers the questions of the live page, one line each, until there are no more.
func (s *suite) explorer(tests []gate.Test, questions io.Reader) int {
	if err := os.Chdir(s.pkg.Dir); err != nil {
		return s.complain(err)
	}
	defer process.Mute()()
	in, out := json.NewDecoder(questions), json.NewEncoder(s.stdout)
	for {
		var q record.Question
		switch err := in.Decode(&q); {
		case errors.Is(err, io.EOF):
			return process.Clean
		case err != nil:
			return s.complain(err)
		}
		answer, err := s.explored(tests, &q)
		if err != nil {
			answer = &record.Answer{Failure: err.Error()}
		}
		if err := out.Encode(answer); err != nil {
			return s.complain(err)
		}
	}
}

// explored runs what q asks for.
func (s *suite) explored(tests []gate.Test, q *record.Question) (*record.Answer, error) {
	sched, err := trace.ParseSchedule([]byte(q.Schedule))
	if err != nil {
		return nil, err
	}
	t, err := s.testOf(sched, tests)
	if err != nil {
		return nil, err
	}
	if q.Save {
		file, err := s.saved.Save(schedules.AsSaved(sched))
		return &record.Answer{File: file}, err
	}
	if refused := s.refuse(t); refused != nil {
		return nil, errors.New(refused.Findings[0].Message)
	}
	e := s.newExploration(t, s.opts.MaxSteps)
	defer e.raw.Close()
	defer s.Use(sched)()
	defer e.follows()()
	return e.try(sched, q)
}

// try runs the beginning of a schedule, then an alternative, and goes on.
func (e *exploration) try(sched *trace.Schedule, q *record.Question) (*record.Answer, error) {
	_, f := schedules.Follow(e.Exec, sched)
	switch {
	case f.Err != nil:
		return nil, fmt.Errorf("the order no longer applies: %w", f.Err)
	case q.Step < 0 || q.Step >= len(f.Done):
		return nil, fmt.Errorf("there is no step %d: the order has %d", q.Step+1, len(f.Done))
	}
	c := &trying{alternative: q.Alternative}
	c.Alts = f.Done[:q.Step]
	x := e.Shown.Execute(c, true)
	switch {
	case c.Missed > 0:
		return nil, fmt.Errorf("step %d is not possible any more", c.Missed)
	case c.missing:
		return nil, fmt.Errorf("step %d has no alternative %d", q.Step+1, q.Alternative+1)
	case x.End == trace.Cut:
		return nil, fmt.Errorf("the execution was cut off: %s", e.whyStopped())
	}
	t := e.TraceOf(x, &c.Seeing, nil, record.Tried)
	t.Parting = q.Step
	return &record.Answer{Trace: t}, nil
}

// trying follows a script up to its end, and takes an alternative there.
type trying struct {
	study.Seeing
	alternative int
	missing     bool // there is no such alternative
}

// Choose implements trace.Chooser.
func (c *trying) Choose(s *trace.State) int {
	if s.Depth != len(c.Alts) {
		return c.Seeing.Choose(s)
	}
	c.See(s)
	if c.missing = c.alternative < 0 || c.alternative >= len(s.Alts); c.missing {
		return -1
	}
	return c.alternative
}
