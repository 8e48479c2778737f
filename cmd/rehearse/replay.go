package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/rehearse-go/rehearse/explore/exec"
)

// runReplay runs one saved schedule of the package that it belongs to.
func runReplay(args []string, stdout, stderr io.Writer) int {
	o, files, forTests, err := parseOptions("replay", args, stderr)
	if err != nil {
		return exitError
	}
	if len(files) != 1 {
		return complain(stderr, errors.New("replay: name one schedule file; run 'rehearse help replay'"))
	}
	schedule, err := exec.FindSchedule(files[0])
	if err != nil {
		return complain(stderr, err)
	}
	packages, err := exec.Build(schedule.Dir, o, []string{schedule.Pattern})
	if err != nil {
		return complain(stderr, err)
	}
	if len(packages) != 1 || packages[0].Binary == "" {
		return complain(stderr, fmt.Errorf("%s: the package in %s has no tests", files[0], schedule.Dir))
	}
	o.Replay = schedule.File
	code, _ := testPackage(packages[0], o, forTests, stdout, stderr) // an error has been printed
	return code
}
