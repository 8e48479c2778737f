package refine

import (
	"slices"
	"strings"
)

// instead says what the other side shows in the place of a path's last step; empty: nothing.
func instead(other *View, path Path) string {
	last, sent := path[len(path)-1], uint64(0)
	for _, step := range path {
		if step.in >= 0 {
			sent |= 1 << step.in
		}
	}
	var values []string
	for _, p := range other.Pomsets {
		if !begins(p, path[:len(path)-1], sent) {
			continue
		}
		for _, o := range p.Outputs {
			if o.Port == last.Port && o.Seq == last.seq && o.Needs&^sent == 0 && !slices.Contains(values, o.Value.Shown()) {
				values = append(values, o.Value.Shown())
			}
		}
	}
	slices.Sort(values)
	return strings.Join(values, " or ")
}

// begins reports whether a pomset has the outputs of a path, as far as their texts are concerned.
func begins(p Pomset, path Path, sent uint64) bool {
	for _, step := range path {
		if step.in < 0 && !slices.ContainsFunc(p.Outputs, func(o Output) bool {
			return o.Port == step.Port && o.Seq == step.seq && o.Value.Text == step.out.Text && o.Needs&^sent == 0
		}) {
			return false
		}
	}
	return true
}
