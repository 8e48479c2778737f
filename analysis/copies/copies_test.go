package copies

import (
	"cmp"
	"math/rand/v2"
	"testing"
)

// graph is a random graph of values: of each value, those that it is made of. Value 0 is nil.
type graph struct {
	from [][]int
	part []bool
}

type partPlace struct{ of any }

func (g *graph) From(v int) []int     { return g.from[v] }
func (g *graph) IsPart(v int) bool    { return g.part[v] }
func (g *graph) IsNil(v int) bool     { return v == 0 }
func (g *graph) Origin(v int) any     { return v }
func (g *graph) PartOf(whole any) any { return partPlace{whole} }
func (g *graph) Compare(a, b int) int { return cmp.Compare(a, b) }

func random(rng *rand.Rand, parts bool) *graph {
	const most = 10
	n := 2 + rng.IntN(most)
	g := &graph{make([][]int, n), make([]bool, n)}
	for v := 1; v < n; v++ {
		for range rng.IntN(4) {
			g.from[v] = append(g.from[v], rng.IntN(n))
		}
		if parts && len(g.from[v]) == 1 && g.from[v][0] != v && rng.IntN(3) == 0 {
			g.part[v] = true
		}
	}
	return g
}

// reaches reports whether a path leads from an origin to v, but not by way of without.
func (g *graph) reaches(v, without int, seen map[int]bool) bool {
	if v == without || v == 0 || seen[v] {
		return false
	}
	seen[v] = true
	for _, x := range g.from[v] {
		if g.reaches(x, without, seen) {
			return true
		}
	}
	return len(g.from[v]) == 0
}

// place is the definition: all that gets to v has been at the place of v, and no other value is on
// all ways from the origins to the place.
func (g *graph) place(v int) int {
	for at := range g.from {
		if at == 0 || at != v && g.reaches(v, at, map[int]bool{}) {
			continue
		}
		top := true
		for x := range g.from {
			if x != 0 && x != at && !g.reaches(at, x, map[int]bool{}) {
				top = false
			}
		}
		if top {
			return at
		}
	}
	return -1
}

// isLoose reports whether no origin leads to some value.
func (g *graph) isLoose() bool {
	for v := 1; v < len(g.from); v++ {
		if !g.reaches(v, -1, map[int]bool{}) {
			return true
		}
	}
	return false
}

// TestPlaces compares the places of random graphs with the definition.
func TestPlaces(t *testing.T) {
	circles := 0
	for seed := range uint64(4000) {
		g := random(rand.New(rand.NewPCG(seed, 0)), false)
		if g.isLoose() {
			continue
		}
		table := New[int](g)
		for v := len(g.from) - 1; v > 0; v-- {
			if got, want := table.Of(v), g.place(v); got != want {
				t.Fatalf("seed %d: %d of %v has place %v, want %d", seed, v, g.from, got, want)
			}
			if g.place(v) != v {
				circles++
			}
		}
	}
	if circles < 1000 {
		t.Errorf("only %d values with another place", circles)
	}
}

// TestOrder asks for the places of random graphs with parts in another order.
func TestOrder(t *testing.T) {
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := random(rng, true)
		a, b := New[int](g), New[int](g)
		for v := range g.from {
			a.Of(v)
		}
		for _, v := range rng.Perm(len(g.from)) {
			if x, y := a.Of(v), b.Of(v); x != y {
				t.Fatalf("seed %d: %d of %v, %v has place %v, in another order %v", seed, v, g.from,
					g.part, x, y)
			}
		}
	}
}
