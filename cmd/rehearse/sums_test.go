package main

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
)

// TestSums explores the programs of testdata whose receivers add up what they take, with -independence commute under Go's own delivery.
func TestSums(t *testing.T) {
	groups := byDir(slices.DeleteFunc(readGolden(t), func(g golden) bool { return g.Commute == nil }))
	o := options.Default()
	o.Strategy, o.Independence = "optimal", "commute"
	binaries := buildFor(t, o, copyOfTestdata(t), groups)
	for _, tests := range groups {
		checkJoint(t, binaries[tests[0].Dir], tests, "commute", func(g golden) *int { return g.Commute })
		checkJoint(t, binaries[tests[0].Dir], tests, "equal,commute", func(g golden) *int { return g.Commute })
	}
}
