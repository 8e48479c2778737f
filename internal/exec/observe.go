package exec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/report"
)

// built is one side, built.
type built struct {
	Package
	at   located
	lent map[string][]byte // files of the other side that it needs
}

// side is one harness.
type side struct {
	built
	harness string
	name    string // as the user has named the package
}

// observed is what the exploration of an observer has come to.
type observed struct {
	Verdict    report.Verdict
	Complete   bool
	Reason     string
	Executions int
	Findings   []struct{ Kind, Message, Schedule string }
	Fixed      []struct{ What string }
}

// unproven says why no test can tell two sides apart that are different; empty: one can.
func unproven(pass, fail observed) string {
	panics := len(pass.Findings) > 0
	for _, f := range pass.Findings {
		panics = panics && f.Kind == "panic"
	}
	switch {
	case panics:
		return "the side that lacks the path panics in a goroutine of its own, so no test passes on it"
	case fail.Verdict == report.Pass && len(fail.Fixed) > 0:
		return fail.Fixed[0].What + ", fixed here, are others in the test; //rehearse:name marks a type whose values are only compared"
	}
	return ""
}

// confirm runs the observer of a difference on both sides, and saves it: it passes on the side that
// lacks the path, in every order, and fails on the one that has it.
func (r *Refining) confirm(lacks, has side, into built, d *refine.Difference, of *refine.Interface, suffix string) error {
	passing, err := refine.NewObserver(d, of, lacks.harness, suffix, lacks.name, r.Client)
	if err != nil {
		return err
	}
	pass, err := r.observe(lacks.built, passing, false)
	if err != nil {
		return err
	}
	o, err := refine.NewObserver(d, of, has.harness, suffix, lacks.name, r.Client)
	if err != nil {
		return err
	}
	fail, err := r.observe(has.built, o, true)
	if err != nil {
		return err
	}
	if d.Unproven = unproven(pass, fail); d.Unproven != "" {
		return nil
	}
	if pass.Verdict != report.Pass || !pass.Complete || fail.Verdict != report.Fail {
		return fmt.Errorf("the difference could not be confirmed, which is a defect of rehearse: the observer's result is %s on the side that lacks the path (complete: %t %s), and %s on the other one\n%s",
			pass.Verdict, pass.Complete, pass.Reason, fail.Verdict, o.Text)
	}
	d.Passes, d.Fails = pass.Executions, fail.Executions
	return r.save(has.built, into, o, d, has.harness, suffix, fail)
}

// observe explores an observer on one side.
func (r *Refining) observe(on built, o *refine.Observer, failFast bool) (out observed, err error) {
	added := maps.Clone(on.lent)
	if added == nil {
		added = map[string][]byte{}
	}
	added[filepath.Join(on.Dir, o.File)] = o.Text
	with := *options.Default()
	with.Tags, with.Race, with.P, with.Model, with.Seed = r.Tags, r.Race, r.P, r.Model, r.Seed
	patterns := []string{on.at.pattern}
	list, err := r.building(func() ([]Package, error) { return BuildAdded(on.at.dir, &with, patterns, added) }, &with, on.at.dir, patterns)
	if err != nil {
		return out, fmt.Errorf("building the observer: %w\n%s", err, o.Text)
	}
	if len(list) != 1 || list[0].Binary == "" {
		return out, errors.New("building the observer: the package has no tests")
	}
	with.Run, with.JSON, with.FailFast, with.Timeout = "^"+o.Test+"$", true, failFast, r.Timeout
	var text bytes.Buffer
	if _, err := Run(list[0].Binary, with.Encode(), &text, io.Discard); err != nil {
		return out, err
	}
	lines := bufio.NewScanner(&text)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var line struct {
			Action string
			observed
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Action == "result" {
			return line.observed, nil
		}
	}
	return out, fmt.Errorf("the observer has no result: %s", text.Bytes())
}

// save puts the observer, and the schedule of an execution in which it fails, below
// testdata/rehearse of the package, or of the current directory if that is no package of the
// user's.
func (r *Refining) save(has, into built, o *refine.Observer, d *refine.Difference, harness, suffix string, fail observed) error {
	dir := into.Dir
	if !into.at.users {
		dir = "."
	}
	dir = filepath.Join(relative(dir), "testdata", "rehearse", harness)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	d.Observer = filepath.Join(dir, o.Hash+suffix+"_test.go")
	if err := os.WriteFile(d.Observer, o.Text, 0o666); err != nil {
		return err
	}
	if len(fail.Findings) > 0 && fail.Findings[0].Schedule != "" {
		from := filepath.Join(has.Dir, filepath.FromSlash(fail.Findings[0].Schedule))
		to := filepath.Join(dir, o.Hash+suffix+".sched")
		if err := os.Rename(from, to); err == nil {
			os.Remove(filepath.Dir(from)) // if it is empty
			d.Schedule = to
		}
	}
	if r.Write && into.at.users {
		d.Kept = filepath.Join(relative(into.Dir), o.File)
		return os.WriteFile(d.Kept, o.Text, 0o666)
	}
	return nil
}

// relative is a directory as seen from the current one, if it is below.
func relative(dir string) string {
	here, err := os.Getwd()
	if err != nil {
		return dir
	}
	if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return dir
}
