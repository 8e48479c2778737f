package races

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueue compares a queue with a map, over a channel that had some values before and is used for a while.
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
