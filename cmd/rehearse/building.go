package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore/exec"
)

// errWhileBuilding is an interrupt that came before anything was explored.
var errWhileBuilding = fmt.Errorf("%w while building: no test has been run", exec.ErrInterrupted)

// building returns what build returns, tells a waiting user what takes so long, and gives up when the interrupt key is pressed.
// A go command that is at work gets that from the terminal, too, so its error says nothing then.
func building(stderr io.Writer, build func() ([]exec.Package, error)) (packages []exec.Package, err error) {
	defer waiting(stderr)()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	built := make(chan struct{})
	var list []exec.Package
	var failed error
	go func() {
		list, failed = build()
		close(built)
	}()
	select {
	case <-signals:
		return nil, errWhileBuilding
	case <-built:
	}
	if failed != nil && len(signals) > 0 {
		return nil, errWhileBuilding
	}
	return list, failed
}

// waiting says on a terminal what takes so long. The result takes it back.
func waiting(stderr io.Writer) (done func()) {
	file, ok := stderr.(*os.File)
	if !ok {
		return func() {}
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func() {}
	}
	timer := time.AfterFunc(time.Second, func() {
		fmt.Fprint(stderr, "\rbuilding; the first time, with the standard library")
	})
	return func() {
		if !timer.Stop() {
			fmt.Fprint(stderr, "\r\033[K")
		}
	}
}
