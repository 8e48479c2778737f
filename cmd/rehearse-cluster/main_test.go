package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asCommand makes this binary the command.
const asCommand = "REHEARSE_CLUSTER_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command is one that the test ends if it does not end itself.
func command(t *testing.T, dir string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd, out := exec.CommandContext(t.Context(), self, args...), &bytes.Buffer{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	path := filepath.Dir(os.Getenv("REHEARSE")) + string(filepath.ListSeparator) + os.Getenv("PATH")
	cmd.Env = append(os.Environ(), asCommand+"=1", "PATH="+path, "GOWORK=off")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func waitFor(t *testing.T, path string) {
	t.Helper()
	for range 1200 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not come", path)
}

// TestArguments: what is wrong is one line.
func TestArguments(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)
	open := filepath.Join(home, "open.key")
	if err := os.WriteFile(open, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(home, "closed.key")
	if err := os.WriteFile(closed, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"unknown command":          {"wrok"},
		"there is no key":          {"work"},
		"can be read by everybody": {"work", "-key", open},
		"is no key of a worker":    {"work", "-key", closed},
		"takes flags only":         {"work", "./pkg"},
		"not defined: -x":          {"work", "-x"},
		"the address at which":     {"key"},
		"-workers -1 is negative":  {"serve", "-workers", "-1"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(args, &stdout, &stderr); code != 2 ||
			!strings.Contains(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: %d, %q, want %q", args, code, stderr.String(), want)
		}
	}
	var stdout, stderr bytes.Buffer
	keys := filepath.Join(home, "keys")
	if code := run([]string{"key", "-url", "tls://x:1", keys}, &stdout, &stderr); code != 0 {
		t.Errorf("key: %s", &stderr)
	}
	text, err := os.ReadFile(filepath.Join(keys, workKey))
	if err != nil || bytes.Contains(text, []byte("PRIVATE")) ||
		bytes.Contains(text, []byte("ServeSeed")) {
		t.Errorf("a worker's key has what only serve may know: %v", err)
	}
}
