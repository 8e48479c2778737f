package races

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestQueue compares a queue with a map, over a channel that had some values before and is used for
// a while.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var q queue
		want := map[int32]clock{}
		taken, put := int32(0), int32(r.IntN(3))
		for range 100 {
			if r.IntN(2) == 0 {
				c := clock{put, put + 1}
				q.put(put, c)
				want[put] = slices.Clone(c)
				put++
				continue
			}
			if taken < put {
				if got := q.take(taken); !slices.Equal(got, want[taken]) {
					t.Fatalf("number %d: got %v, want %v", taken, got, want[taken])
				}
				taken++
			}
		}
	}
}

// TestMailbox: a message orders its own sending before its receive, and nothing else.
func TestMailbox(t *testing.T) {
	var o object
	first, second := clock{5, 0, 0}, clock{0, 7, 0}
	send := func(p int32, c clock) {
		o.communicate(&trace.Event{Alt: trace.Alt{Proc: p, Partner: -1}, Kind: trace.Send,
			Cap: trace.Bag,
			Seq: 1}, &c)
	}
	send(0, first)
	send(1, second)
	receiver := clock{0, 0, 1}
	take := func(p int32) {
		o.communicate(&trace.Event{Alt: trace.Alt{Proc: 2, Partner: -1,
			Takes: trace.Message{Sender: p, Number: 1}}, Kind: trace.Recv, Cap: trace.Bag, Seq: 1},
			&receiver)
	}
	take(1)
	if !slices.Equal(receiver, clock{0, 7, 1}) {
		t.Errorf("after the second message: %v", receiver)
	}
	take(0)
	if !slices.Equal(receiver, clock{5, 7, 1}) {
		t.Errorf("after both: %v", receiver)
	}
}
