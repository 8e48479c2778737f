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
var tabled = strings.Fields(
	"bb chameneos commuting dht election fib leader mail minesweeper pi pipeline psort qsort register " +
		"registry regsim regsim2 serverreal serversimple shortpath spinsort")

// TestFactsTable explores the programs of testdata that use mailboxes, without facts, with them,
// and with contexts: the outcomes are the same, and there are not more executions. go test
// ./cmd/rehearse -run TestFactsTable -factstable -v prints the table.
func TestFactsTable(t *testing.T) {
	if !*factsTable {
		t.Skip("explores many programs: -factstable")
	}
	var patterns []string
	for _, name := range tabled {
		patterns = append(patterns, "./testdata/"+name)
	}
	rows := []string{"",
		"| test | executions without facts | disjoint | disjoint,commute | redundant | disjoint,commute,context | redundant | " +
			"optimal, disjoint,commute | optimal, disjoint,commute,context | redundant |",
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"}
	for _, p := range buildWithFacts(t, "disjoint,commute,context", patterns...) {
		explore := func(flags ...string) map[string]result {
			return exploreAll(t, p.Binary,
				append(flags, "-short", "-model=actor", "-timeout=0", "-max-executions=3000")...)
		}
		var by []map[string]result
		for _, list := range []string{"none", "disjoint", "disjoint,commute",
			"disjoint,commute,context"} {
			by = append(by, explore("-strategy=dpor", "-sleep", "-independence="+list))
		}
		optimal := explore("-strategy=optimal", "-independence=disjoint,commute")
		merged := explore("-strategy=optimal", "-independence=disjoint,commute,context")
		for _, test := range slices.Sorted(maps.Keys(by[0])) {
			name := path.Base(p.Path) + " " + test
			rows = append(rows, row(t, name, by[0][test], by[1][test], by[2][test], by[3][test])+
				optimalCell(t, name, by[2][test], optimal[test])+
				mergedCells(t, name, by[3][test], merged[test]))
		}
	}
	t.Log(strings.Join(rows, "\n"))
}

// optimalCell compares optimal search with dpor, both with the same facts: it sees the same, and
// cuts nothing off.
func optimalCell(t *testing.T, name string, dpor, optimal result) string {
	t.Helper()
	if optimal.Verdict == "error" {
		return " refused |"
	}
	if optimal.Blocked > 0 ||
		optimal.Complete && dpor.Complete &&
			!slices.Equal(distinct(optimal.Outcomes), distinct(dpor.Outcomes)) {
		t.Errorf("%s: optimal cuts off %d, and has the outcomes %v; dpor has %v", name,
			optimal.Blocked,
			optimal.Outcomes, dpor.Outcomes)
	}
	return " " + executionsCell(optimal) + " |"
}

// mergedCells compares optimal search with dpor, both with the same facts and with contexts: it
// sees the same.
func mergedCells(t *testing.T, name string, dpor, optimal result) string {
	t.Helper()
	if optimal.Verdict == "error" {
		return " refused | |"
	}
	if optimal.Complete && dpor.Complete &&
		!slices.Equal(distinct(optimal.Outcomes), distinct(dpor.Outcomes)) {
		t.Errorf("%s: with contexts, optimal has the outcomes %v; dpor has %v", name,
			optimal.Outcomes,
			dpor.Outcomes)
	}
	return fmt.Sprintf(" %s | %d |", executionsCell(optimal), optimal.Blocked)
}

// executionsCell is how many executions there are.
func executionsCell(r result) string {
	if r.Complete {
		return fmt.Sprint(r.Executions)
	}
	return fmt.Sprint("more than ", r.Executions)
}

// row compares the explorations of one test, each with more facts than the one before.
func row(t *testing.T, name string, by ...result) string {
	text := "| " + name
	for i, r := range by {
		if i > 0 && r.Complete && by[i-1].Complete &&
			(r.Executions > by[i-1].Executions ||
				!slices.Equal(distinct(r.Outcomes), distinct(by[i-1].Outcomes))) {
			t.Errorf("%s: %d executions with more facts, %d without; outcomes %v and %v", name,
				r.Executions,
				by[i-1].Executions, r.Outcomes, by[i-1].Outcomes)
		}
		switch {
		case r.Verdict == "error":
			text += " | not explored"
		default:
			text += " | " + executionsCell(r)
		}
		if i > 1 {
			text += fmt.Sprintf(" | %d", r.Blocked)
		}
	}
	return text + " |"
}
