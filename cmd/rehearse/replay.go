package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runReplay runs one saved schedule of the package that it belongs to.
func runReplay(args []string, stdout, stderr io.Writer) int {
	o, names, forTests, err := parseOptions("replay", args, stderr)
	if err != nil {
		return exitError
	}
	if o.Prune {
		return prune(o, names, forTests, stdout, stderr)
	}
	if len(names) == 0 {
		return complain(stderr,
			errors.New("replay: name a schedule file; run 'rehearse help replay'"))
	}
	schedule, err := exec.FindSchedule(names[0], names[1:])
	if err != nil {
		return complain(stderr, err)
	}
	if o.Model == options.Default().Model {
		o.Model = schedule.Model
	}
	o.Control.Set(schedule.Control)
	if o.At != "" && !o.ForDebugger() {
		o.Debug = true
	}
	if err := o.Check(); err != nil {
		return complain(stderr, fmt.Errorf("%s: %w", names[0], err))
	}
	packages, err := building(stderr, compiling(schedule.Dir, o, schedule.Patterns),
		func() ([]exec.Package, error) {
			return exec.BuildAdded(schedule.Dir, o, schedule.Patterns, schedule.Added)
		})
	if err != nil {
		return complain(stderr, err)
	}
	if len(packages) != 1 || packages[0].Binary == "" {
		return complain(stderr, fmt.Errorf("%s: no tests in %s, or several packages", names[0],
			strings.Join(schedule.Patterns, " ")))
	}
	o.Replay = schedule.File
	if o.ForDebugger() {
		return startDebugger(packages[0], o, forTests, stdout, stderr)
	}
	out, err := newOutputs(o)
	if err != nil {
		return complain(stderr, err)
	}
	defer out.close()
	code, _ := testPackage(packages[0], o, forTests, stdout, stderr) // an error has been printed
	return process.Worse(code, out.write(packages, stderr))
}

// prune removes the schedules of packages that no longer apply.
func prune(o *options.Options, patterns, forTests []string, stdout, stderr io.Writer) int {
	packages, err := building(stderr, compiling(".", o, patterns), func() ([]exec.Package, error) {
		return exec.BuildIntact(".", o, patterns)
	})
	code := process.Clean
	if err != nil {
		code = complain(stderr, err)
	}
	o.Several = len(packages) > 1
	for _, p := range packages {
		if p.Binary == "" {
			continue
		}
		one, err := testPackage(p, o, forTests, stdout, stderr)
		code = process.Worse(code, one)
		if errors.Is(err, exec.ErrInterrupted) {
			break
		}
	}
	return code
}
