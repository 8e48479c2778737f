package vet

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"slices"
)

// Apply has go vet apply the first fix of each finding; with diff, it prints what it would change
// instead, and the result is whether that is anything.
func Apply(c Config, diff bool, stdout io.Writer) (bool, error) {
	args := []string{"vet", "-fix", "-vettool=" + c.Tool}
	if diff {
		args = append(args, "-diff")
	}
	cmd := exec.Command("go", slices.Concat(args, c.Flags, []string{"--"}, c.Patterns)...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	failed := cmd.Run()
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return false, err
	}
	switch {
	case failed == nil:
		return out.Len() > 0, nil
	case diff && out.Len() > 0 && stderr.Len() == 0: // exit code 1 is a difference
		return true, nil
	case errors.Is(failed, exec.ErrNotFound):
		return false, errNoGo
	}
	return false, complaint(stderr.String(), failed)
}
