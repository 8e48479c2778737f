package kills

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

var (
	runs    = flag.Int("runs", 1, "searches whose helpers are killed")
	senders = flag.Int("senders", 6, "goroutines of each, in all their orders")
	every   = flag.Duration("every", 20*time.Millisecond, "a helper is killed so often")
)

// turn fails in some of the orders of its goroutines.
const turn = `package turn

import "testing"

var work int

func TestTurn(t *testing.T) {
	const n = %d
	ch := make(chan int, n)
	for i := range n {
		go func() { ch <- i }()
	}
	first, last := <-ch, 0
	for range n - 1 {
		last = <-ch
	}
	t.Log(first)
	if first == n-1 && last == 0 {
		t.Error("turned")
	}
	for range 500_000 {
		work++
	}
}
`

// TestHelpers: helpers are killed with kill -9 at any time, and the report is that of one process,
// but for the times.
func TestHelpers(t *testing.T) {
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip("the children of a process are read from /proc")
	}
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module turn.test\n\ngo 1.26\n",
		"turn_test.go": fmt.Sprintf(turn, *senders)} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := exec.Build(root, options.Default(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	search := func(flags ...string) (report string, kills int) {
		cmd := osexec.Command(packages[0].Binary, append(flags, "-v", "-timeout=0")...)
		cmd.Dir = root
		return run(t, cmd)
	}
	want, _ := search("-p=1", "-strategy=optimal")
	killed, least := 0, -1
	for n := range *runs {
		got, kills := search("-p=3", "-independence=none")
		if got != want {
			t.Fatalf("after %d kills\n%s\nwant\n%s", kills, got, want)
		}
		t.Logf("run %d: equal after %d kills", n+1, kills)
		killed += kills
		if least < 0 || kills < least {
			least = kills
		}
	}
	t.Logf("%d runs, %d kills, at least %d in each", *runs, killed, least)
	if killed == 0 {
		t.Error("nothing was killed")
	}
}

// differ is what may differ between two reports: times, redundant executions, whether and in which
// order a finding is shown while the search goes on, and so whether the end shows it again, and the
// line of the package.
var differ = regexp.MustCompile(` \(\d+\.\d+s\)| \(and \d+ redundant\)|` +
	`(?ms:\n*^=== FOUND .*?^ *replay .*?$\n)|(?m:^(ok|FAIL)\s.*\n)`)

// findings is what a test's report says of its findings, between the verdict and the outcomes.
var findings = regexp.MustCompile(`(?s)(\n--- FAIL: [^\n]*\n).*?(\n    outcomes, )`)

// run runs a search, and kills its helpers now and then.
func run(t *testing.T, cmd *osexec.Cmd) (report string, kills int) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(cmd.Dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		cmd.Wait() // it fails: what it explores does
		stop()
	}()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(*every):
			if killOne(cmd.Process.Pid) {
				kills++
			}
		}
	}
	if !strings.Contains(stdout.String(), "complete") {
		t.Fatalf("%s%s", stdout.String(), stderr.String())
	}
	report = differ.ReplaceAllString(stdout.String(), "")
	return findings.ReplaceAllString(report, "$1$2"), kills
}

// killOne kills a child of a process, and reports whether there was one.
func killOne(pid int) bool {
	var children []int
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, number := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(number); err == nil {
				children = append(children, child)
			}
		}
	}
	if len(children) == 0 {
		return false
	}
	return syscall.Kill(children[rand.IntN(len(children))], syscall.SIGKILL) == nil
}
