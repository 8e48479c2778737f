package main

import (
	"flag"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

var factsTable = flag.Bool("factstable", false, "print the table of docs/FACTS.md")

// tabled are the programs of testdata whose goroutines receive from mailboxes.
var tabled = strings.Fields("bb chameneos commuting dht election fib leader mail minesweeper pi pipeline psort qsort register " +
	"registry regsim regsim2 serverreal serversimple shortpath spinsort")

// TestFactsTable explores the programs of testdata that use mailboxes, without facts, with them, and with contexts: the outcomes
// are the same, and there are not more executions. go test ./cmd/rehearse -run TestFactsTable -factstable -v prints the table.
func TestFactsTable(t *testing.T) {
	if !*factsTable {
		t.Skip("explores many programs: -factstable")
	}
	var patterns []string
	for _, name := range tabled {
		patterns = append(patterns, "./testdata/"+name)
	}
	rows := []string{"", "| test | executions without facts | disjoint | disjoint,commute | redundant | disjoint,commute,context | redundant |", "|---|---:|---:|---:|---:|---:|---:|"}
	for _, p := range buildWithFacts(t, "disjoint,commute,context", patterns...) {
		var by []map[string]result
		for _, list := range []string{"none", "disjoint", "disjoint,commute", "disjoint,commute,context"} {
			by = append(by, exploreAll(t, p.Binary, "-short", "-model=actor", "-strategy=dpor", "-sleep", "-timeout=0", "-max-executions=3000", "-independence="+list))
		}
		for _, test := range slices.Sorted(maps.Keys(by[0])) {
			rows = append(rows, row(t, path.Base(p.Path)+" "+test, by[0][test], by[1][test], by[2][test], by[3][test]))
		}
	}
	t.Log(strings.Join(rows, "\n"))
}

// row compares the explorations of one test, each with more facts than the one before.
func row(t *testing.T, name string, by ...result) string {
	text := "| " + name
	for i, r := range by {
		if i > 0 && r.Complete && by[i-1].Complete && (r.Executions > by[i-1].Executions || !slices.Equal(distinct(r.Outcomes), distinct(by[i-1].Outcomes))) {
			t.Errorf("%s: %d executions with more facts, %d without; outcomes %v and %v", name, r.Executions, by[i-1].Executions, r.Outcomes, by[i-1].Outcomes)
		}
		switch {
		case r.Verdict == "error":
			text += " | not explored"
		case r.Complete:
			text += fmt.Sprintf(" | %d", r.Executions)
		default:
			text += fmt.Sprintf(" | more than %d", r.Executions)
		}
		if i > 1 {
			text += fmt.Sprintf(" | %d", r.Blocked)
		}
	}
	return text + " |"
}
