package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/receivers"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runActors prints the inventory of the packages, or explains why tasks of two handlers commute or
// not.
func runActors(args []string, stdout, stderr io.Writer) int {
	analysis, asked, how, err := parseActors(args, stderr)
	if err != nil {
		return exitError
	}
	debug.SetGCPercent(200) // nearly all that is made stays until the end
	if memory := process.MachineMemory(); memory > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory / 2) // gigabytes for large modules with their tests
	}
	r, err := analysis.packages()
	if err != nil {
		return complain(stderr, err)
	}
	b := bufio.NewWriterSize(stdout, 1<<20)
	o := independence.Options{Pointers: true, Brief: true}
	if asked != nil {
		o.Asked = asked.MatchString
	}
	program := independence.With(r, o)
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

// parseActors returns what to analyse, the names whose tasks and calls are asked for, if any, and
// how to print.
func parseActors(args []string, stderr io.Writer) (a *analysis, asked *regexp.Regexp,
	how printing, err error) {
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
		return nil, nil, nil, err
	}
	if tasks != "" {
		if asked, err = regexp.Compile(tasks); err != nil {
			err = fmt.Errorf("-tasks: %v", err)
		}
	}
	if err == nil {
		how, err = printingOf(a.json, dot, why, asked)
	}
	if err != nil {
		complain(stderr, err)
	}
	return a, asked, how, err
}

// printingOf is how the flags want it printed.
func printingOf(asJSON, dot bool, why string, tasks *regexp.Regexp) (printing, error) {
	if asJSON && (dot || why != "") || dot && why != "" {
		return nil, errors.New("-json, -dot and -why are three ways to print: choose one")
	}
	if tasks != nil && !asJSON {
		return nil, errors.New("-tasks says which tasks -json prints: give -json, too")
	}
	switch {
	case asJSON:
		return func(w io.Writer, v facts.Program) error {
			return facts.WriteProgramJSON(w, v, tasks)
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
