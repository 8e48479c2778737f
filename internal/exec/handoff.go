package exec

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/rehearse-go/rehearse/explore/options"
)

// GoOn builds p once more, with the dependencies under control that its binary has asked for in a
// file: their variables made executions differ. patterns are those that p was found by. If that
// cannot be done, the error says why, and the result is p. Afterwards the file says what is under
// control, and the binary of the result goes on.
func (p Package) GoOn(o *options.Options, patterns []string, file string) (Package, error) {
	asked, err := readHandoff(file)
	if err != nil {
		return p, err
	}
	asked.control = slices.DeleteFunc(asked.control, func(path string) bool {
		_, trusted := o.Trust.Match(path)
		return trusted
	})
	q, err := p.controlled(o, patterns, asked.control)
	if err != nil {
		asked.control = nil
	}
	return q, errors.Join(err, asked.write(file))
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

// handoff is a session.Handoff, of which only the dependencies matter here.
type handoff struct {
	control []string
	fields  map[string]json.RawMessage
}

func readHandoff(file string) (*handoff, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	h := &handoff{}
	if err := json.Unmarshal(text, &h.fields); err != nil {
		return nil, err
	}
	return h, json.Unmarshal(h.fields["Control"], &h.control)
}

func (h *handoff) write(file string) (err error) {
	if h.fields["Control"], err = json.Marshal(h.control); err != nil {
		return err
	}
	text, err := json.Marshal(h.fields)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
