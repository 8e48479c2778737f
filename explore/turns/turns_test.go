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

// TestWorth: a turn that cannot show more than the one before is none.
func TestWorth(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		left       time.Duration
		spent      time.Duration
		executions int
		want       bool
	}{
		{8 * time.Second, 3 * time.Second, 5, true},
		{8 * time.Second, 5 * time.Second, 5, false},
		{8 * time.Second, 5 * time.Second, 0, true}, // its only execution may take all of it
		{8 * time.Second, 9 * time.Second, 0, false},
		{0, 3 * time.Second, 0, false},
		{-time.Second, 0, 0, false},
		{-time.Second, 0, 1, false},
	} {
		turn := Again(now, now.Add(c.left), 1)
		if got := turn.Worth(now, c.spent, c.executions); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if at := Again(now, now.Add(time.Minute), 2); !at.Latest(0).Equal(at.First) ||
		!at.Latest(1).Equal(at.End) || !(Turn{First: now}).Latest(0).IsZero() {
		t.Errorf("%v ends at %v, and after an execution at %v", at, at.Latest(0), at.Latest(1))
	}
	if !Again(now, time.Time{}, 1).Worth(now, time.Hour, 0) {
		t.Error("without a budget")
	}
}

// TestSpare: tests that each need a process leave the time to start those, but get half of it all.
func TestSpare(t *testing.T) {
	now := time.Now()
	after := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	for _, c := range []struct {
		name      string
		got, want time.Time
	}{
		{"no process", Spare(now, after(60), 0, 9), after(60)},
		{"the last test", Spare(now, after(60), time.Second, 0), after(60)},
		{"9 processes", Spare(now, after(60), 2*time.Second, 9), after(42)},
		{"too many", Spare(now, after(60), 2*time.Second, 100), after(30)},
		{"no time", Spare(now, after(-2), time.Second, 9), after(-2)},
		{"no budget", Spare(now, time.Time{}, time.Second, 9), time.Time{}},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
