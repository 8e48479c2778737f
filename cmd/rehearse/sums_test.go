package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
)

// TestSums explores the programs of testdata whose receivers add up the values that they take, with
// -independence commute under Go's own delivery. The output names the operation on the values, and
// its place.
func TestSums(t *testing.T) {
	groups := byDir(slices.DeleteFunc(readGolden(t),
		func(g golden) bool { return g.Commute == nil }))
	o := options.Default()
	o.Strategy, o.Independence = "optimal", "commute"
	binaries := buildFor(t, o, copyOfTestdata(t), groups)
	for _, tests := range groups {
		checkJoint(t, binaries[tests[0].Dir], tests, "commute",
			func(g golden) *int { return g.Commute })
		checkJoint(t, binaries[tests[0].Dir], tests, "equal,commute",
			func(g golden) *int { return g.Commute })
	}
	for _, flags := range [][]string{{"-run=TestCollect4"}, {"-run=TestCollect4", "-isolate"}} {
		r := exploreAll(t, binaries["sums"],
			append(flags, "-strategy=optimal", "-independence=commute")...)["TestCollect4"]
		if r.Executions != 1 || len(r.Pruned) != 1 ||
			!strings.HasPrefix(r.Pruned[0].Fact,
				"bytes by +, failed by +, last by max at testdata/sums/sums.go:") {
			t.Errorf("%v: %d executions, left out by %v", flags, r.Executions, r.Pruned)
		}
	}
}
