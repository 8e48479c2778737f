package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rehearse-go/rehearse/analysis/suite"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit codes, as doc.go promises them.
const (
	exitClean   = 0
	exitFinding = 1
	exitError   = 2
)

// run is the command: it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	if calledByVet(args) {
		suite.VetTool() // does not return
	}
	if len(args) == 0 {
		fmt.Fprint(stderr, helpText(""))
		return exitError
	}
	cmd, ok := commands[args[0]]
	if !ok {
		return complain(stderr, fmt.Errorf("unknown command %q; run 'rehearse help'", args[0]))
	}
	return cmd(args[1:], stdout, stderr)
}

// complain prints an error as the one line that a user sees. An interrupt ends a budget.
func complain(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "rehearse: %v\n", err)
	if errors.Is(err, exec.ErrInterrupted) {
		return process.Budget
	}
	return exitError
}
