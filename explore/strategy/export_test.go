package strategy

import (
	"fmt"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// SetWide sets from how many alternatives on nodes do not keep them, and returns what it was.
func SetWide(n int) (before int) {
	before, wide = wide, n
	return before
}

func Dump(s any) {
	d, ok := s.(*Optimal)
	if !ok {
		return
	}
	for i, n := range d.stack {
		if n.index == unknown {
			println("  next", i, show(n.next))
		}
		for _, w := range n.tree {
			println("  tree", i, show(w))
		}
	}
}

func show(w *wake) string {
	s := fmt.Sprintf("%d.%v/%d>%d/%d", w.Proc, w.event.Kind, w.Case, w.Partner, w.PartnerCase)
	if w.loose {
		s += "?"
	}
	if len(w.children) == 0 {
		return s
	}
	s += " ["
	for _, c := range w.children {
		s += show(c) + "; "
	}
	return s + "]"
}

// Prefer makes s go on, where nothing else decides, with the first alternative from number (shift + depth * step) on
// that it may take.
func (d *Optimal) Prefer(shift, step int) {
	d.prefer = func(s *trace.State, skip func(i int) bool) int {
		for i := range s.Alts {
			if k := (i + shift + step*s.Depth) % len(s.Alts); !skip(k) {
				return k
			}
		}
		return -1
	}
}
