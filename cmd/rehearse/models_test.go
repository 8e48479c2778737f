package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exec"
	"github.com/rehearse-go/rehearse/explore/options"
)

// TestModels explores the papers' programs under the delivery models that they are for. The papers count deliveries only,
// and so do traces here: the sends of different processes to a mailbox commute, and which message is taken is all that
// makes a difference. The programs' docs derive the numbers.
func TestModels(t *testing.T) {
	o := options.Default()
	o.Model = "actor"
	packages, err := exec.Build(copyOfTestdata(t), o, []string{"./testdata/register", "./testdata/fib", "./testdata/pi"})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]map[string]result{}
	for _, model := range []string{"actor", "pairs"} {
		for strategy, flags := range map[string][]string{"dpor": {"-sleep"}, "transdpor": {"-sleep"}, "exhaustive": {"-run=Register|3"}} {
			key := model + ", " + strategy
			results[key] = map[string]result{}
			for _, p := range packages {
				for test, r := range exploreAll(t, p.Binary, append(flags, "-model="+model, "-strategy="+strategy)...) {
					results[key][test] = r
				}
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
			reduces := !strings.HasSuffix(key, "exhaustive")
			switch {
			case ran != (reduces || want.small):
				t.Errorf("%s, %s: ran: %v", test, key, ran)
			case ran && (!r.Complete || r.Verdict != "pass" || r.Traces != want.traces || len(r.Outcomes) != want.outcomes):
				t.Errorf("%s, %s: complete %v, %d traces, %d outcomes, want %+v", test, key, r.Complete, r.Traces, len(r.Outcomes), want)
			case reduces && (r.Executions != want.traces || r.Blocked > 1 || r.Blocked > 0 && strings.HasSuffix(key, "transdpor")):
				t.Errorf("%s, %s: %d executions and %d blocked, want %d", test, key, r.Executions, r.Blocked, want.traces)
			}
		}
	}
}

// TestPaperOrders has the executions that dpor and transdpor need for the papers' programs, as Go programs, with the orders fifo,
// eca and lca. They are those of explore/strategy's TestTable, which counts deliveries of the same programs in a small
// language: what else the Go programs do, they do within a delivery, but that the test itself waits for one more message.
func TestPaperOrders(t *testing.T) {
	o := options.Default()
	o.Model = "actor"
	packages, err := exec.Build(copyOfTestdata(t), o, []string{"./testdata/register", "./testdata/fib", "./testdata/pi"})
	if err != nil {
		t.Fatal(err)
	}
	for strategy, want := range map[string]map[string]string{
		"dpor": {"TestRegister": "24 27 6", "TestFib3": "8 18 4", "TestFib4": "40 327 16", "TestPi3": "6 27 6", "TestPi5": "120 19845 120"},
		"transdpor": {"TestRegister": "13 15 6", "TestFib3": "8 18 4", "TestFib4": "40 327 16", "TestPi3": "6 15 6",
			"TestPi5": "120 945 120"},
	} {
		got := map[string]string{}
		for _, order := range []string{"fifo", "eca", "lca"} {
			for _, p := range packages {
				for test, r := range exploreAll(t, p.Binary, "-model=actor", "-strategy="+strategy, "-order="+order) {
					got[test] += fmt.Sprintf(" %d", r.Executions)
				}
			}
		}
		for test, executions := range want {
			if got[test] != " "+executions {
				t.Errorf("%s, %s: %s, want %s", test, strategy, got[test], executions)
			}
		}
	}
}
