package exec

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Schedule is a schedule file and the package that it belongs to.
type Schedule struct {
	File    string // absolute
	Dir     string // where Pattern is meant
	Pattern string // of the package
}

// named is the import path that go gives to a program named by its files: no package can be found by it.
const named = "command-line-arguments"

// FindSchedule reads a schedule file, and finds its package: the directory above testdata/rehearse, or else the
// import path in its header, from the current directory.
func FindSchedule(name string) (*Schedule, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w; rehearse test prints the names of the schedules that it saves", err)
	}
	header, err := trace.ParseSchedule(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if header.Package == named {
		return nil, errors.New(name + ": it belongs to a program named by its files; use rehearse build -o FILE, and then FILE -replay")
	}
	if dir, ok := packageDir(file); ok {
		return &Schedule{file, dir, "."}, nil
	}
	here, err := os.Getwd()
	return &Schedule{file, here, header.Package}, err
}

// packageDir is the directory that a schedule is saved under: DIR/testdata/rehearse/TEST/HASH.sched. The name of a
// subtest has more than one element.
func packageDir(file string) (string, bool) {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		parent := filepath.Dir(dir)
		if filepath.Base(dir) == "rehearse" && filepath.Base(parent) == "testdata" {
			return filepath.Dir(parent), true
		}
	}
	return "", false
}
