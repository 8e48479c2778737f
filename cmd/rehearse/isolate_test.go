package main

import (
	"slices"
	"testing"
)

// TestIsolate explores programs of testdata in one process, and each execution in one of its own:
// both must be the same executions.
func TestIsolate(t *testing.T) {
	var groups [][]golden
	for _, dir := range []string{"inventory", "nsenders", "phil", "monitor", "readers", "state",
		"main1", "maps", "contexts"} {
		groups = append(groups, []golden{{Dir: dir}})
	}
	binaries := buildAll(t, copyOfTestdata(t), groups)
	for _, g := range groups {
		dir := g[0].Dir
		t.Run(dir, func(t *testing.T) {
			flags := []string{"-max-executions=6", "-clock=explore", "-seed=3",
				"-independence=none"}
			together := exploreAll(t, binaries[dir], flags...)
			apart := exploreAll(t, binaries[dir], append(flags, "-isolate")...)
			if len(together) != len(apart) {
				t.Errorf("%d tests, isolated %d", len(together), len(apart))
			}
			for name, a := range together {
				b := apart[name]
				if a.Verdict != b.Verdict || a.Complete != b.Complete ||
					a.Executions != b.Executions ||
					a.Traces != b.Traces ||
					!slices.Equal(a.Outcomes, b.Outcomes) || len(a.Findings) != len(b.Findings) {
					t.Errorf("%s\n  together %+v\n  apart    %+v", name, a, b)
				}
			}
		})
	}
}
