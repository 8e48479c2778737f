package report

import (
	"slices"
	"strings"
	"testing"
)

// TestUsed: each kind of what was left out has the word of -independence that it is due to, and
// sections only where some commute.
func TestUsed(t *testing.T) {
	r := &Test{}
	if got := r.Used(); len(got) != 0 {
		t.Errorf("nothing was left out, and there is %v", got)
	}
	r.Sections = []Sections{{Lock: "mu at a.go:1", Count: 9,
		Ordinary: []string{"another operation"}},
		{Lock: "mu at a.go:2", Count: 1}}
	r.Pruned = []Pruned{{Joint: true, Fact: "equal values", Count: 2},
		{Fact: "twins started at a.go:3", Count: 1}, {Unseen: true, Fact: "nobody", Count: 1},
		{Actor: "p.a", First: "m", Second: "n", Fact: "disjoint", Count: 1},
		{Joint: true, Fact: "a sum at a.go:7", Count: 1}, {Fact: "context"},
		{Joint: true, Fact: "equal values, as their receiver drops them", Count: 1}}
	if got, want := strings.Join(r.Used(), " "),
		"symmetry observed equal commute disjoint"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r.Sections[1].Count = 2
	if !slices.Contains(r.Used(), "sections") {
		t.Error("two sections without an order are not named")
	}
}
