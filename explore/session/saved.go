package session

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sort"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// scheduleDir is the directory of a test's saved schedules, relative to the package's, with
// slashes.
func (s *suite) scheduleDir(test string) string {
	return path.Join(cmp.Or(s.pkg.Schedules, "testdata/rehearse"), test)
}

// savedSchedules lists the files of a test's schedules, relative to the package's directory, with
// slashes.
func (s *suite) savedSchedules(test string) []string {
	dir := s.scheduleDir(test)
	entries, err := os.ReadDir(filepath.Join(s.pkg.Dir, filepath.FromSlash(dir)))
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

// load reads a schedule and checks that it is one of the named test.
func (s *suite) load(file, test string) (*trace.Schedule, error) {
	sched, err := s.parse(file)
	switch {
	case err != nil:
		return nil, err
	case sched.Test != test:
		return nil, fmt.Errorf("it is a schedule of %s", sched.Test)
	}
	return sched, s.fits(sched)
}

// parse reads a schedule of the package.
func (s *suite) parse(file string) (*trace.Schedule, error) {
	return readSchedule(filepath.Join(s.pkg.Dir, filepath.FromSlash(file)))
}

// fits reports what speaks against running the schedule in this binary at all.
func (s *suite) fits(sched *trace.Schedule) error {
	if sched.Model != s.opts.Model {
		return fmt.Errorf("it was made with -model %s, and this is -model %s", sched.Model,
			s.opts.Model)
	}
	if missing := s.lacks(sched); missing != "" {
		return fmt.Errorf("it was made with -control %s", missing)
	}
	return nil
}

// savedProblem is what a schedule was saved for.
func savedProblem(sched *trace.Schedule) explore.Problem {
	return explore.Problem{Kind: explore.FindingKind(sched.Finding), Message: sched.Message}
}

// readSchedule is without the file's name in its errors.
func readSchedule(file string) (*trace.Schedule, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return trace.ParseSchedule(data)
}

// saved is a schedule as its file has it.
type saved struct {
	test, hash string
	content    []byte
}

func asSaved(s *trace.Schedule) *saved {
	return &saved{test: s.Test, hash: s.Hash(), content: s.Format()}
}

// save writes the schedule to its place and returns the file, relative to the package's directory,
// with slashes. The file appears at once or not at all.
func (s *suite) save(sched *saved) (string, error) {
	file := path.Join(s.scheduleDir(sched.test), sched.hash+".sched")
	full := filepath.Join(s.pkg.Dir, filepath.FromSlash(file))
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
