package explore_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestWarnings runs programs of actors by the usual choices.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name, program string
		want          []string
		lives         []explore.Life
	}{
		{"all is received", "bag a\nA: a<-1\nB: <-a", nil,
			[]explore.Life{explore.Terminated, explore.Terminated}},
		{"the receiver has ended", "bag a\nA: a<-1; a<-2\nB: <-a",
			[]string{"dead-letter: a message is left for B, which has ended"}, nil},
		{"the receiver goes on", "bag a\nbag b\nA: a<-1; a<-2; a<-3\nB: <-a; <-b",
			[]string{"orphan: 2 messages are left for B, which goes on"},
			[]explore.Life{explore.Terminated, explore.Idle}},
		{"nobody receives", "bag a\nA: a<-1",
			[]string{"orphan: a message is in a mailbox that nobody receives from"}, nil},
		{"in two mailboxes", "bag a\nbag b\nA: a<-1; b<-1",
			[]string{"orphan: a message is in a mailbox that nobody receives from"}, nil},
		{"a channel", "chan a 2\nA: a<-1", nil, nil},
		{
			"locks", "mutex m\nmutex n\nchan c 0\nA: lock m; c<-1; lock n\nB: lock n; <-c; lock m",
			[]string{"circular-wait: A waits for B waits for A"},
			[]explore.Life{explore.Blocked, explore.Blocked},
		},
		{
			"answers",
			"bag a\nbag b\nbag x\nbag y\nS: a<-0; b<-0\nA: <-a; b<-1; <-x\nB: <-b; a<-1; <-y",
			[]string{"orphan: a message is left for A, which goes on",
				"orphan: a message is left for B, which goes on",
				"circular-wait: A waits for B waits for A"},
			[]explore.Life{explore.Terminated, explore.Blocked, explore.Blocked},
		},
	} {
		x := micro.New(micro.Parse(c.program)).Execute(&explore.Script{}, false)
		if got := explore.Warnings(x); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for p, want := range c.lives {
			if got := explore.LifeOf(x, int32(p)); got != want {
				t.Errorf("%s: %d is %s, want %s", c.name, p, got, want)
			}
		}
	}
}
