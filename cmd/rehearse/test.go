package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/baseline"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runTest builds the packages and runs their binaries.
func runTest(args []string, stdout, stderr io.Writer) int {
	if args, err := namedShard(args); err != nil {
		return complain(stderr, err)
	} else if o, patterns, forTests, err := parseOptions("test", args, stderr); err == nil {
		return explorePackages(o, patterns, forTests, givesCount(args), stdout, stderr)
	}
	return exitError
}

// explorePackages is rehearse test once its arguments have been read. anew: no result of an earlier
// run is taken.
func explorePackages(o *options.Options, patterns, forTests []string, anew bool, stdout,
	stderr io.Writer) (code int) {
	var err error
	if o.ForDebugger() || o.At != "" || o.Trace != "" {
		return complain(stderr,
			errors.New(
				"-debug, -dap, -at and -trace are flags of rehearse replay: name one of the schedules that rehearse test saves"))
	}
	if o.Baseline != "" {
		if o.Baseline, err = filepath.Abs(o.Baseline); err != nil {
			return complain(stderr, err)
		}
		if _, err := baseline.Read[report.Known](o.Baseline); err != nil && !o.WriteBaseline {
			return complain(stderr, err)
		}
	}
	o.Of = o.JSON && exec.CountsObjects()
	out, err := newOutputs(o)
	if err != nil {
		return complain(stderr, err)
	}
	defer out.close()
	t := &testRun{options: o, patterns: patterns, forTests: forTests, anew: anew,
		stdout: stdout, stderr: stderr}
	if t.coverage, err = newCoverage(o); err != nil {
		return complain(stderr, err)
	}
	code = t.run()
	if err := t.coverage.close(); err != nil {
		code = process.Worse(code, complain(stderr, err))
	}
	if o.Baseline != "" {
		code = process.Worse(code, t.sum.baseline(o, stderr))
	}
	t.sum.print(o, code, stdout)
	return process.Worse(code, out.write(t.unbuilt, stderr))
}

// testRun is one rehearse test at work.
type testRun struct {
	options        *options.Options
	patterns       []string
	forTests       []string // arguments of the tests themselves
	anew           bool     // no result of an earlier run is taken
	stdout, stderr io.Writer
	sum            summary
	unbuilt        []exec.Package // that have no binary because they do not compile
	coverage       *coverage
	said           []byte // notes that were printed, as one binary leaves them to the next
}

// run explores the packages one after the other, so that their reports do not mix. Binaries are
// made meanwhile.
func (t *testRun) run() (code int) {
	m, err := building(t.progress(), compiling(".", t.options, t.patterns),
		func() (*exec.Making, error) {
			return exec.BeginIntact(".", t.options, t.patterns)
		})
	if err != nil {
		code = complain(t.stderr, err)
	}
	if m == nil {
		t.unbuilt = []exec.Package{{Path: strings.Join(t.patterns, " "), Broken: true,
			Nothing: err.Error()}}
		return code
	}
	defer m.Stop()
	printErrors(exec.CompilerErrors(err), m.Broken(), t.options.JSON, t.stdout)
	t.options.Several = m.Len() > 1
	if t.options.Verbose && m.Len() > 0 {
		fmt.Fprintln(t.progress(), sharing(t.options, m.Len()))
	}
	if err := t.beginPart(m); err != nil {
		return process.Worse(code, complain(t.stderr, err))
	}
	for i := range m.Len() {
		p, err := t.wait(m, i)
		one, next := process.Failure, i
		if err == nil {
			next++
			one, err = t.explore(p)
		} else if !errors.Is(err, exec.ErrInterrupted) {
			one, err = t.broken(m.Path(i), err), nil
		}
		code = process.Worse(code, one)
		if errors.Is(err, exec.ErrInterrupted) {
			for ; next < m.Len(); next++ { // so that no file says that all went well
				t.unbuilt = append(t.unbuilt, exec.Package{Path: m.Path(next), Broken: true,
					Nothing: "interrupted before it was explored"})
			}
			return code
		}
	}
	if err := m.End(); err != nil {
		return process.Worse(code, complain(t.stderr, err))
	}
	return code
}

// sharing says what packages do with the processors.
func sharing(o *options.Options, packages int) string {
	searches := "each search is made by one process"
	switch n := o.Processes(); {
	case n > 1 && o.P == options.AsPays:
		searches = fmt.Sprintf("a search that takes long is divided among %d processes", n)
	case n > 1:
		searches = fmt.Sprintf("a search that can be divided is divided among %d processes", n)
	}
	if packages == 1 {
		return "1 package; " + searches
	}
	return fmt.Sprintf("%d packages, one after the other, while others are built, %d at a time; %s",
		packages, o.Builds(), searches)
}

// progress returns the writer for messages on what is being built. With Options.Of, the reader of
// the JSON objects would count these lines as errors.
func (t *testRun) progress() io.Writer {
	if t.options.Of {
		return io.Discard
	}
	return t.stderr
}

