package exec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/handoff"
	"github.com/rehearse-go/rehearse/explore/options"
)

// GoOn returns the package that goes on with the work that p's binary has left in a file. That is p
// in a new process, or p built once more, with the dependencies under control that the binary has
// asked for: their variables made executions differ. patterns are those that p was found by. If
// that cannot be done, the error says why, and the result is p. Afterwards the file says what is
// under control.
func (p Package) GoOn(o *options.Options, patterns []string, file string) (Package, error) {
	left, err := handoff.Read(file)
	if err != nil || left.Fresh {
		return p, err
	}
	left.Control = slices.DeleteFunc(left.Control, func(path string) bool {
		_, trusted := o.Trust.Match(path)
		return trusted
	})
	q, err := p.controlled(o, patterns, left.Control)
	if err != nil {
		left.Control = nil
	}
	return q, errors.Join(err, left.Write(file))
}

// controlled builds p with more dependencies under control.
func (p Package) controlled(o *options.Options, patterns, control []string) (Package, error) {
	if !isFiles(patterns) {
		patterns = []string{p.Path}
	}
	more := *o
	more.Control = slices.Concat(o.Control, control)
	packages, err := Build(".", &more, patterns)
	if err != nil {
		return p, fmt.Errorf("%s cannot be built with its dependencies under control: %w", p.Path,
			err)
	}
	i := slices.IndexFunc(packages, func(q Package) bool { return q.Path == p.Path })
	if i < 0 {
		return p, fmt.Errorf("%s has gone", p.Path)
	}
	return packages[i], nil
}
