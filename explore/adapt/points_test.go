package adapt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// steps is a search's accesses that are steps, and those of the executions that follow.
type steps struct {
	*Points
	now []string
}

func newSteps() *steps {
	s := &steps{}
	s.Points = NewPoints(false, func(list []string) { s.now = list })
	return s
}

func raceOf(places ...string) trace.Race { return trace.Race{Places: places} }

// TestPoints: a search begins again for accesses that are new, with all that are known; findings
// know their stages.
func TestPoints(t *testing.T) {
	p := newSteps()
	begun := 0
	again := p.Separate(func() explore.Strategy { begun++; return dpor.New(false) })
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
		if got := strings.Join(p.now, separator); got != test.known {
			t.Errorf("%d: steps are %q, want %q", i, got, test.known)
		}
	}
	p.Stage(1)
	if got := p.now; !slices.Equal(got, []string{"x at a.go:1", "x at a.go:2"}) {
		t.Errorf("the first stage has %q", got)
	}
	p.Stage(0)
	if got := p.now; got != nil {
		t.Errorf("at first %q are steps", got)
	}
	if note, cut := p.Conclude(); cut != "" ||
		!strings.HasPrefix(note, "3 accesses are in a data race") {
		t.Errorf("note %q, cut %q", note, cut)
	}
}

// TestPointsBesideAtomics: accesses of one variable are of one sort, whichever of them have met an
// atomic operation.
func TestPointsBesideAtomics(t *testing.T) {
	p := newSteps()
	again := p.Separate(func() explore.Strategy { return nil })
	again([]trace.Race{raceOf("x at 1", "x at 2"), raceOf("y at 3", "y at 4")})
	again([]trace.Race{raceOf("x at 2"+trace.BesideAtomic, "x at 5"+trace.BesideAtomic)})
	if got, want := strings.Join(p.now, separator),
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
		p := newSteps()
		begun := 0
		again := p.Separate(func() explore.Strategy { begun++; return nil })
		for i := range test.rounds {
			var list []trace.Race
			for k := range test.each {
				list = append(list, raceOf(fmt.Sprintf("x at %d.go:%d", i, k)))
			}
			again(list)
		}
		_, cut := p.Conclude()
		if begun != test.begun || len(p.known) != test.known {
			t.Errorf("%s: begun %d times with %d accesses, want %d with %d", name, begun,
				len(p.known),
				test.begun, test.known)
		}
		if (cut != "") != (name != "neither") {
			t.Errorf("%s: cut %q", name, cut)
		}
	}
}
