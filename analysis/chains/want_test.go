package chains_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestFixtures compares the calls in the programs of testdata with the WANT lines at their ends, whose depths may be left
// out. There may be no call that starts with a line after an exclamation mark.
func TestFixtures(t *testing.T) {
	for _, dir := range []string{"ops", "relay"} {
		t.Run(dir, func(t *testing.T) {
			l, err := load.Load(load.Config{Patterns: []string{"./testdata/" + dir}})
			if err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile("testdata/" + dir + "/" + dir + ".go")
			if err != nil {
				t.Fatal(err)
			}
			_, want, ok := strings.Cut(string(src), "// WANT:\n")
			if !ok {
				t.Fatal("no WANT lines")
			}
			got := calls(independence.Find(l))
			for w := range strings.Lines(want) {
				w = strings.TrimSpace(strings.TrimPrefix(w, "//"))
				w, negative := strings.CutPrefix(w, "! ")
				if negative == slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }) {
					t.Errorf("%s: negative %t", w, negative)
				}
			}
			if t.Failed() {
				t.Logf("got\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// calls writes the calls without packages and places.
func calls(v facts.Program) []string {
	short := func(t facts.Target) string {
		s := t.String()
		s = s[strings.LastIndexByte(s, '/')+1:]
		return s[strings.IndexByte(s, '.')+1:]
	}
	var out []string
	for _, c := range v.Calls {
		out = append(out, fmt.Sprintf("%s -> %s depth %d", short(c.From), short(c.To), c.Depth))
	}
	return out
}
