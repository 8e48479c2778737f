package differ

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// TestReduced compares the programs of testdata/reduced, which were found to differ once, by all
// ways to search. Those whose names end in Timed have timers.
func TestReduced(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds many programs")
	}
	text, err := os.ReadFile(filepath.Join("testdata", "reduced", "reduced_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, nil, goprog.Plain)
	writeFile(t, dir, "reduced_test.go", string(text))
	o := options.Default()
	o.Strategy, o.Independence, o.Audit = "optimal", "observed,equal,commute,symmetry", 1
	packages, err := exec.Build(dir, o, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	b := &binaries{controlled: packages[0].Binary}
	names, timed, never := reduced(string(text))
	if len(names) == 0 {
		t.Fatal("no programs")
	}
	for i, ways := range byClock {
		if i > 0 {
			names = timed
		}
		compareReduced(t, b, names, ways, never)
	}
}

var reducedTest = regexp.MustCompile(`(?m)^(?:// Never: (.*)\n)?func Test(\w+)\(t \*testing\.T\)`)

// reduced returns the names of the programs in a text, those with timers, and what is in no log of
// some.
func reduced(text string) (names, timed []string, never map[string]string) {
	never = map[string]string{}
	for _, m := range reducedTest.FindAllStringSubmatch(text, -1) {
		names = append(names, m[2])
		if m[1] != "" {
			never[m[2]] = m[1]
		}
		if strings.HasSuffix(m[2], "Timed") {
			timed = append(timed, m[2])
		}
	}
	return names, timed, never
}

// compareReduced compares programs by ways to search, of which the first is exhaustive.
func compareReduced(t *testing.T, b *binaries, names []string, ways []way,
	never map[string]string) {
	t.Helper()
	want := exploreAll(t, b, names, ways[0])
	for _, name := range names {
		if x := want[name]; !x.complete || x.trouble != "" {
			t.Errorf("%s: %s: %s %s", name, ways[0].flags, x.reason, x.trouble)
		}
		for o := range want[name].outcomes {
			if text := never[name]; text != "" && strings.Contains(ways[0].flags, "delay") &&
				strings.Contains(o.log, text) {
				t.Errorf("%s: %s: %v", name, ways[0].flags, o)
			}
		}
	}
	for _, w := range ways[1:] {
		for name, got := range exploreAll(t, b, names, w) {
			switch {
			case got.refused:
			case got.trouble != "" || !got.complete && !w.samples:
				t.Errorf("%s: %s: %s %s", name, w.flags, got.reason, got.trouble)
			default:
				if why := differs(w, got, want[name], false); why != "" {
					t.Errorf("%s: %s: %s, of %v", name, w.flags, why,
						slices.Collect(maps.Keys(want[name].outcomes)))
				}
			}
		}
	}
}
