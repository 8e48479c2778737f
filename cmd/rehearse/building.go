package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// errWhileBuilding is an interrupt that came before anything was explored.
var errWhileBuilding = fmt.Errorf("%w while building: no test has been run", exec.ErrInterrupted)

// compiling returns a function that asks how far the build of a request has come.
func compiling(dir string, o *options.Options, patterns []string) func() *toolchain.Compiling {
	return func() *toolchain.Compiling { return toolchain.NewCompiling(dir, o, patterns) }
}

// building returns what build returns, tells a waiting user what takes so long, and gives up when
// the interrupt key is pressed. A go command that is at work gets that from the terminal, too, so
// its error says nothing then.
func building[T any](stderr io.Writer, start func() *toolchain.Compiling,
	build func() (T, error)) (built T, err error) {
	defer waiting(stderr, start)()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	type answer struct {
		built T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		built, err := build()
		answers <- answer{built, err}
	}()
	select {
	case <-signals:
		return built, errWhileBuilding
	case a := <-answers:
		if a.err != nil && len(signals) > 0 {
			return built, errWhileBuilding
		}
		return a.built, a.err
	}
}

// The times between two messages about the build: on a terminal, in a line that is written again
// and again, and elsewhere.
const (
	redrawn = 300 * time.Millisecond
	repeats = 10 * time.Second
)

// waiting says what takes so long, until done is called. On a terminal the result takes it back.
func waiting(stderr io.Writer, start func() *toolchain.Compiling) (done func()) {
	file, ok := stderr.(*os.File)
	if !ok {
		return func() {}
	}
	info, err := file.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tell(file, terminal, start, over)
	}()
	return func() {
		close(over)
		<-ended
	}
}

// tell says what is being built until over is closed: on a terminal from the first second on.
// Nobody looks, and no go command is asked, before there is something to say.
func tell(w *os.File, terminal bool, start func() *toolchain.Compiling, over <-chan struct{}) {
	first, next := time.Second, redrawn
	if !terminal {
		first, next = repeats, repeats
	}
	select {
	case <-over:
		return
	case <-time.After(first):
	}
	building := start()
	for {
		text := "building"
		if what := building.Look(); what != "" {
			text += " " + what
		}
		if terminal {
			if width := process.TerminalWidth(w); width > 10 {
				text = words.Cut(text, width-1)
			}
			fmt.Fprintf(w, "\r%s\033[K", text)
		} else {
			fmt.Fprintln(w, text)
		}
		select {
		case <-over:
			if terminal {
				fmt.Fprint(w, "\r\033[K")
			}
			return
		case <-time.After(next):
		}
	}
}
