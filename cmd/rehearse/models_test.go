package main

import (
	"maps"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// TestModels explores the papers' programs under the delivery models that they are for. The papers
// count deliveries only, and so do traces here: the sends of different processes to a mailbox
// commute, and which message is taken is all that makes a difference. The programs' docs derive the
// numbers.
func TestModels(t *testing.T) {
	o := options.Default()
	o.Model = "actor"
	packages, err := exec.Build(copyOfTestdata(t), o,
		[]string{"./testdata/register", "./testdata/fib", "./testdata/pi"})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]map[string]result{}
	for _, model := range []string{"actor", "pairs"} {
		for strategy, flags := range map[string][]string{"dpor": {"-sleep",
			"-run=Register|Fib[34]$|Pi"},
			"exhaustive": {"-run=Register|3"}} {
			key := model + ", " + strategy
			results[key] = map[string]result{}
			for _, p := range packages {
				maps.Copy(results[key], exploreAll(t, p.Binary,
					append(flags, "-model="+model, "-strategy="+strategy)...))
			}
		}
	}
	for test, want := range map[string]struct {
		traces, outcomes int
		small            bool // enough for exhaustive search
	}{
		"TestRegister": {6, 6, true},
		"TestFib3":     {4, 1, true},
		"TestFib4":     {16, 1, false},
		"TestPi3":      {6, 6, true},
		"TestPi5":      {120, 120, false},
	} {
		for key, rs := range results {
			r, ran := rs[test]
			reduces := key == "actor, dpor" || key == "pairs, dpor"
			switch {
			case ran != (reduces || want.small):
				t.Errorf("%s, %s: ran: %v", test, key, ran)
			case ran && (!r.Complete || r.Verdict != "pass" || r.Traces != want.traces ||
				len(r.Outcomes) != want.outcomes):
				t.Errorf("%s, %s: complete %v, %d traces, %d outcomes, want %+v", test, key,
					r.Complete,
					r.Traces, len(r.Outcomes), want)
			case reduces && (r.Executions != want.traces || r.Blocked > 1):
				// 1 of TestRegister is cut off
				t.Errorf("%s, %s: %d executions and %d blocked, want %d and 1 at most", test, key,
					r.Executions,
					r.Blocked, want.traces)
			}
		}
	}
}