// wait waits for the binary of a package.
func (t *testRun) wait(m *exec.Making, i int) (exec.Package, error) {
	if m.Ready(i) {
		return m.Wait(i)
	}
	p, err := building(t.progress(), compiling(".", t.options, t.patterns),
		func() (exec.Package, error) { return m.Wait(i) })
	if errors.Is(err, exec.ErrInterrupted) {
		if i > 0 {
			err = exec.ErrInterrupted
		}
		complain(t.stderr, err)
	}
	return p, err
}

// broken reports a package whose binary could not be made.
func (t *testRun) broken(path string, err error) (code int) {
	code = complain(t.stderr, err)
	p := exec.Package{Path: path, Broken: true}
	t.sum.add(p, "", code)
	t.unbuilt = append(t.unbuilt, p)
	fail(p, notBuilt, t.options.JSON, t.stdout)
	return code
}

// explore runs one binary, unless its result is known.
func (t *testRun) explore(p exec.Package) (code int, err error) {
	if p.Broken {
		t.unbuilt = append(t.unbuilt, p)
	}
	dir, remove, err := process.TempDir("rehearse-run-")
	if err != nil {
		return complain(t.stderr, err), err
	}
	defer remove()
	if t.options.Race {
		os.Setenv(racelog.DirVariable, dir)
	}
	handing := *t.options
	handing.Handoff = filepath.Join(dir, "handoff")
	handing.Journals = p.Journals()
	if len(t.said) > 0 {
		if err := os.WriteFile(handing.Said(), t.said, 0o666); err != nil {
			return complain(t.stderr, err), err
		}
	}
	defer func() { t.sum.add(p, handing.Totals(), code) }()
	args, look := binaryArgs(t.options, t.forTests), looks(t.stdout)
	if t.remembers(p) {
		if kept := p.Kept(args, look); kept != nil {
			t.stdout.Write(kept.Again(p.Path, time.Now()))
			return process.Clean, os.WriteFile(handing.Totals(), kept.Totals, 0o666)
		}
	}
	if err := t.coverage.begin(); err != nil {
		return complain(t.stderr, err), err
	}
	begun := time.Now()
	code, err = t.exploreNow(p, &handing)
	if err := t.coverage.end(p, t.stdout); err != nil {
		return complain(t.stderr, err), err
	}
	if said, err := os.ReadFile(handing.Said()); err == nil {
		t.said = said
	}
	if code == process.Clean && err == nil && t.remembers(p) {
		err = keep(p, args, look, begun, &handing)
	}
	return code, err
}

// remembers reports whether results of a package are kept for later runs. As with go test, those of
// named packages are. Of a run's outputs, only the report is kept.
func (t *testRun) remembers(p exec.Package) bool {
	o := t.options
	return p.Binary != "" && len(t.patterns) > 0 && !t.anew && o.List == "" && o.Baseline == "" &&
		o.Record == "" && !o.Covers() && o.Checkpoint == "" && o.Shard == "" && o.Merge == ""
}

// givesCount reports whether -count is among the arguments.
func givesCount(args []string) bool {
	ours, _ := options.SplitArgs(args)
	return slices.ContainsFunc(ours, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return name == "-count" || name == "--count"
	})
}

// keep keeps the result of a run that began at a moment, if it is complete.
func keep(p exec.Package, args []string, look string, begun time.Time,
	o *options.Options) error {
	var total report.Package
	totals, err := os.ReadFile(o.Totals())
	if err != nil || json.Unmarshal(totals, &total) != nil ||
		total.Failed+total.Unsupported+total.Incomplete > 0 {
		return err
	}
	printed, err := os.ReadFile(o.Printed())
	if err != nil {
		return err
	}
	return p.Keep(args, look, o.Inputs(), begun, exec.Result{Printed: printed, Totals: totals})
}

// looks is what a report depends on beside arguments: terminals get colours.
func looks(stdout io.Writer) string {
	file, ok := stdout.(*os.File)
	if !ok {
		return ""
	}
	info, err := file.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return fmt.Sprintf("%t %q %q %q", terminal, os.Getenv("NO_COLOR"), os.Getenv("TERM"),
		os.Getenv("COLUMNS"))
}

// exploreNow runs one binary, and as long as that leaves tests to another process, that one: if
// dependencies make executions differ, it is of a binary in which these are under control.
func (t *testRun) exploreNow(p exec.Package, o *options.Options) (code int, err error) {
	for {
		code, err = testPackage(p, o, t.forTests, t.stdout, t.stderr)
		if code != process.Again || err != nil {
			return code, err
		}
		p, err = building(t.progress(), compiling(".", t.options, t.patterns),
			func() (exec.Package, error) { return p.GoOn(t.options, t.patterns, o.Handoff) })
		if err != nil {
			complain(t.stderr, err)
		}
		if p.Binary == "" {
			return process.Failure, err
		}
	}
}

