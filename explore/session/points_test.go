package session

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// pointsOf returns the accesses of a search with the flags that are steps.
func pointsOf(t *testing.T, args ...string) *points {
	t.Helper()
	o, f := options.Default(), flag.NewFlagSet("", flag.ContinueOnError)
	o.Register(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	s := &suite{opts: o}
	t.Cleanup(func() { s.apply(world.Config{}) })
	return (&exploration{suite: s}).newPoints(o)
}

func raceOf(places ...string) trace.Race { return trace.Race{Places: places} }

// TestPoints: a search begins again for accesses that are new, with all that are known; findings
// know their stages.
func TestPoints(t *testing.T) {
	p := pointsOf(t)
	begun := 0
	again := p.separate(func() explore.Strategy { begun++; return dpor.New(false) })
	for i, test := range []struct {
		races []trace.Race
		begun int
		known string
	}{
		{nil, 0, ""},
		{[]trace.Race{raceOf("x at a.go:1", "x at a.go:2")}, 1, "x at a.go:1; x at a.go:2"},
		{[]trace.Race{raceOf("x at a.go:2", "x at a.go:1")}, 1, "x at a.go:1; x at a.go:2"},
		{[]trace.Race{raceOf("x at a.go:2", "y at a.go:3")}, 2,
			"x at a.go:1; x at a.go:2; y at a.go:3"},
	} {
		before := begun
		s := again(test.races)
		if begins := test.begun > before; (s != nil) != begins || begun != test.begun {
			t.Errorf("%d: begun %d times, want %d; a strategy: %v", i, begun, test.begun, s != nil)
		}
		if got := strings.Join(p.suite.config.Points, separator); got != test.known {
			t.Errorf("%d: steps are %q, want %q", i, got, test.known)
		}
	}
	p.stage(1)
	if got := p.suite.config.Points; !slices.Equal(got, []string{"x at a.go:1", "x at a.go:2"}) {
		t.Errorf("the first stage has %q", got)
	}
	p.stage(0)
	if got := p.suite.config.Points; got != nil {
		t.Errorf("at first %q are steps", got)
	}
	p.conclude()
	if r := p.result; len(r.Cut) > 0 || len(r.Notes) != 1 ||
		!strings.HasPrefix(r.Notes[0], "3 accesses are in a data race") {
		t.Errorf("notes %q, cut %v", r.Notes, r.Cut)
	}
}

// TestPointsBesideAtomics: accesses of one variable are of one sort, whichever of them have met an
// atomic operation.
func TestPointsBesideAtomics(t *testing.T) {
	p := pointsOf(t)
	again := p.separate(func() explore.Strategy { return nil })
	again([]trace.Race{raceOf("x at 1", "x at 2"), raceOf("y at 3", "y at 4")})
	again([]trace.Race{raceOf("x at 2"+trace.BesideAtomic, "x at 5"+trace.BesideAtomic)})
	if got, want := strings.Join(p.suite.config.Points, separator),
		"x at 1 (atomic); x at 2 (atomic); y at 3; y at 4; x at 5 (atomic)"; got != want {
		t.Errorf("steps are %q, want %q", got, want)
	}
}

// TestPointsAreBounded: what is beyond the bounds is cut.
func TestPointsAreBounded(t *testing.T) {
	for name, test := range map[string]struct{ rounds, each, begun, known int }{
		"searches": {maxStages + 1, 1, maxStages, maxStages},
		"accesses": {2, maxPoints - 1, 2, maxPoints},
		"neither":  {maxStages, maxPoints / maxStages, maxStages, maxPoints},
	} {
		p := pointsOf(t)
		begun := 0
		again := p.separate(func() explore.Strategy { begun++; return nil })
		for i := range test.rounds {
			var list []trace.Race
			for k := range test.each {
				list = append(list, raceOf(fmt.Sprintf("x at %d.go:%d", i, k)))
			}
			again(list)
		}
		p.conclude()
		if begun != test.begun || len(p.known) != test.known {
			t.Errorf("%s: begun %d times with %d accesses, want %d with %d", name, begun,
				len(p.known),
				test.begun, test.known)
		}
		if cut := len(p.result.Cut) > 0; cut != (name != "neither") {
			t.Errorf("%s: cut %v", name, p.result.Cut)
		}
	}
}

// TestPointsOfOthers: strategies that sample, and facts about tasks, have no use for steps that
// come later.
func TestPointsOfOthers(t *testing.T) {
	for args, want := range map[string]bool{
		"": true, "-strategy=optimal": true, "-strategy=pop": true, "-strategy=dpor": true,
		"-strategy=exhaustive": true, "-independence=none": true,
		"-strategy=pct": false, "-strategy=random": false, "-model=actor": false,
		"-independence=observed": false,
		"-independence=context":  false, "-strategy=stateful": false,
	} {
		p := pointsOf(t, strings.Fields(args)...)
		if got := p.separate(func() explore.Strategy { return nil }) != nil; got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
