package main

import (
	"slices"
	"strings"
	"testing"
)

// TestWeb explores four mistakes of HTTP services and their mends, as the program's doc has them.
func TestWeb(t *testing.T) {
	binary := buildAll(t, copyOfTestdata(t), [][]golden{{{Dir: "web"}}})["web"]
	results := exploreAll(t, binary, "-timeout=0")
	for _, c := range []struct {
		bug, kind, message string
		mend               string
	}{
		{"TestSellLate", "fail", "the last seat was sold to 2 clients", "TestSell"},
		{"TestQuitHere", "deadlock", "2 processes are blocked for ever", "TestQuit"},
		{"TestFetchSome", "leak", "1 process is blocked for ever", "TestFetch"},
		{"TestRunHasty", "fail", "1 requests are left behind", "TestRun"},
	} {
		r := results[c.bug]
		if len(r.Findings) != 1 || r.Findings[0].Kind != c.kind ||
			!strings.HasPrefix(r.Findings[0].Message, c.message) {
			t.Errorf("%s: %v, want %s: %s", c.bug, r.Findings, c.kind, c.message)
		}
		if r.Executions > 500 {
			t.Errorf("%s: %d executions", c.bug, r.Executions)
		}
		upTo(t, c.mend, results[c.mend], true)
	}
	// processes do not divide a search over whole steps
	divided := exploreAll(t, binary, "-p=2", "-independence=none", "-run=^TestRun$")["TestRun"]
	upTo(t, "TestRun with -p 2", divided, results["TestRun"].Executions <= divided.Executions)
	if noBrowser() == "" {
		browse(t, "requests", pageOf(t, alone(t, "web"), "-run=^TestSellLate$"))
	}
}

// upTo checks that a test passes, and is complete up to net/http.
func upTo(t *testing.T, name string, r result, enough bool) {
	t.Helper()
	if r.Verdict != "pass" || !r.Complete || !slices.Contains(r.UpTo, "net/http") || !enough {
		t.Errorf("%s: %+v", name, r)
	}
}
