package rewrite

import (
	"github.com/rehearse-go/rehearse/rewrite/rounds"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Output is the result of Package.
type Output struct {
	Files   map[string][]byte // the rewritten files, by name
	Changed []string          // their names, in the order of Input.Files
	// with Input.Twins: the go statements of loops, inner loops after outer ones
	Spawns []Spawn
	// what is known of the loops of each file, by name: see rounds.Table
	Loops map[string]string
}

// Package rewrites the operations of a package. The error, if not nil, is an ErrorList that says
// what cannot be rewritten; the output then lacks the files that have those operations.
func Package(in *unit.Input) (*Output, error) {
	out := &Output{Files: make(map[string][]byte), Loops: make(map[string]string)}
	var errs unit.ErrorList
	names := unit.ChooseNames(in.Files)
	sealed := sealedIn(in)
	for i, syntax := range in.Files {
		f := newFile(in, syntax, names)
		f.mark(i)
		f.library.sealed = sealed
		f.rewrite()
		errs = append(errs, f.Errs...)
		if text := rounds.Table(f.File); text != "" {
			out.Loops[f.Path] = text
		}
		out.Spawns = append(out.Spawns, f.goroutines.spawns...)
		out.add(f)
	}
	return out, errs.Err()
}

// add takes over what became of f.
func (out *Output) add(f *file) {
	if f.Edits.Empty() || len(f.Errs) > 0 {
		return
	}
	out.Files[f.Path] = f.Edits.Bytes()
	out.Changed = append(out.Changed, f.Path)
}
