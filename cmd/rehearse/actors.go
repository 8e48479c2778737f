package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/receivers"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runActors prints the inventory of the packages, or explains why tasks of two handlers commute or
// not.
func runActors(args []string, stdout, stderr io.Writer) int {
	analysis, how, err := parseActors(args, stderr)
	if err != nil {
		return exitError
	}
	debug.SetGCPercent(200) // nearly all that is made stays until the end
	r, err := analysis.packages()
	if err != nil {
		return complain(stderr, err)
	}
	b := bufio.NewWriterSize(stdout, 1<<20)
	program := independence.Find(r)
	if program.Frameworks, err = receivers.Load(analysis.load, r); err != nil {
		return complain(stderr, exec.OneLine(analysis.load, err))
	}
	if err := errors.Join(how(b, program), b.Flush()); err != nil {
		return complain(stderr, err)
	}
	return exitClean
}

// printing is a way to print what is known.
type printing func(w io.Writer, v facts.Program) error

func parseActors(args []string, stderr io.Writer) (a *analysis, how printing, err error) {
	var (
		dot        bool
		why, tasks string
	)
	a = &analysis{}
	fs := flag.NewFlagSet("actors", flag.ContinueOnError)
	fs.BoolVar(&a.json, "json", false, "")
	fs.StringVar(&tasks, "tasks", "", "")
	fs.BoolVar(&dot, "dot", false, "")
	fs.StringVar(&why, "why", "", "")
	fs.StringVar(&a.load.Tags, "tags", "", "")
	fs.BoolVar(&a.load.Tests, "test", true, "")
	if a.load.Patterns, err = parse(fs, args, stderr); err != nil {
		return nil, nil, err
	}
	if how, err = printingOf(a.json, dot, why, tasks); err != nil {
		complain(stderr, err)
	}
	return a, how, err
}

// printingOf is how the flags want it printed.
func printingOf(asJSON, dot bool, why, tasks string) (printing, error) {
	if asJSON && (dot || why != "") || dot && why != "" {
		return nil, errors.New("-json, -dot and -why are three ways to print: choose one")
	}
	if tasks != "" && !asJSON {
		return nil, errors.New("-tasks says which tasks -json prints: give -json, too")
	}
	var match *regexp.Regexp
	if tasks != "" {
		var err error
		if match, err = regexp.Compile(tasks); err != nil {
			return nil, fmt.Errorf("-tasks: %v", err)
		}
	}
	switch {
	case asJSON:
		return func(w io.Writer, v facts.Program) error {
			return facts.WriteProgramJSON(w, v, match)
		}, nil
	case dot:
		return func(w io.Writer, v facts.Program) error {
			return facts.WriteDOT(w, v.Inventory)
		}, nil
	case why != "":
		return func(w io.Writer, v facts.Program) error { return facts.Why(w, v, why) }, nil
	}
	return facts.WriteProgram, nil
}
