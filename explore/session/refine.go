package session

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/drive"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/runtime/gate"
)

// answer is the method answer of a suite; nil in a binary without harnesses.
var answer func(s *suite, tests []gate.Test, q refine.Question) refine.Explored

// Drive lets the binary answer questions about harnesses. Only the file that is added for harnesses
// calls Drive: package drive asks for methods by their names, so that a linker that meets it keeps
// the exported methods of all types.
func Drive() { answer = (*suite).answer }

// refine answers questions about harnesses, one line each, until there are no more. It reports no
// results of its own: whoever asks compares them with those of another binary.
func (s *suite) refine(tests []gate.Test, questions io.Reader) int {
	if answer == nil {
		return s.complain(errors.New("the binary has no harnesses"))
	}
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
		if err := out.Encode(answer(s, tests, q)); err != nil {
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
	return script{s, h, tests[i]}.explore(steps)
}

// A component that never stops has executions without an end, and often without number. Then fewer
// steps of each are looked at, until they are not many.
const (
	manyEndless = 2000
	fewestSteps = 24
	farther     = 4 // how many times the steps are looked at that were asked for, to be sure
)

// script is the script that is set, for a harness in its driver's test.
type script struct {
	*suite
	harness *drive.Harness
	test    gate.Test
}

// explore runs all executions of the script.
func (s script) explore(steps int) refine.Explored {
	for ; steps/2 >= fewestSteps; steps /= 2 {
		if out, many := s.exploreSteps(steps, manyEndless); !many {
			return out
		}
	}
	out, _ := s.exploreSteps(fewestSteps, 25*manyEndless)
	return out
}

// exploreSteps runs all executions of the script, for some steps each. It gives up if more than
// most have no end.
func (s script) exploreSteps(steps, most int) (out refine.Explored, many bool) {
	e := s.newExploration(s.test, steps)
	defer e.raw.Close()
	c := drive.NewCollector(e.Exec, s.opts.Clock == "idle")
	stop := func() bool { return c.Endless > most || e.stopped() }
	limits := explore.Limits{MaxExecutions: s.opts.MaxExecutions, Deadline: s.deadline, Stop: stop}
	again := func() explore.Strategy {
		strategy, _, _ := advise.Strategy(s.opts, advise.Advice{})
		return strategy
	}
	limits.KeepGroups = func() explore.Strategy { e.keepGroups(true); return again() }
	e.keepGroups(false)
	e.search(func() explore.Result {
		return e.raw.Search(explore.Prepare(c, again(), limits, nil))
	}, func() {})
	return c.Conclude(s.harness, &e.result.Result), c.Endless > most
}
