package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Schedule is a schedule file and the package that it belongs to.
type Schedule struct {
	File     string // absolute
	Dir      string // where Patterns are meant
	Patterns []string
	Model    string // the delivery model that it was made under
	Control  string // the dependencies that were under control, a comma list
	// the test that it is of, if that is an observer that rehearse refine has not made a test of
	// the package: by path
	Added map[string][]byte
}

// named is the import path that go gives to a program named by its files: no package can be found
// by it.
const named = "command-line-arguments"

// FindSchedule reads a schedule file and finds its package, unless the user has named it. It is the
// directory above testdata/rehearse, or else the import path in the schedule's header, from the
// current directory.
func FindSchedule(name string, patterns []string) (*Schedule, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w; rehearse test prints the names of the schedules that it saves",
			err)
	}
	header, err := trace.ParseSchedule(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file, err := filepath.Abs(name)
	s := &Schedule{file, ".", patterns, header.Model, header.Control, nil}
	switch dir := packageDir(file); {
	case len(patterns) > 0:
	case header.Package == named:
		return nil, fmt.Errorf(
			"%s: it belongs to a program that is named by its files; name them after the schedule",
			name)
	case dir != "" && !strings.Contains(filepath.ToSlash(file),
		"/testdata/rehearse/"+header.Package+"/"):
		s.Dir, s.Patterns = dir, []string{"."}
	default:
		s.Patterns = []string{header.Package}
	}
	s.addObserver()
	return s, err
}

// addObserver finds the observer beside a schedule.
func (s *Schedule) addObserver() {
	beside := strings.TrimSuffix(s.File, ".sched")
	text, err := os.ReadFile(beside + "_test.go")
	place := filepath.Join(packageDir(s.File), "refine_"+filepath.Base(beside)+"_test.go")
	if err != nil {
		return
	}
	if _, err := os.Stat(place); err != nil {
		s.Added = map[string][]byte{place: text}
	}
}

// packageDir is the directory that a schedule is saved under:
// DIR/testdata/rehearse/TEST/HASH.sched, where TEST may have several elements. It is empty for a
// file in another place.
func packageDir(file string) string {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		parent := filepath.Dir(dir)
		if filepath.Base(dir) == "rehearse" && filepath.Base(parent) == "testdata" {
			return filepath.Dir(parent)
		}
	}
	return ""
}
