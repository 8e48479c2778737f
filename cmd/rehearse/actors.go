package main

import (
	"io"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/facts"
)

// runActors prints the inventory of the packages.
func runActors(args []string, stdout, stderr io.Writer) int {
	analysis, err := parseAnalysis("actors", args, stderr)
	if err != nil {
		return exitError
	}
	r, err := analysis.packages()
	if err != nil {
		return complain(stderr, err)
	}
	write := facts.Write
	if analysis.json {
		write = facts.WriteJSON
	}
	if err := write(stdout, actors.Find(r)); err != nil {
		return complain(stderr, err)
	}
	return exitClean
}
