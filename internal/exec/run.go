package exec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

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
	return p.RunFor(Patience{}, args, stdout, stderr)
}

// RunFor is Run with an end.
func (p *Package) RunFor(most Patience, args []string, stdout, stderr io.Writer) (int, error) {
	cmd := exec.Command(p.Binary, args...)
	StartIn(cmd, p.Dir)
	return run(cmd, most, stdout, stderr)
}

// Run is Package.Run for a binary whose package may be initialised in any directory.
func Run(binary string, args []string, stdout, stderr io.Writer) (int, error) {
	return run(exec.Command(binary, args...), Patience{}, stdout, stderr)
}

// Patience is how long a binary may run: it ends its tests itself, and nothing else.
type Patience struct {
	Timeout time.Duration // of the tests; 0: no end
	Begun   string        // a file that is there when TestMain has come to them
}

const (
	early = 2 * time.Second // from the end of the timeout to that of a binary without a test
	whole = time.Minute     // likewise of one that has begun: a busy machine lets it not run
)

// end kills a binary that does not end, and returns why, if it had to, once it has ended.
func (m Patience) end(binary *os.Process) (why func() error) {
	if m.Timeout == 0 {
		return func() error { return nil }
	}
	var reason atomic.Pointer[string]
	kill := func(why string) {
		why = fmt.Sprintf("killed: -timeout %v is over, and "+why, m.Timeout)
		if reason.CompareAndSwap(nil, &why) {
			binary.Kill()
		}
	}
	soon := time.AfterFunc(m.Timeout+early, func() {
		if _, err := os.Stat(m.Begun); os.IsNotExist(err) {
			kill("package initialisation and TestMain have not come to the tests")
		}
	})
	late := time.AfterFunc(m.Timeout+whole, func() { kill("the test binary does not end") })
	return func() error {
		soon.Stop()
		late.Stop()
		if why := reason.Load(); why != nil {
			return errors.New(*why)
		}
		return nil
	}
}

func run(cmd *exec.Cmd, most Patience, stdout, stderr io.Writer) (int, error) {
	cmd.Stdout, cmd.Stderr = stdout, stderr // no standard input, as under go test
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return process.Failure, err
	}
	killed := most.end(cmd.Process)
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	interrupted := false
	for {
		select {
		case s := <-signals:
			interrupted = true
			process.PassOn(s, cmd.Process)
		case err := <-waited:
			if why := killed(); why != nil {
				return process.Failure, why
			}
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
