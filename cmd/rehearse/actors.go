package main

import (
	"errors"
	"flag"
	"io"
	"runtime/debug"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// runActors prints the inventory of the packages, or explains why tasks of two handlers commute or
// not.
func runActors(args []string, stdout, stderr io.Writer) int {
	analysis, dot, why, err := parseActors(args, stderr)
	if err != nil {
		return exitError
	}
	debug.SetGCPercent(200) // nearly all that is made stays until the end
	r, err := analysis.packages()
	if err != nil {
		return complain(stderr, err)
	}
	write := facts.WriteProgram
	switch {
	case analysis.json && (dot || why != "") || dot && why != "":
		return complain(stderr, errors.New("-json, -dot and -why are three ways to print: choose one"))
	case analysis.json:
		write = facts.WriteProgramJSON
	case dot:
		write = func(w io.Writer, v facts.Program) error { return facts.WriteDOT(w, v.Inventory) }
	case why != "":
		write = func(w io.Writer, v facts.Program) error { return facts.Why(w, v, why) }
	}
	if err := write(stdout, independence.Find(r)); err != nil {
		return complain(stderr, err)
	}
	return exitClean
}

func parseActors(args []string, stderr io.Writer) (a *analysis, dot bool, why string, err error) {
	a = &analysis{}
	fs := flag.NewFlagSet("actors", flag.ContinueOnError)
	fs.BoolVar(&a.json, "json", false, "")
	fs.BoolVar(&dot, "dot", false, "")
	fs.StringVar(&why, "why", "", "")
	fs.StringVar(&a.load.Tags, "tags", "", "")
	fs.BoolVar(&a.load.Tests, "test", true, "")
	a.load.Patterns, err = parse(fs, args, stderr)
	return a, dot, why, err
}
