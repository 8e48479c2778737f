package exec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/rehearse-go/rehearse/explore/process"
)

// ErrInterrupted is returned for a binary that ended in good order because the user pressed the
// interrupt key, or because nobody reads its output any more.
var ErrInterrupted = errors.New("interrupted")

// StartIn makes cmd, which runs a test binary, begin in its package's directory, as under go test:
// a package may read files when it is initialised. When it is, the binary goes on in the current
// directory, where the names of files in its arguments belong.
func StartIn(cmd *exec.Cmd, dir string) {
	cwd, err := os.Getwd()
	if err != nil {
		return
	}
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), process.Home+"="+cwd)
}

// Run runs the binary of a package to its end and returns its exit code. An interrupt from the
// terminal reaches it directly, as a member of the foreground group; Run waits for the report that
// it prints then. Any other one, and a request to terminate, is passed on.
func (p *Package) Run(args []string, stdout, stderr io.Writer) (int, error) {
	cmd := exec.Command(p.Binary, args...)
	StartIn(cmd, p.Dir)
	return run(cmd, stdout, stderr)
}

// Run is Package.Run for a binary whose package may be initialised in any directory.
func Run(binary string, args []string, stdout, stderr io.Writer) (int, error) {
	return run(exec.Command(binary, args...), stdout, stderr)
}

func run(cmd *exec.Cmd, stdout, stderr io.Writer) (int, error) {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return process.Failure, err
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	interrupted := false
	for {
		select {
		case s := <-signals:
			interrupted = true
			process.PassOn(s, cmd.Process)
		case err := <-waited:
			code, err := exitCode(cmd.ProcessState, err)
			if err == nil && interrupted || unread(cmd.ProcessState) {
				err = ErrInterrupted
			}
			return code, err
		}
	}
}

// unread reports whether a binary ended because nobody reads its standard output, as before | head.
func unread(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGPIPE
}

// exitCode turns the way in which a test binary ended into one of the exit codes.
func exitCode(state *os.ProcessState, err error) (int, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return process.Failure, err
	}
	code := state.ExitCode()
	if code < process.Clean || code > process.Again {
		return process.Failure, fmt.Errorf("the test binary ended with %s", state)
	}
	return code, nil
}
