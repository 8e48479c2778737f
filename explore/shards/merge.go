package shards

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/items"
)

// Merged is the result of all shards of a run.
type Merged struct {
	Header            // that of shard 1
	Packages []Joined // by import path
}

// Joined is one package of them.
type Joined struct {
	Section          // that of shard 1
	Shards  [][]Test // the tests of each shard
}

// Merge puts part files together. It is an error, which says what to do, if they are not all parts
// of one run.
func Merge(paths []string) (*Merged, error) {
	files, err := readAll(paths)
	if err != nil {
		return nil, err
	}
	m := &Merged{Header: files[0].Header}
	for i, s := range files[0].Sections {
		j := Joined{Section: s}
		for _, f := range files {
			if err := unlike(files[0], f, i); err != nil {
				return nil, err
			}
			j.Shards = append(j.Shards, f.Sections[i].Tests)
		}
		m.Packages = append(m.Packages, j)
	}
	return m, nil
}

// readAll reads the files of all shards, ordered by number.
func readAll(paths []string) ([]*File, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("merge: name the part files of all shards")
	}
	var files []*File // by number of the shard
	for _, path := range paths {
		f, err := read(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if files == nil {
			files = make([]*File, f.Shard.N)
		}
		at := f.Shard.I - 1
		switch {
		case f.Shard.N != len(files):
			return nil, fmt.Errorf("%s is part %v, and %s is one of %d parts: "+
				"merge the parts of one run", path, f.Shard, paths[0], len(files))
		case files[at] != nil:
			return nil, fmt.Errorf("part %v is there twice, %s and %s: leave one out",
				f.Shard, files[at].Path, path)
		}
		files[at] = f
	}
	for i, f := range files {
		if f == nil {
			return nil, fmt.Errorf("part %v is missing: explore it with -shard %v, "+
				"and merge all parts", Shard{i + 1, len(files)}, Shard{i + 1, len(files)})
		}
		if err := f.complete(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// complete reports whether a file has all packages of its run.
func (f *File) complete() error {
	for _, path := range f.Packages {
		if !slices.ContainsFunc(f.Sections, func(s Section) bool { return s.Key.Package == path }) {
			return fmt.Errorf("%s: part %v has not come to its end, %s is not in it: "+
				"explore it again", f.Path, f.Shard, path)
		}
	}
	return nil
}

// unlike says in what section i of two files differs, nil if the two go together.
func unlike(a, b *File, i int) error {
	differ := func(format string, args ...any) error {
		return fmt.Errorf("parts %v and %v differ in %s: explore all shards with the same code, "+
			"flags and version of Go", a.Shard, b.Shard, fmt.Sprintf(format, args...))
	}
	if !slices.Equal(packages(a), packages(b)) {
		return differ("their packages, %s and %s", strings.Join(packages(a), " "),
			strings.Join(packages(b), " "))
	}
	s, t := &a.Sections[i], &b.Sections[i]
	switch what, is, others := s.Key.Part(t.Key); {
	case is != others:
		return differ("the %s of %s: %s and %s", what, s.Key.Package, is, others)
	case what != "":
		return differ("the %s of %s", what, s.Key.Package)
	}
	same := func(a, b Test) bool { return a.Name == b.Name }
	if !slices.EqualFunc(s.Tests, t.Tests, same) {
		return differ("the tests of %s", s.Key.Package)
	}
	for k, u := range s.Tests {
		v := t.Tests[k]
		if u.Whole == "" && v.Whole == "" && !bytes.Equal(u.Plan, v.Plan) {
			return fmt.Errorf("parts %v and %v have different plans for %s of %s: "+
				"the test does not do the same on each machine", a.Shard, b.Shard, u.Name,
				s.Key.Package)
		}
	}
	return nil
}

// packages lists the import paths of a file's sections.
func packages(f *File) (list []string) {
	for _, s := range f.Sections {
		list = append(list, s.Key.Package)
	}
	return list
}

// Find returns a package by its import path, nil if there is none.
func (m *Merged) Find(path string) *Joined {
	for i := range m.Packages {
		if m.Packages[i].Key.Package == path {
			return &m.Packages[i]
		}
	}
	return nil
}

var errUnlike = errors.New("the test does not do the same in the process of each shard")

// Rest returns the keeper of the items that the shards of a test have left, if any. It is an error
// if the test is to be explored in another way.
func Rest(parts []Test) (*items.Keeper, error) {
	if len(parts) == 0 || parts[0].Begun == nil {
		return nil, errDamaged
	}
	k, err := items.Restore(parts[0].Begun)
	if err != nil {
		return nil, err
	}
	var others []items.Saved
	for i := range parts {
		if parts[i].Check != parts[0].Check {
			return nil, errUnlike
		}
		others = append(others, parts[i].Left)
	}
	k.Join(others)
	return k, nil
}

// Test returns the results of the shards for a test; nil if they have not divided it.
func (j *Joined) Test(name string) (parts []Test) {
	for _, tests := range j.Shards {
		i := slices.IndexFunc(tests, func(t Test) bool { return t.Name == name })
		if i < 0 || tests[i].Whole != "" {
			return nil
		}
		parts = append(parts, tests[i])
	}
	return parts
}
