package main

import (
	"cmp"
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
)

var table1 = flag.Bool("table1", false,
	"explore all rows of the second paper's Table 1 to their ends")

// rows are the subjects of Table 1 of the paper that explore/papers/transdpor/actors.go names.
var rows = strings.Fields(
	"qsort(5) qsort(6) fib(4) fib(6) pi(3) pi(5) psort(4,1) psort(4,2) regsim(6,1) regsim(4,2) " +
		"DHT(a) DHT(b) Mail(2,2) Mail(2,3) BB(3,1) BB(4,2)")

// TestTable1 explores these with stable actors first, with and without task selection: as many
// executions as golden.json says, and in no state another actor than the one that is selected
// first. docs/FACTS.md has the table.
func TestTable1(t *testing.T) {
	if !*table1 {
		t.Skip("explores 2,300,000 executions, for minutes: -table1")
	}
	list := slices.DeleteFunc(readGolden(t), func(g golden) bool {
		return !slices.Contains(rows, g.Subject)
	})
	if len(list) != len(rows) {
		t.Fatalf("%d of %d subjects", len(list), len(rows))
	}
	groups := byDir(list)
	o := options.Default()
	o.Model, o.Strategy, o.Order, o.Tasks = "actor", "transdpor", "stable", "independent"
	binaries := buildFor(t, o, copyOfTestdata(t), groups)
	for _, tests := range groups {
		for _, tasks := range []string{"all", "independent"} {
			results := exploreAll(t, binaries[tests[0].Dir], "-run="+only(tests), "-model=actor",
				"-strategy=transdpor", "-order=stable", "-tasks="+tasks, "-timeout=0")
			for _, g := range tests {
				want := g.Traces
				if n, ok := g.Models["actor"]; ok {
					want = &n
				}
				if tasks == "independent" {
					want = cmp.Or(g.Independent, want)
				}
				if r := results[g.Test]; !r.Complete || r.Executions != *want ||
					r.Selection.Backtracked != 0 {
					t.Errorf("%s, -tasks %s: complete %v, %d executions, want %d; %+v", g.Subject,
						tasks,
						r.Complete, r.Executions, *want, r.Selection)
				}
			}
		}
	}
}
