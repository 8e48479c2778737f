package main

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// TestSelection explores programs with stable actors first, and with task selection, by the facts
// that the analysis finds. The registry is the paper's Fig. 3, of which Fig. 7 leaves two
// executions.
func TestSelection(t *testing.T) {
	o := options.Default()
	o.Model, o.Strategy, o.Order, o.Tasks = "actor", "transdpor", "stable", "independent"
	packages, err := exec.Build(copyOfTestdata(t), o,
		[]string{"./testdata/commuting", "./testdata/fib", "./testdata/register"})
	if err != nil {
		t.Fatal(err)
	}
	for tasks, want := range map[string]map[string]int{ // executions
		"all": {"TestRegistry": 6, "TestPi5": 120, "TestPiFloat5": 120, "TestLast4": 24,
			"TestFib3": 4, "TestFib4": 16, "TestRegister": 6},
		"independent": {"TestRegistry": 2, "TestPi5": 1, "TestPiFloat5": 120, "TestLast4": 24,
			"TestFib3": 4, "TestFib4": 16, "TestRegister": 6},
	} {
		for _, p := range packages {
			for test, r := range exploreAll(t, p.Binary,
				"-run=Registry|Pi5|PiFloat5|Last4|Fib[34]$|Register", "-short", "-model=actor",
				"-strategy=transdpor", "-order=stable", "-tasks="+tasks) {
				if !r.Complete || r.Executions != want[test] || r.Selection.Backtracked != 0 ||
					r.Selection.Proved == 0 {
					t.Errorf("-tasks %s, %s: complete %v, %d executions, want %d; %+v", tasks, test,
						r.Complete,
						r.Executions, want[test], r.Selection)
				}
			}
		}
	}
}

// TestIndependent meets golden.json's counts of executions that are left with task selection, where
// they are few. No actor has to be selected beside the one that was selected first.
func TestIndependent(t *testing.T) {
	groups := byDir(slices.DeleteFunc(readGolden(t), func(g golden) bool {
		return g.Independent == nil || *g.Independent > 400 || g.Long
	}))
	o := options.Default()
	o.Model, o.Strategy, o.Order, o.Tasks = "actor", "transdpor", "stable", "independent"
	binaries := buildFor(t, o, copyOfTestdata(t), groups)
	for _, tests := range groups {
		results := exploreAll(t, binaries[tests[0].Dir], "-run="+only(tests), "-short",
			"-model=actor",
			"-strategy=transdpor", "-order=stable", "-tasks=independent")
		for _, g := range tests {
			r := results[g.Test]
			if !r.Complete || r.Executions != *g.Independent || r.Selection.Backtracked != 0 {
				t.Errorf("%s: complete %v, %d executions, want %d: %s; %+v", g.Test, r.Complete,
					r.Executions,
					*g.Independent, g.Note, r.Selection)
			}
		}
	}
}
