package chains_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/lab/want"
)

// TestFixtures compares the calls in the programs of testdata with the WANT lines at their ends,
// whose depths may be left out. There may be no call that starts with a line after an exclamation
// mark.
func TestFixtures(t *testing.T) {
	for _, dir := range []string{"counted", "early", "ops", "relay"} {
		t.Run(dir, func(t *testing.T) {
			l, err := load.Load(load.Config{Patterns: []string{"./testdata/" + dir}})
			if err != nil {
				t.Fatal(err)
			}
			want.ComparePrefixes(t, dir, calls(independence.Find(l)))
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
		text := fmt.Sprintf("%s -> %s depth %d", short(c.From), short(c.To), c.Depth)
		if c.Early {
			text += ", early"
		}
		out = append(out, text)
	}
	return out
}
