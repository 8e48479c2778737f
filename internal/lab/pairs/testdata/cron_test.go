package pair

import (
	"sync"
	"testing"

	"github.com/robfig/cron"
)

// TestEntries asks a running scheduler with one entry twice at the same time.
func TestEntries(t *testing.T) {
	c := cron.New()
	c.AddFunc("@every 1h", func() {})
	c.Start()
	defer c.Stop()
	var seen [2]int
	var wg sync.WaitGroup
	for i := range seen {
		wg.Go(func() { seen[i] = len(c.Entries()) })
	}
	wg.Wait()
	if seen != [2]int{1, 1} {
		t.Fatalf("the callers see %v entries", seen)
	}
}
