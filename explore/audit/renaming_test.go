package audit

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestRenaming: the first task starts two processes and sends one message, the second one starts
// one and sends two.
func TestRenaming(t *testing.T) {
	r := renaming{actor: 1, procs: swap{4, 2, 1}, messages: swap{3, 1, 2}}
	for _, c := range []struct{ from, to trace.Alt }{
		{trace.Alt{Proc: 3, Partner: -1}, trace.Alt{Proc: 3, Partner: -1}},
		{trace.Alt{Proc: 4, Partner: 6}, trace.Alt{Proc: 5, Partner: 4}},
		{trace.Alt{Proc: 5, Partner: 7}, trace.Alt{Proc: 6, Partner: 7}},
		{trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 2}},
			trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 2}}},
		{trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 3}},
			trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 5}}},
		{trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 5}},
			trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 4}}},
		{trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 6}},
			trace.Alt{Partner: -1, Takes: trace.Message{Sender: 1, Number: 6}}},
		{trace.Alt{Partner: -1, Takes: trace.Message{Sender: 4, Number: 3}},
			trace.Alt{Partner: -1, Takes: trace.Message{Sender: 5, Number: 3}}},
	} {
		if got := r.alt(c.from); got != c.to {
			t.Errorf("%+v becomes %+v, want %+v", c.from, got, c.to)
		}
	}
}
