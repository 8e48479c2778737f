// Package schedules keeps saved orders in files of a package's directory, and follows them in a
// program that may have been edited since.
package schedules

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"sort"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Store is where the schedules of a package's tests are saved.
type Store struct {
	dir   string // of the package, absolute
	below string // relative to dir, with slashes; empty: testdata/rehearse
}

// NewStore returns the store of a package in dir whose schedules are in below, relative to it and
// with slashes; empty: in testdata/rehearse.
func NewStore(dir, below string) Store { return Store{dir, cmp.Or(below, "testdata/rehearse")} }

// DirOf is the directory of a test's saved schedules, relative to the package's, with slashes. That
// of no test has the others in it.
func (s Store) DirOf(test string) string { return path.Join(s.below, test) }

// Path is the absolute path of a file of the package.
func (s Store) Path(file string) string { return filepath.Join(s.dir, filepath.FromSlash(file)) }

// List lists the files of a test's schedules, relative to the package's directory, with slashes.
func (s Store) List(test string) []string {
	dir := s.DirOf(test)
	entries, err := os.ReadDir(s.Path(dir))
	if err != nil {
		return nil // there is none yet
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && path.Ext(e.Name()) == ".sched" {
			files = append(files, path.Join(dir, e.Name()))
		}
	}
	sort.Strings(files)
	return files
}

// Read reads a schedule of the package.
func (s Store) Read(file string) (*trace.Schedule, error) {
	return ReadFile(s.Path(file))
}

// ProblemOf is what a schedule was saved for.
func ProblemOf(sched *trace.Schedule) explore.Problem {
	return explore.Problem{Kind: explore.FindingKind(sched.Finding), Message: sched.Message}
}

// ReadFile is without the file's name in its errors.
func ReadFile(file string) (*trace.Schedule, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return trace.ParseSchedule(data)
}

// Saved is a schedule as its file has it.
type Saved struct {
	test, hash string
	content    []byte
}

// AsSaved is s as its file has it, also when s changes later.
func AsSaved(s *trace.Schedule) *Saved {
	return &Saved{test: s.Test, hash: s.Hash(), content: s.Format()}
}

// Save writes a schedule to its place and returns the file, relative to the package's directory,
// with slashes. The file appears at once or not at all.
func (s Store) Save(sched *Saved) (string, error) {
	file := path.Join(s.DirOf(sched.test), sched.hash+".sched")
	full := s.Path(file)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(filepath.Dir(full), ".tmp-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temp.Name()) // fails when all went well
	_, err = temp.Write(sched.content)
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(temp.Name(), 0o666)
	}
	if err == nil {
		err = os.Rename(temp.Name(), full)
	}
	return file, err
}
