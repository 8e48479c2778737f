package explore_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// studying is a Study that runs the schedule of each finding some times more.
type studying struct {
	ex    explore.Executor
	found []string
	bad   int // executions that did not show what they should
}

func (s *studying) Found(f *explore.Finding) {
	s.found = append(s.found, f.Message)
	for range 3 {
		x := s.ex.Execute(&explore.Script{Alts: f.Choices}, false)
		if !slices.ContainsFunc(explore.Problems(x), func(p explore.Problem) bool {
			return p.Identity == f.Identity
		}) {
			s.bad++
		}
	}
}

func (s *studying) Seen(f *explore.Finding, x *trace.Execution) {
	if !slices.Equal(explore.Choices(x), f.Choices) {
		s.bad++
	}
}

func (s *studying) Lost() {}

// TestStudy checks that findings are studied while the search goes on, each once, and that the
// search does not notice.
func TestStudy(t *testing.T) {
	const text = "chan c 4\nT0: <-c; if 3 1; log three; fail; <-c; <-c; <-c; if 2 1; log two; fail\nA: c<-1\nB: c<-2\nC: c<-3\nD: c<-4"
	for _, name := range []string{"optimal", "dpor", "exhaustive"} {
		explored := func(study explore.Study, ex explore.Executor) explore.Result {
			s, err := strategy.New(strategy.Plan{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			return explore.Run(ex, s, explore.Limits{Study: study}, nil)
		}
		m := machine(text)
		s := &studying{ex: m}
		plain, studied := explored(nil, machine(text)), explored(s, m)
		if studied.Executions != plain.Executions || studied.Blocked != plain.Blocked ||
			!studied.Complete || len(studied.Findings) != len(plain.Findings) {
			t.Errorf("%s: %d executions, %d blocked, %d findings; without studies %d, %d, %d", name,
				studied.Executions, studied.Blocked, len(studied.Findings), plain.Executions,
				plain.Blocked,
				len(plain.Findings))
		}
		var want []string
		for _, f := range plain.Findings {
			want = append(want, f.Message)
		}
		if !slices.Equal(s.found, want) || len(want) < 2 || s.bad > 0 {
			t.Errorf("%s: studied %q, want %q; %d executions showed something else", name, s.found,
				want,
				s.bad)
		}
	}
}

// losing is a Study whose first call does not return.
type losing struct{ lost int }

func (l *losing) Found(*explore.Finding) {
	if l.lost == 0 {
		panic(l)
	}
}

func (l *losing) Seen(*explore.Finding, *trace.Execution) {}

func (l *losing) Lost() { l.lost++ }

// TestLostStudy checks that a search goes on whose study does not return.
func TestLostStudy(t *testing.T) {
	l := &losing{}
	s, err := strategy.New(strategy.Plan{Name: "optimal"})
	if err != nil {
		t.Fatal(err)
	}
	x := explore.Prepare(machine(race), s, explore.Limits{Study: l}, nil)
	var r explore.Result
	func() {
		defer func() {
			if recover() == l {
				r = x.Resume(&trace.Execution{End: trace.Uncontrolled})
			}
		}()
		r = x.Run()
	}()
	if want := explore.Run(machine(race), optimalOf(t), explore.Limits{}, nil); l.lost != 1 ||
		!r.Complete || r.Executions != want.Executions {
		t.Errorf("lost %d, complete %t, %d executions, want 1, true, %d", l.lost, r.Complete,
			r.Executions, want.Executions)
	}
}

func optimalOf(t *testing.T) explore.Strategy {
	s, err := strategy.New(strategy.Plan{Name: "optimal"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
