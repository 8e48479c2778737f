package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/runtime/gate"
)

// pruner removes saved schedules.
type pruner struct{ *suite }

// prune runs the saved schedules of tests, and removes those that no longer apply: the changed
// program has no such order any more, or the test has gone. Schedules that were made with other
// flags stay.
func (p pruner) prune(tests []gate.Test) int {
	defer process.Mute()()
	removed, kept := 0, 0
	for _, t := range tests {
		e := p.newExploration(t, p.opts.MaxSteps)
		for _, file := range p.saved.List(t.Name) {
			if why := p.stale(e, file); why == nil {
				kept++
			} else if p.remove(file, why) {
				removed++
			}
		}
		e.raw.Close()
	}
	if p.opts.Run == "" && p.opts.Skip == "" {
		removed += p.removeOrphans(tests)
	}
	fmt.Fprintf(p.stdout, "%s\t%d of %d schedules removed\n", p.pkg.Path, removed, removed+kept)
	return p.worst
}

// stale says why a schedule no longer applies; nil if it applies, or if the present flags do not
// let it run.
func (p pruner) stale(e *exploration, file string) error {
	sched, err := p.saved.Read(file)
	switch {
	case err != nil:
		return err
	case sched.Test != e.test.Name:
		return fmt.Errorf("it is a schedule of %s", sched.Test)
	case p.fits(sched) != nil, e.stopped():
		return nil
	}
	defer p.Use(sched)()
	defer e.follows()()
	_, f := schedules.Follow(e.Exec, sched)
	if e.stopped() {
		return nil
	}
	return f.Err
}

// remove removes a schedule and says why; it reports whether that could be done.
func (p pruner) remove(file string, why error) bool {
	full := p.saved.Path(file)
	if err := os.Remove(full); err != nil {
		p.worst = process.Worse(p.worst, p.complain(err))
		return false
	}
	os.Remove(filepath.Dir(full)) // if it is empty now
	fmt.Fprintf(p.stdout, "removed %s: %v\n", file, why)
	return true
}

// removeOrphans removes the schedules of tests that the package does not have any more, and returns
// their number.
func (p pruner) removeOrphans(tests []gate.Test) (removed int) {
	root := p.saved.DirOf("")
	// none: nothing is saved
	entries, _ := os.ReadDir(p.saved.Path(root))
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() ||
			slices.ContainsFunc(tests, func(t gate.Test) bool { return t.Name == name }) {
			continue
		}
		for _, file := range p.saved.List(name) {
			if p.remove(file, fmt.Errorf("there is no test %s", name)) {
				removed++
			}
		}
	}
	return removed
}
