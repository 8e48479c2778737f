package effects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/want"
)

// TestFixtures compares the effects of the programs in testdata with the WANT lines at their ends, with pointers analysed. A
// line must be there whole; nothing may start with a line after an exclamation mark.
func TestFixtures(t *testing.T) {
	for _, dir := range []string{"objects", "calls", "library", "wide"} {
		t.Run(dir, func(t *testing.T) {
			l, err := load.Load(load.Config{Patterns: []string{"./testdata/" + dir}})
			if err != nil {
				t.Fatal(err)
			}
			want.Compare(t, dir, lines(independence.Find(l)))
		})
	}
}

// TestTypes demands of the types alone that they say no less than pointers do: what conflicts with pointers conflicts.
func TestTypes(t *testing.T) {
	for _, dir := range []string{"objects", "calls", "library", "wide"} {
		l, err := load.Load(load.Config{Patterns: []string{"./testdata/" + dir}})
		if err != nil {
			t.Fatal(err)
		}
		pointers, types := independence.Find(l), independence.With(l, independence.Options{})
		for i, b := range pointers.Behaviours {
			for k, p := range b.Pairs {
				q := types.Behaviours[i].Pairs[k]
				if p.Verdict(facts.GoModel) == facts.Dependent && q.Verdict(facts.GoModel) == facts.Independent {
					t.Errorf("%s: the types alone call %s and %s independent", dir, b.Tasks[p.First].Handler, b.Tasks[p.Second].Handler)
				}
			}
		}
	}
}

// lines writes what the tasks do without positions, and what holds for their pairs under -model actor without reasons.
func lines(v facts.Program) []string {
	var out []string
	for i, b := range v.Behaviours {
		kind := func(k int) string { return v.Actors[i].Handlers[k].Kind }
		for k, t := range b.Tasks {
			for _, a := range t.Accesses {
				out = append(out, fmt.Sprintf("%s: %s %s", kind(k), a, a.Location.Where))
			}
			for _, s := range t.Sends {
				out = append(out, fmt.Sprintf("%s: %s (depth %d)", kind(k), s, s.Depth))
			}
			for _, o := range t.Operations {
				out = append(out, fmt.Sprintf("%s: %s", kind(k), o))
			}
		}
		for _, p := range b.Pairs {
			text := facts.Words(p, facts.ActorModel)
			if strings.HasPrefix(text, "dependent") {
				text = "dependent"
			}
			out = append(out, fmt.Sprintf("pair %s %s: %s", kind(p.First), kind(p.Second), text))
		}
	}
	return out
}
