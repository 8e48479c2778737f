package main

import (
	"flag"
	"io"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/exec"
)

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
