package turns

import (
	"testing"
	"time"
)

func TestTurns(t *testing.T) {
	now := time.Now()
	after := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	for _, c := range []struct {
		name      string
		got, want Turn
		longest   time.Time
	}{
		{"one of 4", Next(now, after(80), 4, false),
			Turn{after(5), after(20), after(20)}, after(20)},
		{"the only one", Next(now, after(80), 1, true), Turn{End: after(80)}, after(80)},
		{"no budget", Next(now, time.Time{}, 3, false), Turn{}, time.Time{}},
		{"one of 2, anew", Again(now, after(80), 2),
			Turn{End: after(40), First: after(60)}, after(40)},
		{"anew, no budget", Again(now, time.Time{}, 2), Turn{}, time.Time{}},
	} {
		if c.got != c.want || c.got.Longest() != c.longest {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
