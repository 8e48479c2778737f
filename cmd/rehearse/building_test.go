package main

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// TestInterruptWhileBuilding: an interrupt ends it, whatever the work goes on with, and counts as
// the end of a budget.
func TestInterruptWhileBuilding(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	packages, err := building(io.Discard, nil, func() ([]exec.Package, error) {
		syscall.Kill(os.Getpid(), syscall.SIGINT)
		<-end
		return nil, errors.New("go: signal: interrupt")
	})
	if packages != nil || !errors.Is(err, exec.ErrInterrupted) ||
		complain(io.Discard, err) != process.Budget {
		t.Errorf("got %v, %v", packages, err)
	}
}
