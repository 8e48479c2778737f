package stdlib

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var conns = flag.Duration("conns", 0,
	"explore each part of nettest.TestConn over each network for that `long`")

//go:embed testdata/conns.go.txt
var connsText string

// parts are the subtests of nettest.TestConn.
var parts = strings.Fields("BasicIO PingPong RacyRead RacyWrite ReadTimeout WriteTimeout " +
	"PastTimeout PresentTimeout FutureTimeout CloseTimeout ConcurrentMethods")

// busy are the parts in which processes go on until time passes, so that one execution takes
// seconds to minutes: nothing is known if there was no time for one.
var busy = strings.Fields("RacyRead RacyWrite CloseTimeout ConcurrentMethods")

// TestConns runs golang.org/x/net/nettest.TestConn over connections of TCP, of Unix sockets and of
// net.Pipe. Each part is explored by itself, with the usual search and at random (-strategy pos),
// and must pass in each execution.
//
//	go test ./internal/lab/stdlib -run Conns -conns 30s -v -timeout 0
func TestConns(t *testing.T) {
	if *conns == 0 {
		t.Skip("it fetches a module, and explores 33 parts of three tests; -conns 30s asks for it")
	}
	ownCache(t)
	dir := connsModule(t)
	s := build(t, dir, ".")[0]
	var b strings.Builder
	b.WriteString("| part | " + strings.Repeat("executions, complete | at random | ", 3) + "\n")
	for _, part := range parts {
		t.Run(part, func(t *testing.T) { b.WriteString("| " + part + " |" + s.part(t, part) + "\n") })
	}
	t.Log("\n" + b.String())
}

// part explores one part over all networks, and samples it for a quarter of the time. It returns
// the rest of its line of the table.
func (s *subject) part(t *testing.T, name string) (line string) {
	for _, test := range []string{"TestTCP", "TestUnix", "TestPipe"} {
		run := "-run=^" + test + "$/^" + name + "$"
		some, complete := s.passes(t, *conns, run)
		drawn, _ := s.passes(t, *conns/4, run, "-strategy=pos")
		if some+drawn == 0 && !slices.Contains(busy, name) {
			t.Errorf("%s: no execution in %v", test, *conns)
		}
		line += fmt.Sprintf(" %d, %v | %d |", some, complete, drawn)
	}
	return line
}

// passes explores what the flags name, and fails if anything is found or refused. It returns the
// number of executions.
func (s *subject) passes(
	t *testing.T, long time.Duration, flags ...string,
) (executions int, complete bool) {
	t.Helper()
	s.cases = nil
	s.explore(t, append(flags, "-max-executions=1000",
		"-timeout="+long.Round(time.Second).String())...)
	for _, r := range s.cases {
		if r.Verdict != "pass" || len(r.Findings) > 0 {
			t.Errorf("%v: %s: %s%v", flags, r.Verdict, r.Reason, r.Findings)
		}
		executions, complete = executions+r.Executions, r.Complete
	}
	return executions, complete
}

// connsModule makes a module with the tests.
func connsModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"),
		"module conns\n\ngo 1.26.0\n\nrequire golang.org/x/net v0.16.0\n")
	write(t, filepath.Join(dir, "conns_test.go"), connsText)
	tidy(t, dir)
	return dir
}

// tidy gets what the module in a directory needs.
func tidy(t *testing.T, dir string) {
	t.Helper()
	cmd := osexec.Command("go", "mod", "tidy")
	cmd.Dir = dir
	if _, err := cmd.Output(); err != nil {
		var exit *osexec.ExitError
		if errors.As(err, &exit) {
			t.Skipf("go cannot get what is needed: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
}
