package main

import (
	"flag"
	"io"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/suite"
	"github.com/rehearse-go/rehearse/explore/exec"
)

// calledByVet reports whether the go command calls us as its vet tool: with -V=full, with -flags, or with the
// description of one package, a .cfg file, as the last argument.
func calledByVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(last, ".cfg") && commands[args[0]] == nil
}

// runVet runs the checks over the whole program that the packages are.
func runVet(args []string, stdout, stderr io.Writer) int {
	analysis, err := parseAnalysis("vet", args, stderr)
	if err != nil {
		return exitError
	}
	report, err := analysis.vet()
	if err != nil {
		return complain(stderr, err)
	}
	if analysis.json {
		err = report.PrintJSON(stdout)
	} else {
		err = report.Print(stderr)
	}
	switch {
	case err != nil:
		return complain(stderr, err)
	case len(report.Diagnostics) > 0:
		return exitFinding
	}
	return exitClean
}

// analysis is a request to look at packages without running them.
type analysis struct {
	json bool
	load load.Config
}

func parseAnalysis(name string, args []string, stderr io.Writer) (*analysis, error) {
	a := &analysis{}
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.BoolVar(&a.json, "json", false, "")
	fs.StringVar(&a.load.Tags, "tags", "", "")
	fs.BoolVar(&a.load.Tests, "test", true, "")
	patterns, err := parse(fs, args, stderr)
	a.load.Patterns = patterns
	return a, err
}

// packages loads them. An error is one line.
func (a *analysis) packages() (*load.Result, error) {
	r, err := load.Load(a.load)
	return r, exec.OneLine(a.load, err)
}

func (a *analysis) vet() (*suite.Report, error) {
	r, err := a.packages()
	if err != nil {
		return nil, err
	}
	return suite.Run(r)
}
