package effects_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/lab/want"
)

// TestFixtures compares the effects of the programs in testdata with the WANT lines at their ends,
// with pointers analysed. A line must be there whole; nothing may start with a line after an
// exclamation mark.
func TestFixtures(t *testing.T) {
	for _, dir := range []string{"objects", "calls", "library", "wide"} {
		t.Run(dir, func(t *testing.T) {
			l, err := load.Load(load.Config{Patterns: []string{"./testdata/" + dir}})
			if err != nil {
				t.Fatal(err)
			}
			want.Compare(t, dir, want.Tasks(independence.Find(l)))
		})
	}
}

// TestTypes demands of the types alone that they say no less than pointers do: tasks that conflict
// by pointers conflict by types.
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
				if p.Verdict(facts.GoModel) == facts.Dependent &&
					q.Verdict(facts.GoModel) == facts.Independent {
					t.Errorf("%s: the types alone call %s and %s independent", dir,
						b.Tasks[p.First].Handler, b.Tasks[p.Second].Handler)
				}
			}
		}
	}
}
