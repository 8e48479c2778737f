package depend_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestRacesHaveRules: each race of random executions is one of two processes, whose steps nothing
// orders but the race itself, and a rule says why.
func TestRacesHaveRules(t *testing.T) {
	found, waiting := 0, 0
	check := func(m *micro.Machine, x *trace.Execution, text string) {
		o := orderOf(x)
		for _, r := range depend.Races(x) {
			found++
			switch {
			case r.Rule == depend.NoRule || r.Object < 0:
				t.Errorf("%+v: no rule for %v and %v", r, x.Events[r.First].Kind, kindOf(x, r))
			case x.Events[r.First].Involves(r.Proc):
				t.Errorf("%+v: one process", r)
			case r.First == r.After || o.Before(r.First, r.After):
				t.Errorf("%+v: declared after the first", r)
			case r.Second < 0:
				waiting++
			}
		}
	}
	each(t, check)
	for n := range uint64(*programs) {
		r := rand.New(rand.NewPCG(n, 8))
		m := micro.New(micro.Parse(micro.RandomMail(r, []string{"bag", "pairs"}[n%2])))
		check(m, m.Execute(random{r}, false), "")
	}
	if found < *programs || waiting == 0 {
		t.Errorf("%d races, %d of them with what waits in the end", found, waiting)
	}
}

func kindOf(x *trace.Execution, r depend.Race) trace.Kind {
	if r.Second < 0 {
		return x.Procs[r.Proc].Pending.Kind
	}
	return x.Events[r.Second].Kind
}

// first is a Chooser that lets the processes go on in their order.
type first struct{}

func (first) Choose(*trace.State) int { return 0 }

// TestRaces: a send is in a race with the one before it, and not with those before that. E's lock
// is in a race with D's, and not with D's unlock, before which it is not possible.
func TestRaces(t *testing.T) {
	m := micro.New(micro.Parse(
		"chan c 3\nmutex m\nA: c<-1\nB: c<-2\nC: c<-3\nD: lock m; unlock m\nE: lock m"))
	x := m.Execute(first{}, false)
	got := depend.Races(x)
	want := []depend.Race{
		{First: 0, Second: 1, Proc: 1, After: -1, Object: 0,
			Rule: "a channel keeps the order of sends"},
		{First: 1, Second: 2, Proc: 2, After: -1, Object: 0,
			Rule: "a channel keeps the order of sends"},
		{First: 3, Second: 5, Proc: 4, After: -1, Object: 1, Rule: "one mutex"},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
