package reach

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func by(tests ...string) (list []report.Reach) {
	for _, t := range tests {
		list = append(list, report.Reach{Test: t})
	}
	return list
}

// TestWhoIsRefused: only an unguarded use that nobody trusts refuses a test, and only the tests
// that reach the use.
func TestWhoIsRefused(t *testing.T) {
	us := New([]report.Use{
		{Pos: "/p/a.go:1:2", Construct: "exec.Command", Tests: by("TestBad", "TestBoth")},
		{Pos: "/p/a.go:2:2", Construct: "os.Pipe", Trusted: "example.org/q",
			Tests: by("TestTrusts", "TestBoth")},
		{Pos: "/p/a.go:3:2", Construct: "net.Dial", Guarded: true, Tests: by("TestGuarded")},
	}, false, &depict.Places{Dir: "/p"})
	for test, want := range map[string]struct{ refused, trusts bool }{
		"TestBad": {true, false}, "TestBoth": {true, true}, "TestTrusts": {false, true},
		"TestGuarded": {}, "TestOther": {},
	} {
		r := &report.Test{Name: test}
		if got := us.Refuse(r); got != want.refused || (len(r.Findings) > 0) != got {
			t.Errorf("%s: refused %v with %d findings", test, got, len(r.Findings))
		}
		if got := us.Trusts(test); got != want.trusts {
			t.Errorf("%s: trusts %v", test, got)
		}
	}
	if n := len(us.Of([]gate.Test{{Name: "TestGuarded"}}, false)); n != 0 {
		t.Errorf("%d guarded uses without being asked for", n)
	}
	if n := len(us.Of([]gate.Test{{Name: "TestGuarded"}}, true)); n != 1 {
		t.Errorf("%d guarded uses, want 1", n)
	}
}

// TestEverywhere: a call of TestMain refuses all tests.
func TestEverywhere(t *testing.T) {
	us := New(nil, false, &depict.Places{})
	tests := []gate.Test{{Name: "TestA"}, {Name: "TestB"}}
	us.AddOutside([]hook.Outside{{Site: "/p/m_test.go:3", Path: []string{"TestMain"},
		Text: "exec.Command is not controlled: it starts a process; leave it out"}}, tests)
	for _, test := range tests {
		r := &report.Test{Name: test.Name}
		if !us.Refuse(r) {
			t.Errorf("%s is not refused", test.Name)
		}
	}
}

// TestTrustedIsIncomplete: a test that reaches trusted code is never complete, and a difference
// between its executions is no finding.
func TestTrustedIsIncomplete(t *testing.T) {
	us := New([]report.Use{{Pos: "/p/a.go:2:2", Trusted: "example.org/q", Tests: by("TestA")}},
		false, &depict.Places{Dir: "/p"})
	r := &report.Test{Name: "TestA"}
	r.Complete = true
	r.Findings = []*depict.Finding{{Kind: explore.Nondeterminism}, {Kind: explore.Deadlock}}
	us.Enter(r)
	if r.Complete || !slices.ContainsFunc(r.Cut, func(l trace.Limit) bool {
		return l.What == trace.Trusted+"example.org/q (a.go:2)"
	}) {
		t.Errorf("complete %v, cut %v", r.Complete, r.Cut)
	}
	DoubtDifferences(r)
	if r.Findings[0].Kind != explore.Uncontrolled || r.Findings[1].Kind != explore.Deadlock {
		t.Errorf("%s, %s", r.Findings[0].Kind, r.Findings[1].Kind)
	}
}
