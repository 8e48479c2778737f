package shards

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
)

// Header is what a part file says of its run.
type Header struct {
	Shard    Shard
	Patterns []string // of the packages, as the user has named them
	Packages []string // import paths of all that the run explores
	Build    []string // flags for building the packages
	Sections int      // that the file has
}

// Section is the result of a shard for one package.
type Section struct {
	Key   journal.Key // of all tests
	Flags []string    // flags for exploring the package
	Args  []string    // arguments of the tests themselves
	Tests []Test
}

// Test is the result of a shard for one test.
type Test struct {
	Name string
	// the reason why the search is not divided; then all fields below are empty. Empty: it is
	// divided
	Whole    string
	Plan     []byte       // its hash
	Begun    *items.Saved // the plan itself; nil but for shard 1
	Check    uint64       // of the executions of the plan, see divide.Report
	Part     explore.Part
	Elapsed  time.Duration
	Ordinary *sections.Ordinary // see divide.Task
	Left     items.Saved        // what is known at the end; nothing is open in it
}

// magic begins a part file.
const magic = "rehearse part 1\n"

// The kinds of records.
const (
	header  byte = 1
	section byte = 2
)

// File is a part file.
type File struct {
	Path string
	Header
	Sections []Section // by import path
}

// errDamaged is the error for a file that is no part file, or is not whole.
var errDamaged = errors.New("it is no part file, or is damaged: explore the shard again")

// Create writes a part file without sections.
func Create(path string, h Header) error {
	f := File{Path: path, Header: h}
	return f.write()
}

// Add adds a section to the file at path, in the place of a section of the same package. If there
// is no file of the shard, Add makes one with header h.
func Add(path string, h Header, s Section) error {
	f, err := read(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && f.Shard != h.Shard {
		f, err = &File{Path: path, Header: h}, nil
	}
	if err != nil {
		return fmt.Errorf("-part %s: %w", path, err)
	}
	f.Sections = slices.DeleteFunc(f.Sections, func(old Section) bool {
		return old.Key.Package == s.Key.Package
	})
	f.Sections = append(f.Sections, s)
	slices.SortFunc(f.Sections, func(a, b Section) int {
		return strings.Compare(a.Key.Package, b.Key.Package)
	})
	return f.write()
}

func (f *File) write() error {
	text := []byte(magic)
	add := func(kind byte, v any) error {
		record, err := journal.Encode(kind, v)
		text = append(text, record...)
		return err
	}
	f.Header.Sections = len(f.Sections)
	err := add(header, f.Header)
	for i := range f.Sections {
		err = errors.Join(err, add(section, &f.Sections[i]))
	}
	if err == nil {
		err = journal.Replace(f.Path, text)
	}
	if err != nil {
		return fmt.Errorf("-part %s: %w", f.Path, err)
	}
	return nil
}

// read reads a part file. Its errors do not name the file.
func read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, err
	}
	f, err := decode(text)
	if err == nil {
		f.Path = path
	}
	return f, err
}

func decode(text []byte) (*File, error) {
	rest, ok := strings.CutPrefix(string(text), magic)
	f := &File{}
	for left := []byte(rest); ok && len(left) > 0; {
		kind, payload, after, whole := journal.Next(left)
		first := len(left) == len(rest)
		switch {
		case !whole, first != (kind == header):
			return nil, errDamaged
		case first:
			ok = journal.Decode(payload, &f.Header) == nil
		case kind == section:
			var s Section
			ok = journal.Decode(payload, &s) == nil && s.fits()
			f.Sections = append(f.Sections, s)
		}
		left = after
	}
	_, err := Parse(f.Shard.String())
	if !ok || err != nil || len(f.Sections) != f.Header.Sections {
		return nil, errDamaged
	}
	return f, nil
}

// fits reports whether what has been read can be gone on with.
func (s *Section) fits() bool {
	return !slices.ContainsFunc(s.Tests, func(t Test) bool {
		return len(t.Part.Keys) != len(t.Part.Outcomes) || len(t.Left.Open) > 0
	})
}
