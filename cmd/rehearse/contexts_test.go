package main

import (
	"bufio"
	"bytes"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestContexts compares the programs of testdata/contexts, explored and as plain Go, and the
// strategies. If timers can fire early, exhaustive search would end for none of them.
func TestContexts(t *testing.T) {
	binary := buildAll(t, copyOfTestdata(t), [][]golden{{{Dir: "contexts"}}})["contexts"]
	plain := asPlainGo(t)
	idle := "-clock=idle"
	for _, clock := range [][]string{{idle}, {"-clock=explore", "-max-fires=0"}} {
		flags := append(clock, "-timeout=0")
		reduced := exploreAll(t, binary, flags...)
		var all map[string]result
		if clock[0] == idle {
			all = exploreAll(t, binary,
				append(flags, "-strategy=exhaustive", "-max-executions=200")...)
		}
		compared := 0
		for name, lines := range plain {
			r := reduced[name]
			if r.Verdict != "pass" || !r.Complete {
				t.Errorf("%v: %s: verdict %s, complete: %v", clock, name, r.Verdict, r.Complete)
			}
			for _, line := range lines {
				if !slices.ContainsFunc(r.Outcomes, func(o outcome) bool {
					return strings.TrimSpace(o.Log) == line
				}) {
					t.Errorf("%v: %s: plain Go does %q; explored: %v", clock, name, line,
						r.Outcomes)
				}
			}
			if x := all[name]; x.Complete {
				compared++
				if !slices.Equal(distinct(x.Outcomes), distinct(r.Outcomes)) ||
					x.Traces != r.Traces {
					t.Errorf("%v: %s: dpor has %d traces and %v, exhaustive search %d and %v",
						clock, name,
						r.Traces, r.Outcomes, x.Traces, x.Outcomes)
				}
			}
		}
		t.Logf("%v: %d programs, %d of them also exhaustively", clock, len(plain), compared)
	}
}

// asPlainGo runs the programs in a bubble of testing/synctest and returns what each did, by the
// name of its test.
func asPlainGo(t *testing.T) map[string][]string {
	t.Helper()
	cmd := osexec.Command("go", "test", "-count=1", "-v", "./plain")
	cmd.Dir = filepath.Join(sources(t), "testdata", "contexts")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	did := map[string][]string{}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		if name, line, ok := strings.Cut(s.Text(), " "); ok && strings.HasPrefix(name, "TestSeed") {
			if line = strings.TrimSpace(line); !slices.Contains(did[name], line) {
				did[name] = append(did[name], line)
			}
		}
	}
	if len(did) == 0 {
		t.Fatalf("no lines in\n%s", out)
	}
	return did
}
