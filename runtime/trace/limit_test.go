package trace

import (
	"fmt"
	"testing"
)

func TestLimitsAreMerged(t *testing.T) {
	var a, b Limits
	a.AddFixed(MapOrder, "a.go:1")
	b.AddFixed(RandomNumbers)
	b.AddFixed(MapOrder, "a.go:2", "a.go:1", "")
	b.AddCut("steps", "b.go:3")
	a.Merge(&b)
	a.Merge(&b)
	const want = "{[{map order [a.go:1 a.go:2]} {random numbers []}] [{steps [b.go:3]}]}"
	if got := fmt.Sprint(a); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLimitSaysThatThereAreMorePlaces(t *testing.T) {
	var l Limits
	for i := range 2 * maxPlaces {
		l.AddCut("steps", fmt.Sprint(i))
	}
	if p := l.Cut[0].Places; len(p) != maxPlaces+1 || p[maxPlaces] != MorePlaces {
		t.Errorf("places are %v", p)
	}
}
