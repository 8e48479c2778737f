package main

import (
	"slices"
	"testing"
)

// TestEqual meets golden.json's counts of executions that are left with -independence equal, also of those programs that take
// long without.
func TestEqual(t *testing.T) {
	groups := byDir(slices.DeleteFunc(readGolden(t), func(g golden) bool { return g.Equal == nil }))
	binaries := buildAll(t, copyOfTestdata(t), groups)
	for _, tests := range groups {
		results := exploreAll(t, binaries[tests[0].Dir], "-run="+only(tests), "-strategy=optimal", "-independence=equal")
		for _, g := range tests {
			t.Run(g.Test, func(t *testing.T) {
				r := results[g.Test]
				g.Traces = g.Equal
				g.check(t, r, result{})
				g.checkOptimal(t, r)
			})
		}
	}
}
