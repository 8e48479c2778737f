package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
)

var neverMore = flag.String("nevermore", "idioms",
	"compare the default flags with -independence none on the programs of testdata in `list`, or all")

// TestNeverMore explores programs of testdata by default flags, and without what those leave out:
// by default there are not more executions, and the same outcomes. go test ./cmd/rehearse -run
// TestNeverMore -nevermore all -v -timeout 0 does so with all programs, and prints the processor
// time of both for each.
func TestNeverMore(t *testing.T) {
	list := strings.Split(*neverMore, ",")
	groups := slices.DeleteFunc(byDir(readGolden(t)), func(tests []golden) bool {
		return *neverMore != "all" && !slices.Contains(list, tests[0].Dir)
	})
	binaries := buildAll(t, copyOfTestdata(t), groups)
	rows := []string{"",
		"| program | tests | complete in both | executions without | by default | redundant | " +
			"CPU seconds without | by default |", "|---|--:|--:|--:|--:|--:|--:|--:|"}
	for _, tests := range groups {
		dir := tests[0].Dir
		explore := func(flags ...string) (map[string]result, float64) {
			before := childrenSeconds(t)
			results := exploreAll(t, binaries[dir],
				append(flags, "-short", "-timeout=0", "-max-executions=3000")...)
			return results, childrenSeconds(t) - before
		}
		without, slow := explore("-independence=none")
		byDefault, fast := explore()
		both, many, few, redundant := 0, 0, 0, 0
		for _, test := range slices.Sorted(maps.Keys(without)) {
			a, b := without[test], byDefault[test]
			if !a.Complete {
				continue
			}
			if !b.Complete {
				t.Errorf("%s %s: incomplete by default, and complete without", dir, test)
				continue
			}
			both, many, few = both+1, many+a.Executions, few+b.Executions
			redundant += b.Blocked
			if b.Executions > a.Executions {
				t.Errorf("%s %s: %d executions by default, %d without", dir, test, b.Executions,
					a.Executions)
			}
			if got, want := distinct(b.Outcomes), distinct(a.Outcomes); !slices.Equal(got, want) {
				t.Errorf("%s %s: outcomes %v by default, %v without", dir, test, got, want)
			}
		}
		rows = append(rows, fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %.2f | %.2f |", dir,
			len(without), both, many, few, redundant, slow, fast))
	}
	t.Log(strings.Join(rows, "\n"))
}

// childrenSeconds is the processor time of all processes that this one has waited for.
func childrenSeconds(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
