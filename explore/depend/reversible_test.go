package depend_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestReversible: a step cannot come before what alone makes it possible.
func TestReversible(t *testing.T) {
	for _, c := range []struct {
		text           string
		races, reverse int
	}{
		{"chan a\nT: close a\nP: <-a", 1, 0},
		{"chan a 1\nT: close a\nP: <-a", 0, 0},
		{"chan a 1\nT: a<-1\nP: a<-2\nQ: <-a", 1, 1},
		{"mutex m\nT: lock m; unlock m\nP: lock m; unlock m", 1, 1},
		{"chan a 1\nT: close a\nP: select <-a | default", 1, 1},
		{"atomic v\nT: store v 1\nP: load v", 1, 1},
		{"wg w\nT: add w 1; add w -1\nP: wait w", 1, 1},
	} {
		x := micro.New(micro.Parse(c.text)).Execute(first{}, false)
		v, races, reverse := depend.ReversalsOf(x), 0, 0
		for _, r := range depend.Races(x) {
			if races++; v.Possible(r) {
				reverse++
			}
		}
		if races != c.races || reverse != c.reverse {
			t.Errorf("%q: %d races, %d of them can be reversed; want %d and %d", c.text, races,
				reverse,
				c.races, c.reverse)
		}
	}
}
