package executor

import (
	"os"
	"testing"
)

// TestDescriptors: files that nobody can reach any more are closed before they become many.
func TestDescriptors(t *testing.T) {
	var d descriptors
	d.collect()
	first := lowestFree()
	for range 20 {
		for range mostLeft / 2 {
			if _, err := os.Open(os.DevNull); err != nil {
				t.Fatal(err)
			}
		}
		d.collect()
	}
	if n := lowestFree(); n > first+2*mostLeft {
		t.Errorf("%d descriptors are open, and %d were before", n, first)
	}
}
