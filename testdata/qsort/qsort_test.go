package qsort

import (
	"slices"
	"testing"
)

func TestQSort3(t *testing.T) { check(t, 3) }
func TestQSort5(t *testing.T) { check(t, 5) }
func TestQSort6(t *testing.T) { check(t, 6) }

func check(t *testing.T, n int) {
	if got := Run(n); len(got) != n || !slices.IsSorted(got) {
		t.Errorf("got %v", got)
	}
}
