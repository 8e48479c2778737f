package pairs

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/record"
)

// TestDebug: of the bug of each pair, `replay -debug` stops delve at the step that decides, and the
// frame that is selected is the line that does this step, as the record of the finding has it.
func TestDebug(t *testing.T) {
	if !*fetch {
		t.Skip("it fetches modules from the network; ask for it with -pairs")
	}
	if _, err := osexec.LookPath("dlv"); err != nil {
		t.Skip("there is no dlv")
	}
	ownCache(t)
	rehearse := filepath.Join(t.TempDir(), "rehearse")
	goCommand(t, "../../..", "build", "-o", rehearse, "./cmd/rehearse")
	for _, p := range known {
		t.Run(p.name, func(t *testing.T) {
			dir, test := install(t, p, p.buggy)
			failing := failingOrder(t, rehearse, dir, test, p)
			where, step := stopped(t, rehearse, dir, failing.Schedule)
			line := innermost(t, failing, step)
			t.Logf("step %d of %d is %s; delve stops at %s", step, len(failing.Preds), line, where)
			if filepath.Base(where) != filepath.Base(line) && !deferred(t, where) {
				t.Errorf("delve stops at %s, and the step is %s", where, line)
			}
		})
	}
}

// innermost is the line that does a step, counted from 1: of the whole program, libraries and all.
func innermost(t *testing.T, x *record.Trace, step int) string {
	t.Helper()
	e := &x.Events
	if step < 1 || step > len(e.Site) {
		t.Fatalf("it stops behind step %d of %d", step, len(e.Site))
	}
	site := e.Site[step-1]
	if stack := e.Stack[step-1]; stack >= 0 && len(x.Stacks[stack]) > 0 {
		site = x.Stacks[stack][0].Site
	}
	return x.Sites[site].Place
}

// deferred reports whether a line is a defer statement, whose call is done where the function
// returns: without optimisations, the frame of the call is at the statement.
func deferred(t *testing.T, where string) bool {
	t.Helper()
	file, number, _ := strings.Cut(where, ":")
	text, err := os.ReadFile(file)
	n, _ := strconv.Atoi(number)
	lines := strings.Split(string(text), "\n")
	if err != nil || n < 1 || n > len(lines) {
		t.Fatalf("%s: %v", where, err)
	}
	return strings.HasPrefix(strings.TrimSpace(lines[n-1]), "defer ")
}

// failingOrder explores a driver up to its first finding, and returns what the record has of the
// bug's failing execution. The schedule's name is its file's.
func failingOrder(t *testing.T, rehearse, dir, test string, p pair) *record.Trace {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.record")
	said, _ := command(dir, "", rehearse, "test", "-failfast", "-timeout=5m", "-run=^"+test+"$",
		"-record="+file, ".") // it exits with 1, as something is found
	in, err := os.Open(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	defer in.Close()
	packages, err := record.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range packages[0].Tests[0].Found {
		if f.Kind == p.kind && strings.Contains(f.Message, p.message) && f.Failing != nil {
			f.Failing.Schedule = f.Schedule
			return f.Failing
		}
	}
	t.Fatalf("the bug is not recorded:\n%s", said)
	return nil
}

var (
	behind   = regexp.MustCompile(`stops for a debugger behind step (\d+) of \d+`)
	selected = regexp.MustCompile(`(?m)^Frame \d+: (\S+:\d+) \(PC`)
)

// stopped has delve run the replay of a schedule, and returns the line of the frame that is
// selected when it stops, and behind which step that is.
func stopped(t *testing.T, rehearse, dir, schedule string) (where string, step int) {
	t.Helper()
	out, err := command(dir, "", rehearse, "replay", "-debug", schedule)
	at := strings.Index(out, "dlv exec ")
	if err != nil || at < 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	words := strings.Fields(out[at:])
	words = append([]string{"dlv", "exec", "--allow-non-terminal-interactive=true"}, words[2:]...)
	said, err := command(dir, "exit\n", words...)
	found, line := behind.FindStringSubmatch(said), selected.FindAllStringSubmatch(said, -1)
	if len(found) == 0 || len(line) == 0 {
		t.Fatalf("delve does not stop: %v\n%s", err, said)
	}
	step, _ = strconv.Atoi(found[1])
	return line[len(line)-1][1], step
}

// command runs a command in dir, and returns what it prints.
func command(dir, in string, words ...string) (string, error) {
	cmd := osexec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw", "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
