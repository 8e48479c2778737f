package library

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Picks reports whether a process is calling for which the order of a map is a choice.
func Picks() bool { return world.W.Hidden.Maps && world.W.Current() != nil }

// PickOf chooses one of n alternatives, which texts describes.
func PickOf(n int, texts func() []string) int {
	var list []string
	if n > 1 && world.W.Sites() {
		list = texts()
	}
	p := world.W.Enter()
	i := world.W.Hidden.Choose(p, &world.Scratch(p).Hidden, trace.Pick, n, 0, n,
		func(i int) string { return list[i] })
	p.Leave()
	return i
}

// Reversed chooses whether n keys, which are too many for all their orders, come in the reverse
// order.
func Reversed(n int) bool {
	p := world.W.Enter()
	is := world.W.Hidden.Reverse(p, &world.Scratch(p).Hidden)
	p.Leave()
	return is
}

// UsualOrder notes that keys, more than one and sorted, come in the usual order, if that is no
// choice, and returns them in it.
func UsualOrder[E any](list []E) []E {
	p := world.W.Enter()
	first := world.W.Hidden.Order(p, len(list))
	p.Leave()
	if first == 0 {
		return list
	}
	return slices.Concat(list[first:], list[:first])
}

// Insertions notes that added keys have not been produced.
func Insertions() {
	p := world.W.Enter()
	world.W.Hidden.Insertions()
	p.Leave()
}
