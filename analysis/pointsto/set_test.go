package pointsto

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/tools/container/intsets"
)

// TestSet compares the operations on random sets with those of another implementation.
func TestSet(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		x, mx := randomSet(t, r)
		y, my := randomSet(t, r)
		var less, both intsets.Sparse
		less.Difference(mx, my)
		both.Union(mx, my)
		same(t, "x", x, mx)
		same(t, "x without y", x.without(y, nil), &less)
		same(t, "x and y", slices.Clone(x).union(y), &both)
		for _, e := range both.AppendTo(nil) {
			if x.has(wordOf(int32(e))) != mx.Has(e) {
				t.Fatalf("x has %d: %v", e, !mx.Has(e))
			}
		}
		same(t, "x without y, in place", x.without(y, x[:0]), &less)
	}
}

func randomSet(t *testing.T, r *rand.Rand) (set, *intsets.Sparse) {
	t.Helper()
	var s set
	m, size, limit := new(intsets.Sparse), r.IntN(100), 1+r.Int32N(10_000)
	for range size {
		e := 1 + r.Int32N(limit)
		next, isNew := s.insert(wordOf(e))
		if isNew != m.Insert(int(e)) {
			t.Fatalf("inserting %d is new: %v", e, isNew)
		}
		s = next
	}
	return s, m
}

func same(t *testing.T, what string, got set, want *intsets.Sparse) {
	t.Helper()
	var elements []int
	for _, e := range got.elements(nil) {
		elements = append(elements, int(e))
	}
	if !slices.Equal(elements, want.AppendTo(nil)) {
		t.Fatalf("%s: %v, want %v", what, elements, want)
	}
	for i, w := range got {
		if w.bits == 0 || i > 0 && got[i-1].at >= w.at {
			t.Fatalf("%s: word %d of %v", what, i, got)
		}
	}
}
