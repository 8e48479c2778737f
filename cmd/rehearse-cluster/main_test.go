package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

const module = `module example.org/orders

go 1.26
`

const ordersTest = `package orders

import "testing"

var work int

// TestOrders takes some hundred microseconds for each of 5040 orders.
func TestOrders(t *testing.T) {
	ch := make(chan int, 7)
	for i := range 7 {
		go func() { ch <- i }()
	}
	t.Log(<-ch)
	for range 6 {
		<-ch
	}
	for range 1_000_000 {
		work++
	}
}
`

// TestKilled: serve and a worker are killed, and the counts are those of one process.
func TestKilled(t *testing.T) {
	if os.Getenv("REHEARSE") == "" {
		t.Skip("REHEARSE does not name the command rehearse")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": module, "orders_test.go": ordersTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	serve := []string{"serve", "-workers", "0", "-journal", "j", "-p", "2", "-v", "-independence",
		"none", "-run", "TestOrders", "."}
	keyFile := filepath.Join(dir, "j.cluster", workKey)
	work := []string{"work", "-workers", "1", "-wait", "1m", "-key", keyFile}
	s, _ := command(t, dir, serve...)
	waitFor(t, filepath.Join(dir, "j")) // the search has begun
	one, _ := command(t, dir, work...)
	two, said := command(t, dir, work...)
	time.Sleep(1500 * time.Millisecond)
	one.Process.Kill()
	one.Wait()
	s.Process.Kill()
	s.Wait()
	three, _ := command(t, dir, work...)
	s, out := command(t, dir, serve...)
	if err := s.Wait(); err != nil {
		t.Errorf("serve: %v\n%s", err, out)
	}
	if !strings.Contains(out.String(), " 5040 executions, complete; 7 outcomes") ||
		len(regexp.MustCompile(`(?m)^ +720  pass`).FindAllString(out.String(), -1)) != 7 {
		t.Errorf("%s", out)
	}
	for _, w := range []*exec.Cmd{two, three} {
		if err := w.Wait(); err != nil {
			t.Errorf("a worker: %v\n%s", err, said)
		}
	}
	if !strings.Contains(said.String(), "the broker is back") {
		t.Errorf("the worker has not gone on: %s", said)
	}
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
