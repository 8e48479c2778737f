package refining

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
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// built is one side, built.
type built struct {
	exec.Package
	at   located
	lent loan // what it has of the other side
}

// side is one harness.
type side struct {
	built
	harness string
	name    string // as the user has named the package
	of      *refine.Interface
}

// found is a finding of an observer.
type found struct{ Kind, Message, Schedule string }

// observed is what the exploration of an observer has come to.
type observed struct {
	Verdict    report.Verdict
	Complete   bool
	Reason     string
	Executions int
	Findings   []found
	Fixed, Cut []struct{ What string }
}

// passes reports whether the observer passes in every order. endless says that in some orders the
// component goes on for ever while the observer waits: within the bound on steps, no path ends
// there. No more can be known of a component that never stops. If the clock was forced, processes
// that go on without end let others go first.
func (o observed) passes() (passes, endless bool) {
	if o.Verdict == report.Pass && o.Complete {
		return true, false
	}
	forced := o.cutBy(trace.ForcedMoves)
	for _, c := range o.Cut {
		if !strings.Contains(c.What, "the bound on steps") &&
			!strings.Contains(c.What, trace.ForcedMoves) &&
			!(forced && strings.Contains(c.What, "spin bound")) {
			return false, false
		}
	}
	return !o.fails() && len(o.Cut) > 0, true
}

// cutBy reports whether something with this text has cut executions.
func (o observed) cutBy(text string) bool {
	for _, c := range o.Cut {
		if strings.Contains(c.What, text) {
			return true
		}
	}
	return false
}

// fails reports whether the observer has seen the path.
func (o observed) fails() bool {
	seen := func(f found) bool { return f.Kind != string(explore.Livelock) }
	return o.Verdict == report.Fail &&
		(len(o.Findings) == 0 || slices.ContainsFunc(o.Findings, seen))
}

// drawn says that the path has random numbers, which are others in a test than in the comparison.
const drawn = ", fixed here, are others in the test; //rehearse:name marks a type whose values " +
	"are only compared"

// unproven says why no test can tell two sides apart that are different; empty: one can.
func unproven(pass, fail observed) string {
	ends := len(pass.Findings) > 0
	for _, f := range pass.Findings {
		ends = ends && (f.Kind == "panic" || strings.HasPrefix(f.Message, "exit status "))
	}
	if ends {
		return "the side that lacks the path panics in a goroutine of its own, or exits, " +
			"so no test passes on it"
	}
	for _, f := range fail.Fixed {
		if f.What == trace.RandomNumbers && fail.Verdict == report.Pass {
			return f.What + drawn
		}
	}
	if passes, endless := fail.passes(); passes && endless {
		return "the side that has the path goes on for ever, and in the orders that were run a test did not come to see it"
	}
	return ""
}

// probe is a difference whose observers are run: it passes on the side that lacks the path, in
// every order, and fails on the one that has it.
type probe struct {
	d          *refine.Difference
	lacks, has side
	suffix     string
	pass, fail *refine.Observer // the same, of the two harnesses
}

// write writes the observers.
func (p *probe) write(client string) (err error) {
	if p.pass, err = refine.NewObserver(p.d, p.lacks.of, p.lacks.harness, p.suffix, p.lacks.name,
		client); err != nil {
		return err
	}
	p.fail, err = refine.NewObserver(p.d, p.has.of, p.has.harness, p.suffix, p.lacks.name, client)
	return err
}

// confirm runs the observers of differences on both sides, and saves them. Those of one package are
// built together. It returns the differences of which the budget, or an interrupt, let nothing be
// said.
func (r *Request) confirm(probes []*probe, into built) (unsure []*refine.Difference, err error) {
	b := &bench{r: r}
	defer b.sweep()
	for _, p := range probes {
		if err := p.write(r.Client); err != nil {
			return nil, err
		}
		b.add(p.lacks.built, p.pass)
		b.add(p.has.built, p.fail)
	}
	for _, p := range probes {
		pass, fail, err := b.both(p)
		if err != nil && r.over(err) {
			unsure = append(unsure, p.d)
			continue
		} else if err != nil {
			return nil, err
		}
		if p.d.Unproven = unproven(pass, fail); p.d.Unproven != "" {
			if err := r.confirmDrawn(p, into); err != nil && !r.over(err) {
				return nil, err
			}
			continue
		}
		passes, endless := pass.passes()
		p.d.Endless = endless
		switch {
		case !passes && !pass.fails(), !fail.fails() && !fail.Complete:
			unsure = append(unsure, p.d)
			continue
		case !passes || !fail.fails():
			return nil, fmt.Errorf(
				"the difference could not be confirmed, which is a defect of rehearse: "+
					"the observer's result is %s on the side that lacks the path, and %s on the other one\n%s",
				pass.Verdict, fail.Verdict, p.fail.Text)
		}
		p.d.Passes, p.d.Fails = pass.Executions, max(fail.Executions, 1)
		if err := r.save(p.has.built, into, p.fail, p.d, p.has.harness, p.suffix,
			fail); err != nil {
			return nil, err
		}
	}
	return unsure, nil
}

