package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/refining"
)

// runRefine compares two versions of a component.
func runRefine(args []string, stdout, stderr io.Writer) int {
	r := refining.NewRequest()
	fs := flag.NewFlagSet("refine", flag.ContinueOnError)
	r.Register(fs)
	operands, err := parse(fs, args, stderr)
	if err != nil {
		return exitError
	}
	if err := r.Check(operands); err != nil {
		return complain(stderr, fmt.Errorf("%w; run 'rehearse help refine'", err))
	}
	code, err := r.Refine(operands, stdout, stderr, func(build func() ([]exec.Package, error),
		o *options.Options, dir string, patterns []string) ([]exec.Package, error) {
		return building(stderr, compiling(dir, o, patterns), build)
	})
	if err != nil {
		return process.Worse(code, complain(stderr, err))
	}
	return code
}
