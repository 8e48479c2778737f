package session

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/runtime/gate"
)

// prune runs the saved schedules of tests, and removes those that no longer apply: the program has
// changed so that there is no such order any more, or the test has gone. Those that were made with
// other flags stay.
func (s *suite) prune(tests []gate.Test) int {
	defer process.Mute()()
	removed, kept := 0, 0
	for _, t := range tests {
		e := s.newExploration(t, s.opts.MaxSteps)
		for _, file := range s.saved.List(t.Name) {
			if why := e.stale(file); why == nil {
				kept++
			} else if s.remove(file, why) {
				removed++
			}
		}
		e.raw.Close()
	}
	if s.opts.Run == "" && s.opts.Skip == "" {
		removed += s.removeOrphans(tests)
	}
	fmt.Fprintf(s.stdout, "%s\t%d of %d schedules removed\n", s.pkg.Path, removed, removed+kept)
	return s.worst
}

// stale says why a schedule no longer applies; nil if it does, or if that cannot be told with the
// present flags.
func (e *exploration) stale(file string) error {
	sched, err := e.suite.saved.Read(file)
	switch {
	case err != nil:
		return err
	case sched.Test != e.test.Name:
		return fmt.Errorf("it is a schedule of %s", sched.Test)
	case e.suite.fits(sched) != nil, e.stopped():
		return nil
	}
	defer e.suite.useSettings(sched)()
	defer e.follows()()
	_, f := schedules.Follow(e.Exec, sched, false)
	if e.stopped() {
		return nil
	}
	return f.Err
}

// remove removes a schedule and says why; it reports whether that could be done.
func (s *suite) remove(file string, why error) bool {
	full := s.saved.Path(file)
	if err := os.Remove(full); err != nil {
		s.worst = process.Worse(s.worst, s.complain(err))
		return false
	}
	os.Remove(filepath.Dir(full)) // if it is empty now
	fmt.Fprintf(s.stdout, "removed %s: %v\n", file, why)
	return true
}

// removeOrphans removes the schedules of tests that the package does not have any more, and returns
// their number.
func (s *suite) removeOrphans(tests []gate.Test) (removed int) {
	root := s.saved.DirOf("")
	// none: nothing is saved
	entries, _ := os.ReadDir(s.saved.Path(root))
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() ||
			slices.ContainsFunc(tests, func(t gate.Test) bool { return t.Name == name }) {
			continue
		}
		for _, file := range s.saved.List(path.Join(name)) {
			if s.remove(file, fmt.Errorf("there is no test %s", name)) {
				removed++
			}
		}
	}
	return removed
}
