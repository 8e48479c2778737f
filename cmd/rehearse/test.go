package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runTest builds the packages and runs their binaries one after the other, so that their reports do
// not mix.
func runTest(args []string, stdout, stderr io.Writer) int {
	o, patterns, forTests, err := parseOptions("test", args, stderr)
	if err != nil {
		return exitError
	}
	if o.Baseline != "" {
		if o.Baseline, err = filepath.Abs(o.Baseline); err != nil {
			return complain(stderr, err)
		}
		if _, err := report.ReadBaseline(o.Baseline); err != nil && !o.WriteBaseline {
			return complain(stderr, err)
		}
	}
	out, err := newOutputs(o)
	if err != nil {
		return complain(stderr, err)
	}
	defer out.close()
	sum := &summary{}
	packages, err := building(stderr, compiling(".", o, patterns), func() ([]exec.Package, error) { return exec.BuildIntact(".", o, patterns) })
	code := exec.Clean
	if err != nil {
		code = complain(stderr, err)
		printErrors(exec.CompilerErrors(err), packages, o.JSON, stdout)
	}
	o.Several = len(packages) > 1
	for _, p := range packages {
		one, err := testControlled(p, o, patterns, forTests, sum, stdout, stderr)
		code = exec.Worse(code, one)
		if errors.Is(err, exec.ErrInterrupted) {
			break
		}
	}
	if o.Baseline != "" {
		code = exec.Worse(code, sum.baseline(o, stdout, stderr))
	}
	sum.print(o, code, stdout)
	return exec.Worse(code, out.write(unbuilt(packages, patterns, err), stderr))
}

// testControlled runs one binary, and if that finds dependencies which make executions differ,
// another one in which these are under control.
func testControlled(p exec.Package, o *options.Options, patterns, forTests []string, sum *summary, stdout, stderr io.Writer) (code int, err error) {
	dir, err := os.MkdirTemp("", "rehearse-")
	if err != nil {
		return complain(stderr, err), err
	}
	defer os.RemoveAll(dir)
	handing := *o
	handing.Handoff = filepath.Join(dir, "handoff")
	defer func() { sum.add(p, handing.Totals()) }()
	if code, err = testPackage(p, &handing, forTests, stdout, stderr); code != exec.Again {
		return code, err
	}
	packages, err := building(stderr, compiling(".", o, patterns), func() ([]exec.Package, error) {
		q, err := p.GoOn(o, patterns, handing.Handoff)
		return []exec.Package{q}, err
	})
	if err != nil {
		complain(stderr, err)
	}
	if len(packages) == 0 {
		return exec.Failure, err
	}
	return testPackage(packages[0], &handing, forTests, stdout, stderr)
}

// testPackage runs one binary, or says why there is none.
func testPackage(p exec.Package, o *options.Options, forTests []string, stdout, stderr io.Writer) (code int, err error) {
	if p.Broken {
		fail(p, o.JSON, stdout)
		return exec.Failure, nil
	}
	if p.Binary == "" {
		skip(p, o.JSON, stdout)
		return exec.Clean, nil
	}
	code, err = exec.Run(p.Binary, binaryArgs(o, forTests), stdout, stderr)
	if err != nil && !errors.Is(err, exec.ErrInterrupted) {
		complain(stderr, fmt.Errorf("%s: %w", p.Path, err))
	}
	return code, err
}

// printErrors prints what does not compile as go test does, each with its place at the beginning of
// a line.
func printErrors(lines []string, packages []exec.Package, asJSON bool, stdout io.Writer) {
	path := "command-line-arguments"
	if i := slices.IndexFunc(packages, func(p exec.Package) bool { return p.Broken }); i >= 0 {
		path = packages[i].Path
	}
	if len(packages) == 0 { // the error has the first ones, and there is nothing else
		return
	}
	for _, line := range lines {
		if !asJSON {
			fmt.Fprintln(stdout, line)
			continue
		}
		json.NewEncoder(stdout).Encode(map[string]string{"Action": "build-output", "ImportPath": path, "Output": line + "\n"})
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
	e.Encode(map[string]string{"Action": "package", "Package": p.Path, "ImportPath": p.Path, "Verdict": "skip", "Reason": p.Nothing})
	e.Encode(map[string]string{"Action": "output", "Package": p.Path, "Output": line})
	e.Encode(map[string]any{"Action": "skip", "Package": p.Path, "Elapsed": 0})
}

// fail reports a package that does not compile as go test does.
func fail(p exec.Package, asJSON bool, stdout io.Writer) {
	const reason = "build failed"
	line := fmt.Sprintf("FAIL\t%s\t[%s]\n", p.Path, reason)
	if !asJSON {
		io.WriteString(stdout, line)
		return
	}
	e := json.NewEncoder(stdout)
	e.Encode(map[string]string{"Action": "start", "Package": p.Path})
	e.Encode(map[string]string{"Action": "package", "Package": p.Path, "Verdict": "error", "Reason": reason})
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
func parseOptions(name string, args []string, stderr io.Writer) (o *options.Options, rest, forTests []string, err error) {
	o = options.Default()
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	o.Register(fs)
	ours, forTests := options.SplitArgs(args)
	if rest, err = parse(fs, ours, stderr); err != nil {
		return nil, nil, nil, err
	}
	if err = o.Check(); err != nil {
		complain(stderr, fmt.Errorf("%w; run 'rehearse help %s'", err, name))
	}
	return o, rest, forTests, err
}
