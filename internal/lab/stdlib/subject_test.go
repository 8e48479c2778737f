package stdlib

import (
	"bytes"
	"encoding/json"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// subject is one package.
type subject struct {
	name   string
	binary string            // the controlled one
	native map[string]string // what go test says of each case: "pass", "fail" or "skip"
	cases  []result
	all    int // cases, also those that there was no time for
}

// result is what the exploration of a case says, as far as it is looked at, or of a package: then
// Tests counts its cases.
type result struct {
	Action, Test, Verdict, Reason string
	Tests                         int
	Complete                      bool
	Executions                    int
	Findings                      []struct{ Kind, Message, Pos string }
}

// budget is for one subject. With -short, because a million rounds of a loop are no better test
// here than a few.
// TestPool of package sync asserts what a garbage collection leaves of a pool, and fails with a
// processor of its own, which ends the process.
var budget = []string{"-json", "-short", "-max-executions=10", "-skip=^TestPool$"}

// explore fills in the cases of s, in the order in which they are run.
func (s *subject) explore(t *testing.T, flags ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	time := "-timeout=2s"
	if *whole || *update {
		time = "-timeout=6s"
	}
	code, err := exec.Run(s.binary, slices.Concat(budget, []string{time}, flags), &stdout, &stderr)
	if err != nil || !bytes.Contains(stdout.Bytes(), []byte(`{"Action":"package"`)) {
		t.Fatalf("%s: exit code %d, %v\n%s\n%s", s.name, code, err, &stdout, &stderr)
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		var r result
		err := json.Unmarshal(line, &r)
		switch {
		case err != nil:
		case r.Action == "result":
			s.cases = append(s.cases, r)
		case r.Action == "package":
			s.all += r.Tests
		}
	}
}

// build builds the packages that patterns name, seen from dir.
func build(t *testing.T, dir string, patterns ...string) []*subject {
	t.Helper()
	packages, err := exec.Build(dir, options.Default(), patterns)
	if err != nil {
		t.Fatal(err)
	}
	var list []*subject
	for _, p := range packages {
		if p.Binary != "" {
			list = append(list, &subject{name: p.Path, binary: p.Binary,
				native: map[string]string{}})
		}
	}
	return list
}

// testNatively runs the tests of subjects as go does.
func testNatively(t *testing.T, dir string, subjects []*subject) {
	t.Helper()
	args := []string{"test", "-short", "-vet=off", "-json"}
	byName := map[string]*subject{}
	for _, s := range subjects {
		args, byName[s.name] = append(args, s.name), s
	}
	cmd := osexec.Command("go", args...)
	cmd.Dir = dir
	out, _ := cmd.Output() // an error is a test that fails: the table shows it
	for line := range bytes.Lines(out) {
		var event struct{ Action, Package, Test string }
		err := json.Unmarshal(line, &event)
		if s := byName[event.Package]; err == nil && s != nil &&
			slices.Contains([]string{"pass", "fail", "skip"}, event.Action) {
			s.native[event.Test] = event.Action
		}
	}
}

// ownCache keeps the binaries, which no other test can use, out of the user's cache.
func ownCache(t *testing.T) {
	t.Helper()
	t.Setenv("GOCACHE", goEnv(t, "GOCACHE"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := osexec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// goRoot is the directory of the Go installation, if it has what is asked for.
func goRoot(t *testing.T, sub string) string {
	t.Helper()
	root := runtime.GOROOT()
	if out, err := osexec.Command("go", "env", "GOROOT").Output(); err == nil {
		root = strings.TrimSpace(string(out))
	}
	if _, err := os.Stat(filepath.Join(root, sub)); err != nil {
		t.Skipf("this Go installation has no %s: %v", sub, err)
	}
	return root
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