// testPackage runs one binary, or says why there is none.
func testPackage(p exec.Package, o *options.Options, forTests []string, stdout,
	stderr io.Writer) (code int, err error) {
	if p.Broken {
		fail(p, notBuilt, o.JSON, stdout)
		return process.Failure, nil
	}
	if p.Binary == "" {
		skip(p, o.JSON, stdout)
		return process.Clean, nil
	}
	if o.JSON && o.List == "" {
		e := &events{to: stdout, of: p.Path}
		defer e.end()
		stdout = e
	}
	code, err = p.RunFor(exec.Patience{Timeout: o.Timeout, Begun: o.Begun()},
		binaryArgs(o, forTests), stdout, stderr)
	if code == process.Clean && err == nil && o.Handoff != "" && o.List == "" && o.Shard == "" {
		if _, err := os.Stat(o.Totals()); os.IsNotExist(err) {
			p.Nothing = "TestMain has not run the tests"
			skip(p, o.JSON, stdout)
		}
	}
	if errors.Is(err, exec.ErrInterrupted) {
		return code, err
	}
	if err != nil {
		complain(stderr, fmt.Errorf("%s: %w", p.Path, err))
	}
	if o.Handoff != "" && o.List == "" && o.Shard == "" {
		if why := unexplained(code, o.Totals()); why != "" {
			fail(p, why, o.JSON, stdout)
			if code == process.Budget { // some code of TestMain's own
				code = process.Finding
			}
		}
	}
	return code, err
}

// unexplained says how a binary has failed, if its totals do not: TestMain has panicked, or has
// called os.Exit. It is empty if they do.
func unexplained(code int, totals string) string {
	one, ok := readTotals(totals)
	explained := map[int]int{process.Failure: one.Unsupported, process.Finding: one.Failed,
		process.Budget: one.Incomplete}
	switch n, fails := explained[code]; {
	case !fails:
		return ""
	case !ok:
		return noReport
	case one.Refused:
		return notBegun
	case n == 0:
		return afterwards
	}
	return ""
}

const (
	notBuilt   = "build failed"
	noReport   = "failed without a report"
	notBegun   = "not begun: see the error"
	afterwards = "failed after its report"
)

// printErrors prints compile errors as go test does, each with its place at the beginning of a
// line. path is a package that does not compile.
func printErrors(lines []string, path string, asJSON bool, stdout io.Writer) {
	for _, line := range lines {
		if !asJSON {
			fmt.Fprintln(stdout, line)
			continue
		}
		json.NewEncoder(stdout).Encode(map[string]string{"Action": "build-output",
			"ImportPath": path,
			"Output":     line + "\n"})
	}
}

// skip reports a package without tests as go test does.
func skip(p exec.Package, asJSON bool, stdout io.Writer) {
	line := fmt.Sprintf("?   \t%s\t[%s]\n", p.Path, p.Nothing)
	if !asJSON {
		io.WriteString(stdout, line)
		return
	}
	e := json.NewEncoder(stdout)
	e.Encode(map[string]string{"Action": "start", "Package": p.Path})
	e.Encode(map[string]string{"Action": "package", "Package": p.Path, "ImportPath": p.Path,
		"Verdict": "skip", "Reason": p.Nothing})
	e.Encode(map[string]string{"Action": "output", "Package": p.Path, "Output": line})
	e.Encode(map[string]any{"Action": "skip", "Package": p.Path, "Elapsed": 0})
}

// fail reports a package that does not compile, or whose binary has ended too early, as go test
// does.
func fail(p exec.Package, reason string, asJSON bool, stdout io.Writer) {
	line := fmt.Sprintf("FAIL\t%s\t[%s]\n", p.Path, reason)
	if !asJSON {
		io.WriteString(stdout, line)
		return
	}
	e := json.NewEncoder(stdout)
	if reason == notBuilt { // others have begun
		e.Encode(map[string]string{"Action": "start", "Package": p.Path})
	}
	if reason != afterwards { // the binary has written that object
		e.Encode(map[string]string{"Action": "package", "Package": p.Path, "Verdict": "error",
			"Reason": reason})
	}
	e.Encode(map[string]string{"Action": "output", "Package": p.Path, "Output": line})
	e.Encode(map[string]any{"Action": "fail", "Package": p.Path, "Elapsed": 0})
}

// binaryArgs are the flags that a binary needs to know, and the arguments of the tests themselves.
func binaryArgs(o *options.Options, forTests []string) []string {
	args := o.Encode()
	if len(forTests) > 0 {
		args = append(append(args, "-args"), forTests...)
	}
	return args
}

// parseOptions reads the arguments of a command that explores.
func parseOptions(name string, args []string, stderr io.Writer) (o *options.Options, rest,
	forTests []string, err error) {
	o = options.Default()
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	o.Register(fs)
	ours, forTests := options.SplitArgs(args)
	if rest, err = parse(fs, ours, stderr); err != nil {
		return nil, nil, nil, err
	}
	if o.Covers() && name != "test" {
		err = errors.New("-cover, -coverprofile, -covermode and -coverpkg are flags of rehearse test")
	}
	if err = cmp.Or(err, o.Check()); err != nil {
		complain(stderr, fmt.Errorf("%w; run 'rehearse help %s'", err, name))
	}
	return o, rest, forTests, err
}