// both runs the observers of p on both sides.
func (b *bench) both(p *probe) (pass, fail observed, err error) {
	if pass, err = b.observe(p.lacks.built, p.pass, p.d, false); err == nil {
		fail, err = b.observe(p.has.built, p.fail, p.d, true)
	}
	return pass, fail, err
}

// confirmLeft gives the notes on operations that NEW may leave for ever a schedule: of a test that
// performs the script and waits for the operation. The test passes on OLD in every order and fails
// on NEW; where it does not, the note stays without one.
func (r *Request) confirmLeft(before, after side, result *refine.Result) error {
	b := &bench{r: r}
	defer b.sweep()
	probes := map[int]*probe{}
	for i, left := range result.Left {
		p := &probe{d: left.Difference, lacks: before, has: after, suffix: "_left"}
		if left.Difference == nil || p.write(r.Client) != nil {
			continue
		}
		b.add(before.built, p.pass)
		b.add(after.built, p.fail)
		probes[i] = p
	}
	for i, left := range result.Left {
		p := probes[i]
		if p == nil || r.interrupted.Load() {
			continue
		}
		if _, err := r.confirmOne(b, p, after.built); err != nil && !r.over(err) {
			return err
		}
		if p.d.Schedule != "" {
			result.Notes[left.Note] += ": rehearse replay " + p.d.Schedule
		}
	}
	return nil
}

// confirmOne runs the observers of p. If the one passes on the side that lacks the path, in every
// order, and the other fails, they are saved.
func (r *Request) confirmOne(b *bench, p *probe, into built) (confirmed bool, err error) {
	pass, err := b.observe(p.lacks.built, p.pass, p.d, false)
	if err != nil {
		return false, err
	}
	if passes, endless := pass.passes(); !passes || endless {
		return false, nil
	}
	fail, err := b.observe(p.has.built, p.fail, p.d, true)
	if err != nil || !fail.fails() {
		return false, err
	}
	p.d.Passes, p.d.Fails = pass.Executions, max(fail.Executions, 1)
	return true, r.save(p.has.built, into, p.fail, p.d, p.has.harness, p.suffix, fail)
}

// confirmDrawn confirms a path whose last value is a random number: by an observer that looks for
// any value but those of the other side. If there is no such observer, what was said stays.
func (r *Request) confirmDrawn(p *probe, into built) error {
	if !strings.HasSuffix(p.d.Unproven, drawn) || !p.d.Otherwise() {
		return nil
	}
	if err := p.write(r.Client); err != nil {
		return err
	}
	b := &bench{r: r}
	defer b.sweep()
	b.add(p.lacks.built, p.pass)
	b.add(p.has.built, p.fail)
	confirmed, err := r.confirmOne(b, p, into)
	if p.d.Other = confirmed; confirmed {
		p.d.Unproven = ""
	}
	return err
}

// try runs the observer of a difference on the side that is said to lack its path.
func (r *Request) try(d *refine.Difference, lacks side) (refine.Tried, error) {
	p := &probe{d: d, lacks: lacks, has: lacks}
	if err := p.write(r.Client); err != nil {
		return refine.Unsure, err
	}
	b := &bench{r: r}
	defer b.sweep()
	b.add(lacks.built, p.pass)
	pass, err := b.observe(lacks.built, p.pass, d, false)
	if err != nil {
		return refine.Unsure, err
	}
	passes, endless := pass.passes()
	switch {
	case passes && endless:
		return refine.LackingSoFar, nil
	case passes:
		return refine.Lacking, nil
	case pass.fails():
		return refine.Having, nil
	}
	return refine.Unsure, nil
}

// Trial has a comparison of two harnesses of one package run observers where the executions that
// were explored do not decide, as the command does.
func Trial(c *refine.Comparison, in exec.Package, o options.Options) {
	r := &Request{Options: o, Client: c.Client}
	r.building = func(build func() ([]exec.Package, error), _ *options.Options, _ string,
		_ []string) ([]exec.Package, error) {
		return build()
	}
	both := built{Package: in, at: located{dir: in.Dir, pattern: "."}}
	c.Try = func(d *refine.Difference, newHas bool) (refine.Tried, error) {
		lacks := 1
		if newHas {
			lacks = 0
		}
		return r.try(d, side{both, c.Names[lacks], in.Path, c.Interface(lacks)})
	}
}

