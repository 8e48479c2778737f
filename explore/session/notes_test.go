package session

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/settings"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func TestCarried(t *testing.T) {
	for _, tt := range []struct{ packages, want string }{
		{"", "and files"},
		{"a b", "; the variables of a, b"},
		{"a b c d e f g", "; the variables of a, b, c, d, e and 2 other packages"},
	} {
		if got := carried(strings.Fields(tt.packages)); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%q: %s", tt.packages, got)
		}
	}
}

func TestSeedOfASchedule(t *testing.T) {
	for seed, want := range map[uint64]string{1: "", 0: "0", 1<<64 - 1: "18446744073709551615"} {
		sched := &trace.Schedule{Seed: settings.SeedText(seed)}
		if sched.Seed != want {
			t.Errorf("seed %d is %q in a schedule", seed, sched.Seed)
		}
		back, err := trace.ParseSchedule(sched.Format())
		if err != nil || back.Seed != want {
			t.Errorf("seed %d: read back %v, %v", seed, back, err)
		}
	}
}
