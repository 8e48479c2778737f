package main

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	rexec "github.com/rehearse-go/rehearse/internal/exec"
)

func buildWithFacts(tb testing.TB, independence string, patterns ...string) []rexec.Package {
	tb.Helper()
	o := options.Default()
	o.Model, o.Independence = "actor", independence
	packages, err := rexec.Build(copyOfTestdata(tb), o, patterns)
	if err != nil {
		tb.Fatal(err)
	}
	return packages
}

// TestFacts explores programs whose tasks commute, and some whose tasks do not. testdata/commuting
// derives the numbers. Optimal search runs as many as dpor, which cuts some off besides.
func TestFacts(t *testing.T) {
	results := map[string]map[string]result{}
	for _, p := range buildWithFacts(t, "disjoint,commute", "./testdata/commuting",
		"./testdata/fib",
		"./testdata/dht", "./testdata/pipeline") {
		for _, how := range []string{"none", "disjoint", "disjoint,commute",
			"optimal disjoint,commute"} {
			if results[how] == nil {
				results[how] = map[string]result{}
			}
			facts, optimal := strings.CutPrefix(how, "optimal ")
			flags := []string{"-short", "-model=actor", "-independence=" + facts,
				"-strategy=optimal"}
			if !optimal {
				flags = append(flags, "-strategy=dpor", "-sleep")
			}
			maps.Copy(results[how], exploreAll(t, p.Binary, flags...))
		}
	}
	for _, c := range []struct {
		test                    string
		none, disjoint, commute int // executions
	}{
		{"TestRegistry", 6, 2, 2},
		{"TestPi5", 120, 120, 1},
		{"TestPiFloat5", 120, 120, 120},
		{"TestLast4", 24, 24, 24},
		{"TestFib3", 4, 4, 4},
		// answers go to channels that keep the order: that those of two requests differ is a
		// condition
		{"TestDHTA", 1152, 72, 36},
		{"TestDHTB", 480, 48, 12},
		{"TestPipeline3x3", 1296, 6, 6},
	} {
		want := map[string]int{"none": c.none, "disjoint": c.disjoint,
			"disjoint,commute":         c.commute,
			"optimal disjoint,commute": c.commute}
		for facts, n := range want {
			r := results[facts][c.test]
			if !r.Complete || r.Executions != n ||
				strings.HasPrefix(facts, "optimal") && r.Blocked > 0 {
				t.Errorf("%s, %s: complete %v, %d executions, want %d", c.test, facts, r.Complete,
					r.Executions,
					n)
			}
			if all := results["none"][c.test]; !slices.Equal(distinct(r.Outcomes),
				distinct(all.Outcomes)) {
				t.Errorf("%s, %s: outcomes %v, without facts %v", c.test, facts,
					distinct(r.Outcomes),
					distinct(all.Outcomes))
			}
		}
	}
}

// TestFactsInContext explores programs whose actors take messages in orders that make no difference
// in the end, by dpor and by optimal. Of the 12 actors of fib(6) that wait for two results, each
// has them exchanged once: the target is 100 executions, instead of 4096.
func TestFactsInContext(t *testing.T) {
	type counts struct{ executions, blocked int }
	for _, p := range buildWithFacts(t, "disjoint,commute,context", "./testdata/fib",
		"./testdata/psort") {
		explore := func(flags ...string) map[string]result {
			return exploreAll(t, p.Binary,
				append(flags, "-short", "-model=actor",
					"-independence=disjoint,commute,context")...)
		}
		dpor, optimal := explore("-strategy=dpor", "-sleep"), explore("-strategy=optimal")
		// without facts it goes with any delivery
		for _, strategy := range []string{"auto", "optimal"} {
			for test, r := range exploreAll(t, p.Binary, "-run=3", "-strategy="+strategy,
				"-independence=context") {
				if !r.Complete || r.Verdict != "pass" || test == "TestFib3" && r.Blocked == 0 {
					t.Errorf("%s, %s: complete %v, %d redundant executions", test, strategy,
						r.Complete, r.Blocked)
				}
			}
		}
		for _, c := range []struct {
			test          string
			dpor, optimal counts
			log           string
		}{
			{"TestFib3", counts{1, 2}, counts{1, 2}, "2"},
			{"TestFib4", counts{1, 4}, counts{1, 4}, "3"},
			{"TestFib6", counts{1, 12}, counts{1, 12}, "8"},
			{"TestPSort3", counts{1, 7}, counts{1, 7}, ""},
			{"TestPSort4", counts{1, 49}, counts{1, 52}, ""},
		} {
			for _, by := range []struct {
				results map[string]result
				want    counts
			}{{dpor, c.dpor}, {optimal, c.optimal}} {
				r, ok := by.results[c.test]
				if !ok {
					continue // of the other package
				}
				if !r.Complete || r.Verdict != "pass" ||
					(counts{r.Executions, r.Blocked}) != by.want {
					t.Errorf("%s: complete %v, %d executions and %d redundant ones, want %v",
						c.test, r.Complete,
						r.Executions, r.Blocked, by.want)
				}
				if len(r.Outcomes) != 1 || r.Outcomes[0].Log != c.log {
					t.Errorf("%s: outcomes %v, want %s", c.test, r.Outcomes, c.log)
				}
			}
		}
	}
}

// BenchmarkFacts shows what facts add to the processor time of an execution, in programs where they
// leave nothing out: in one because no two tasks commute, in the other because of the messages. The
// two are run in turn, so that what else the machine does concerns both.
func BenchmarkFacts(b *testing.B) {
	binary := buildWithFacts(b, "disjoint,commute", "./testdata/commuting")[0].Binary
	for _, test := range []string{"TestPiFloat8", "TestLast8"} {
		b.Run(test, func(b *testing.B) {
			var without, with time.Duration
			for b.Loop() {
				without += userTime(b, binary, test, "none")
				with += userTime(b, binary, test, "disjoint,commute")
			}
			b.ReportMetric(with.Seconds()/without.Seconds(), "with/without")
		})
	}
}

func userTime(b *testing.B, binary, test, facts string) time.Duration {
	b.Helper()
	cmd := exec.Command(binary, "-json", "-timeout=0", "-model=actor", "-strategy=dpor", "-sleep",
		"-run=^"+test+"$", "-independence="+facts)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return cmd.ProcessState.UserTime()
}