// bench builds observers, package by package, and runs them.
type bench struct {
	r    *Request
	list []*withObservers
	left []string // schedules that observers have saved
}

// sweep removes the schedules that nobody has taken, and the directories that are empty then.
func (b *bench) sweep() {
	for _, file := range b.left {
		os.Remove(file)
		for range 3 { // the test's, rehearse, testdata
			file = filepath.Dir(file)
			os.Remove(file)
		}
	}
}

// withObservers is a package with observers.
type withObservers struct {
	on    built
	files map[string][]byte
	pkg   exec.Package
}

// of is the package of a side.
func (b *bench) of(on built) *withObservers {
	for _, a := range b.list {
		if a.on.Dir == on.Dir && len(a.on.lent.files) == len(on.lent.files) {
			return a
		}
	}
	a := &withObservers{on: on, files: maps.Clone(on.lent.files)}
	if a.files == nil {
		a.files = map[string][]byte{}
	}
	b.list = append(b.list, a)
	return a
}

// add adds an observer to the package of a side, in the place of a file that -write has made of it.
// Two harnesses of one package have observers of one name.
func (b *bench) add(on built, o *refine.Observer) {
	files := b.of(on).files
	file := filepath.Join(on.Dir, o.File)
	if text, taken := files[file]; taken && !bytes.Equal(text, o.Text) {
		file = filepath.Join(on.Dir, fmt.Sprintf("refine_%s_test.go", strings.ToLower(o.Test)))
	}
	files[file] = o.Text
}

// farther is how many times the steps of the comparison an observer gets where the component has no
// end.
const farther = 4

// manyEndless executions of an observer of such a component are too many: it gets fewer steps then,
// as the scripts of the comparison do.
const manyEndless = 2000

// observe explores an observer of d on one side.
func (b *bench) observe(side built, o *refine.Observer, d *refine.Difference,
	failFast bool) (out observed, err error) {
	on, r := b.of(side), b.r
	with := *options.Default()
	with.Tags, with.Race, with.P, with.Model, with.Seed = r.Tags, r.Race, r.P, r.Model, r.Seed
	if r.Clock == "explore" { // as the comparison: a path may need a timer that fires early
		with.Clock = r.Clock
	}
	if on.pkg.Binary == "" {
		patterns := []string{on.on.at.pattern}
		build := func() ([]exec.Package, error) {
			return exec.BuildAdded(on.on.at.dir, &with, patterns, on.files)
		}
		list, err := r.building(build, &with, on.on.at.dir, patterns)
		if err != nil {
			return out, fmt.Errorf("building the observer: %w\n%s", err, o.Text)
		}
		if len(list) != 1 || list[0].Binary == "" {
			return out, errors.New("building the observer: the package has no tests")
		}
		on.pkg = list[0]
	}
	with.Run, with.JSON, with.FailFast, with.Timeout = "^"+o.Test+"$", true, failFast, r.Timeout
	defer func() {
		for _, f := range out.Findings {
			if f.Schedule != "" {
				b.left = append(b.left, filepath.Join(on.on.Dir, filepath.FromSlash(f.Schedule)))
			}
		}
	}()
	if !d.Stepped {
		return on.run(with)
	}
	with.MaxSteps = farther * r.MaxSteps
	for ; !failFast && 4*with.MaxSteps > r.MaxSteps; with.MaxSteps /= 2 {
		with.MaxExecutions = manyEndless
		if out, err = on.run(with); err != nil || out.fails() || out.Executions < manyEndless {
			return out, err
		}
	}
	with.MaxExecutions = 0
	return on.run(with)
}

// run explores the observer that the options name.
func (on *withObservers) run(with options.Options) (out observed, err error) {
	var text bytes.Buffer
	if _, err := on.pkg.Run(with.Encode(), &text, io.Discard); err != nil {
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
// testdata/rehearse of the package. If the package is not the user's, it takes the current
// directory.
func (r *Request) save(has, into built, o *refine.Observer, d *refine.Difference, harness,
	suffix string, fail observed) error {
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
			d.Schedule = to
		}
	}
	if left := d.Path[len(d.Path)-1].Kind == refine.Waits; r.Write && into.at.users && !left {
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
