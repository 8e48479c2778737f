package main

import (
	"errors"
	"flag"
	"io"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/facts"
)

// runActors prints the inventory of the packages.
func runActors(args []string, stdout, stderr io.Writer) int {
	analysis, dot, err := parseActors(args, stderr)
	if err != nil {
		return exitError
	}
	r, err := analysis.packages()
	if err != nil {
		return complain(stderr, err)
	}
	write := facts.Write
	switch {
	case analysis.json && dot:
		return complain(stderr, errors.New("-json and -dot are two ways to print the same: choose one"))
	case analysis.json:
		write = facts.WriteJSON
	case dot:
		write = facts.WriteDOT
	}
	if err := write(stdout, actors.Find(r)); err != nil {
		return complain(stderr, err)
	}
	return exitClean
}

func parseActors(args []string, stderr io.Writer) (a *analysis, dot bool, err error) {
	a = &analysis{}
	fs := flag.NewFlagSet("actors", flag.ContinueOnError)
	fs.BoolVar(&a.json, "json", false, "")
	fs.BoolVar(&dot, "dot", false, "")
	fs.StringVar(&a.load.Tags, "tags", "", "")
	fs.BoolVar(&a.load.Tests, "test", true, "")
	a.load.Patterns, err = parse(fs, args, stderr)
	return a, dot, err
}
