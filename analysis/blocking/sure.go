package blocking

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// Place is where a check has a finding.
type Place struct {
	Check string
	Pos   token.Pos
}

// Sure runs one function as a scope, whatever file it is in, and returns its findings of level 1.
// Tests compare them with what rehearse test finds there.
func Sure(prog *skeleton.Program, root *ssa.Function) []Place {
	s := newScope(prog, root)
	s.explore(standard)
	var out []Place
	for _, w := range s.found {
		if w.why == "" {
			out = append(out, Place{w.check, w.position()})
		}
	}
	return out
}
