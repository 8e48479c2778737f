package main

import (
	"encoding/json"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testDebug: a replay for a debugger stops behind the step that decides, in the goroutine that has
// done it, and the frame that is selected is the line that the report names.
func testDebug(t *testing.T) {
	var out, errs strings.Builder
	found, _ := filepath.Glob("testdata/rehearse/TestTheatre/*.sched")
	if len(found) != 1 {
		t.Fatal(found)
	}
	out.Reset()
	if code := runReplay([]string{"-dap", found[0]}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var launch struct {
		Program, Mode string
		Args          []string
	}
	if err := json.Unmarshal([]byte(out.String()), &launch); err != nil || launch.Mode != "exec" {
		t.Fatalf("%v: %s", err, out.String())
	}
	said, _ := osexec.Command(launch.Program, launch.Args...).CombinedOutput()
	if !strings.Contains(string(said), "stops for a debugger behind step 3 of 13") ||
		!strings.Contains(string(said), "-1 seats left") {
		t.Errorf("%s", said)
	}
	out.Reset()
	if code := runReplay([]string{"-debug", found[0]}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if !strings.Contains(out.String(), " dlv exec ") ||
		!strings.Contains(out.String(), " -- -at=decide -replay=") {
		t.Errorf("%s", out.String())
	}
	if _, err := osexec.LookPath("dlv"); err != nil {
		t.Log("the debugger is not tried: there is no dlv")
		return
	}
	command := strings.Fields(strings.Replace(out.String(), "dlv exec",
		"dlv exec --allow-non-terminal-interactive=true", 1))
	dlv := osexec.Command(command[0], command[1:]...)
	dlv.Stdin, dlv.Env = strings.NewReader("print seats\ngoroutines -l\nexit\n"),
		append(os.Environ(), "NO_COLOR=1")
	said, err := dlv.CombinedOutput()
	for _, want := range []string{": ./theatre.go:14 ", "(dlv) 1\n", `"process":"theatre"`,
		`"process":"TestTheatre.func@11"`} {
		if !strings.Contains(string(said), want) {
			t.Errorf("delve does not say %q: %v\n%s", want, err, said)
		}
	}
}

// TestDebugFlags: what is for replays is refused elsewhere, with the command to type.
func TestDebugFlags(t *testing.T) {
	for _, c := range []struct {
		run  func([]string) (int, string)
		args []string
		want string
	}{
		{tested, []string{"-debug"}, "flags of rehearse replay"},
		{tested, []string{"-trace", "x.json"}, "flags of rehearse replay"},
		{replayed, []string{"-at", "never", "x.sched"}, "the number of a step, from 1, or decide"},
		{replayed, []string{"-at", "0", "x.sched"}, "the number of a step, from 1, or decide"},
	} {
		if code, said := c.run(c.args); code != 2 || !strings.Contains(said, c.want) ||
			strings.Count(said, "\n") != 1 {
			t.Errorf("%v: exit code %d: %s", c.args, code, said)
		}
	}
}

func tested(args []string) (int, string) {
	var errs strings.Builder
	return runTest(args, &errs, &errs), errs.String()
}

func replayed(args []string) (int, string) {
	var errs strings.Builder
	return runReplay(args, &errs, &errs), errs.String()
}
