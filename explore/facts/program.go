package facts

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Version numbers the form of Program. A reader of another version must not use the facts.
const Version = 4

// Program is all facts about a program.
type Program struct {
	Version int
	// the directory to which the files of positions are relative, if that is not known otherwise
	Dir   string `json:",omitempty"`
	Stamp string `json:",omitempty"` // a fingerprint of the code that the facts are about
	Inventory
	Behaviours []Behaviour `json:",omitempty"` // parallel to Actors
	Calls      []Call      `json:",omitempty"` // what the chains are made of
	// goroutines that are no actors and send, or start others
	Sources []Target `json:",omitempty"`
	// Silent counts the goroutines that are no actors, tests among them, that Calls, Sources and
	// the targets of sends leave out.
	Silent int   `json:",omitempty"`
	Sums   []Sum `json:",omitempty"` // receives that take values in any order
}

// Sum is a group of receives. After several of them, one right after the other, the state of a
// process is the same for each order of their values.
type Sum struct {
	Receives []Pos
	Fact     string // what is done with the values: "total by +, failed by +"
}

// Encode returns p as it travels with a test binary, for code with that fingerprint.
func (p Program) Encode(stamp string) ([]byte, error) {
	p.Stamp = stamp
	return json.Marshal(p)
}

// Decode is the inverse of Encode. It is an error if the facts have another form, or are about
// other code.
func Decode(data []byte, stamp string) (p Program, err error) {
	if err = json.Unmarshal(data, &p); err != nil {
		return Program{}, fmt.Errorf(
			"the facts about the program cannot be read: %v; build it again",
			err)
	}
	switch {
	case p.Version != Version:
		return Program{}, fmt.Errorf(
			"the facts about the program have version %d, and not %d: build it again", p.Version,
			Version)
	case p.Stamp != stamp:
		return Program{}, fmt.Errorf(
			"the facts are about other code than this program is made from: build it again")
	case len(p.Behaviours) != len(p.Actors):
		return Program{}, fmt.Errorf(
			"the facts about the program are damaged: %d actors, and tasks of %d; build it again",
			len(p.Actors), len(p.Behaviours))
	}
	return p, nil
}

// Within returns the facts about the actors of those packages for which in is true, without what is
// for people only.
func (p Program) Within(in func(path string) bool) Program {
	out := p
	out.Inventory, out.Behaviours = Inventory{}, nil
	for i, a := range p.Actors {
		if in(a.Package) {
			out.Actors = append(out.Actors, a)
			out.Behaviours = append(out.Behaviours, p.Behaviours[i])
		}
	}
	out.Calls, out.Sources = slices.Clone(p.Calls), slices.Clone(p.Sources)
	return out
}
