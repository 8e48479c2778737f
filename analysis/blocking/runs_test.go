package blocking

import (
	"reflect"
	"testing"
)

// TestRuns compares what a finding is about before and after its journey as a category.
func TestRuns(t *testing.T) {
	for _, r := range []Runs{
		{Functions: []string{"(*example.org/a.T).M"}},
		{Functions: []string{"example.org/a.F", "(*example.org/a.T).M"}, Started: true,
			Places: []string{"a.go:12", "a b.go:3"}},
		{Functions: []string{"example.org/a.F$1@a b.go:34"}},
		{Functions: []string{"example.org/a.F"}, Again: true, Panics: true, Places: []string{"x.go:1"}},
	} {
		got, ok := ParseRuns(r.String())
		if !ok || !reflect.DeepEqual(got, r) {
			t.Errorf("%q is %+v, want %+v", r, got, r)
		}
	}
	if r, ok := ParseRuns(Counted); ok {
		t.Errorf("%q is %+v", Counted, r)
	}
}
