package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// hurry makes searches of several processes divide what is left after three executions. Without,
// they do when they have taken seconds.
const hurry = "-X=rehearse/explore/session.hurry=3"

// alike is what processes that divide a search must come to as one does, in its encoding.
type alike struct {
	Verdict    string
	Complete   bool
	Executions int
	Fixed      []string
	Cut        []string
	Outcomes   []outcome
	Findings   any
}

// TestDivided compares searches that processes divide, as they do by default when a search takes
// long, with the same ones in one process.
func TestDivided(t *testing.T) {
	root := t.TempDir()
	copyTo(t, filepath.Join(root, "divided"), "testdata/divided")
	patterns := []string{"./divided"}
	for _, name := range []string{"bugs", "dice", "symmetric"} {
		copyTo(t, filepath.Join(root, name), filepath.Join(sources(t), "testdata", name))
		patterns = append(patterns, "./"+name)
	}
	write(t, root, "go.mod", "module divided.test\n\ngo 1.26\n")
	o := options.Default()
	o.LDFlags = hurry
	packages, err := exec.Build(root, o, patterns)
	if err != nil {
		t.Fatal(err)
	}
	flags := []string{"-short", "-timeout=0", "-max-executions=150", "-max-steps=5000"}
	divided := 0
	for _, p := range packages {
		t.Run(filepath.Base(p.Dir), func(t *testing.T) {
			one := exploreAll(t, p.Binary, append(flags, "-p=1")...)
			two := exploreAll(t, p.Binary, append(flags, "-p=2")...)
			for name, r := range one {
				if two[name].Strategy != r.Strategy {
					divided++
				}
				t.Run(name, func(t *testing.T) { compareDivided(t, r, two[name]) })
			}
		})
	}
	if divided < 20 {
		t.Errorf("%d tests are divided", divided)
	}
}

// timesIn is what may differ between two reports of one search: times, redundant executions, and
// why one process has explored a test.
var timesIn = regexp.MustCompile(` \(\d+\.\d+s\)| \(and \d+ redundant\)|(?m:^(ok|FAIL)\s.*\n)|` +
	`(?m:^.*explored by one process.*\n)`)

// TestSameReport: the report of a complete search is the same in every byte, however many processes
// divide the search.
func TestSameReport(t *testing.T) {
	root := t.TempDir()
	copyTo(t, filepath.Join(root, "witnesses"), "testdata/witnesses")
	copyTo(t, filepath.Join(root, "bugs"), filepath.Join(sources(t), "testdata", "bugs"))
	write(t, root, "go.mod", "module divided.test\n\ngo 1.26\n")
	packages, err := exec.Build(root, options.Default(), []string{"./witnesses", "./bugs"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		report := func(processes int) string {
			if err := os.RemoveAll(filepath.Join(p.Dir, "testdata")); err != nil {
				t.Fatal(err)
			}
			cmd := osexec.Command(p.Binary, "-independence=none", "-timeout=0", "-max-steps=5000",
				fmt.Sprintf("-p=%d", processes))
			cmd.Dir = root
			out, _ := cmd.Output() // it fails: the tests do
			return timesIn.ReplaceAllString(string(out), "")
		}
		want := report(1)
		if n := strings.Count(want, "the order that fails"); n < 5 {
			t.Errorf("%s: %d findings are drawn:\n%s", p.Path, n, want)
		}
		for _, processes := range []int{2, 3, 8} {
			if got := report(processes); got != want {
				t.Errorf("%s: %d processes report\n%s\nwant\n%s", p.Path, processes, got, want)
			}
		}
	}
}

func copyTo(t *testing.T, dst, src string) {
	t.Helper()
	if err := os.CopyFS(dst, os.DirFS(src)); err != nil {
		t.Fatal(err)
	}
}

// compareDivided compares two results. If one of them is incomplete, the other one may have more.
func compareDivided(t *testing.T, one, two result) {
	a, b := alikeOf(t, one), alikeOf(t, two)
	if !a.Complete && !b.Complete {
		return
	}
	x, _ := json.Marshal(a)
	if y, _ := json.Marshal(b); string(x) != string(y) {
		t.Errorf("one process says\n%s\nseveral say\n%s", x, y)
	}
}

func alikeOf(t *testing.T, r result) alike {
	return alike{Verdict: r.Verdict, Complete: r.Complete, Executions: r.Executions,
		Fixed: texts(t, r.Fixed), Cut: texts(t, r.Cut), Outcomes: r.Outcomes,
		Findings: r.Findings}
}

// texts are the encodings of values, in order and once each.
func texts[T any](t *testing.T, list []T) []string {
	all := map[string]bool{}
	for _, v := range list {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all[string(text)] = true
	}
	return slices.Sorted(maps.Keys(all))
}
