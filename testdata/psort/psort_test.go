package psort

import (
	"slices"
	"testing"
)

func TestPSort2(t *testing.T)       { check(t, 2, 0) }
func TestPSort3(t *testing.T)       { check(t, 3, 0) }
func TestPSort4(t *testing.T)       { check(t, 4, 0) }
func TestPSort4Probed(t *testing.T) { check(t, 4, 2) }

func check(t *testing.T, n, probed int) {
	sorted, places := Sort(n, probed)
	if len(sorted) != n || !slices.IsSorted(sorted) {
		t.Errorf("got %v", sorted)
	}
	if len(places) != probed || !slices.IsSorted(places) {
		t.Errorf("got places %v", places)
	}
}
