package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The programs under test call package hook as rewritten code does.

// race fails when the second sender is received first.
func race(tb gate.TB) {
	ch := hook.Made(make(chan int))
	hook.Go("first", func() { hook.Send(ch).V(1) })
	hook.Go("second", func() { hook.Send(ch).V(2) })
	v := hook.Recv(ch)
	hook.Recv(ch)
	if v == 2 {
		tb.Log("second came first")
		tb.Fail()
	}
}

// raceEdited is race after an edit that moves nothing: a line is logged, and another process is
// there.
func raceEdited(tb gate.TB) {
	ch := hook.Made(make(chan int))
	hook.Go("first", func() { hook.Send(ch).V(1) })
	hook.Go("second", func() { hook.Gosched(); hook.Send(ch).V(2) })
	hook.Go("third", func() {})
	tb.Log("starting")
	v := hook.Recv(ch)
	hook.Recv(ch)
	if v == 2 {
		tb.Fail()
	}
}

// racePrefaced is race after an edit that puts operations before the start of its processes.
func racePrefaced(tb gate.TB) {
	full := hook.Made(make(chan int, 1))
	hook.Send(full).V(1)
	hook.Recv(full)
	race(tb)
}

// raceFixed has no second sender any more.
func raceFixed(tb gate.TB) {
	ch := hook.Made(make(chan int))
	hook.Go("first", func() { hook.Send(ch).V(1); hook.Send(ch).V(2) })
	hook.Recv(ch)
	hook.Recv(ch)
}

func fine(tb gate.TB) {
	ch := hook.Made(make(chan int, 1))
	hook.Go("sender", func() { hook.Send(ch).V(1) })
	hook.Recv(ch)
}

func deadlock(tb gate.TB) {
	hook.Recv(hook.Made(make(chan int)))
}

func crash(tb gate.TB) {
	ch := hook.Made(make(chan int))
	hook.Close(ch)
	hook.Close(ch)
}

// endless has so many executions, and so long ones, that no test waits for their end.
func endless(tb gate.TB) {
	for range 2 {
		hook.Go("spinner", func() {
			for {
				hook.Gosched()
			}
		})
	}
}

// choosy fails when a select with two ready cases takes the second, and when one with a default
// takes that.
func choosy(tb gate.TB) {
	a, b := hook.Made(make(chan int, 1)), hook.Made(make(chan int, 1))
	c := hook.Made(make(chan int))
	hook.Go("sender", func() { hook.Send(c).V(1) })
	hook.Send(a).V(1)
	hook.Send(b).V(2)
	if hook.Select(false, hook.R(a), hook.R(b)) == 1 && hook.Select(true, hook.R(c)) == 0 {
		tb.Log("second case")
		tb.Fail()
		return
	}
	hook.Recv(c)
}

// outcome is what one run of a suite did.
type outcome struct {
	code           int
	stdout, stderr string
}

// runSuite runs the tests as a binary with these arguments would, in directory dir.
func runSuite(t *testing.T, dir string, tests []gate.Test, args ...string) outcome {
	t.Helper()
	return runPackage(t, Package{Path: "example.org/p", Dir: dir}, tests, args...)
}

func runPackage(t *testing.T, p Package, tests []gate.Test, args ...string) outcome {
	t.Helper()
	o, _, err := options.Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(p.Dir))
	s, err := newSuite(p, o)
	if err != nil {
		t.Fatal(err)
	}
	s.watch = watch.New(s.places, s.stderr, s.opts.Timeout, s.deadline)
	defer s.watch.End()
	var stdout, stderr bytes.Buffer
	s.stdout, s.stderr = &stdout, &stderr
	code := s.run(tests)
	return outcome{code, stdout.String(), stderr.String()}
}

func tests(name string, f func(gate.TB)) []gate.Test { return []gate.Test{{Name: name, Run: f}} }

// results parses the lines of -json with the given action.
func results(t *testing.T, out, action string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m["Action"] == action {
			list = append(list, m)
		}
	}
	return list
}

func savedFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "testdata/rehearse/*/*.sched"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name string
		run  func(gate.TB)
		args []string
		want int
	}{
		{"fine", fine, nil, process.Clean},
		{"race", race, nil, process.Finding},
		{"deadlock", deadlock, nil, process.Finding},
		{"crash", crash, nil, process.Finding},
		{"bounded", race, []string{"-max-executions=1"}, process.Budget},
		{"budget", endless, []string{"-timeout=10ms"}, process.Budget},
		{"livelock", endless, []string{"-max-steps=100", "-failfast"}, process.Finding},
		{"no such test", fine, []string{"-run=Nothing"}, process.Failure},
		{"no such test here", fine, []string{"-run=Nothing", "-several"}, process.Clean},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := runSuite(t, t.TempDir(), tests("TestX", tt.run), tt.args...)
			if got.code != tt.want {
				t.Errorf("exit code %d, want %d\n%s%s", got.code, tt.want, got.stdout, got.stderr)
			}
		})
	}
}

func TestNoSuchTestNamesThoseThatExist(t *testing.T) {
	got := runSuite(t, t.TempDir(), append(tests("TestA", fine), tests("TestB", fine)...),
		"-run=TestC")
	want := "rehearse: -run TestC matches no test of example.org/p; it has TestA, TestB\n"
	if got.stderr != want {
		t.Errorf("got %q, want %q", got.stderr, want)
	}
}

func TestFindingIsSavedAndReplayedFirst(t *testing.T) {
	dir := t.TempDir()
	first := runSuite(t, dir, tests("TestRace", race), "-json")
	files := savedFiles(t, dir)
	if len(files) != 1 {
		t.Fatalf("saved %q\n%s", files, first.stdout)
	}
	finding := results(t, first.stdout, "finding")[0]
	if finding["Kind"] != "fail" || !strings.HasSuffix(files[0], finding["Schedule"].(string)) {
		t.Errorf("finding %v", finding)
	}
	// The exploration is too short to find it, the saved schedule is not.
	second := runSuite(t, dir, tests("TestRace", race), "-json", "-max-executions=1")
	r := results(t, second.stdout, "result")[0]
	if second.code != process.Finding || r["Verdict"] != "fail" || len(r["Findings"].([]any)) != 1 {
		t.Errorf("exit code %d, result %v", second.code, r)
	}
	if again := savedFiles(t, dir); !slices.Equal(again, files) {
		t.Errorf("the second run saved %q", again)
	}
}

func TestSavedScheduleSurvivesEdits(t *testing.T) {
	dir := t.TempDir()
	runSuite(t, dir, tests("TestRace", race))
	for _, edit := range []struct {
		run  func(gate.TB)
		note string
	}{{raceEdited, "operations added: 2, removed: 1"},
		{racePrefaced, "operations added: 2, removed: 0"}} {
		got := runSuite(t, dir, tests("TestRace", edit.run), "-max-executions=1")
		if got.code != process.Finding ||
			!strings.Contains(got.stdout,
				"the program has changed since it was saved: "+edit.note) {
			t.Errorf("exit code %d, want a finding and %s\n%s", got.code, edit.note, got.stdout)
		}
	}
}

func TestSavedScheduleThatNoLongerApplies(t *testing.T) {
	dir := t.TempDir()
	runSuite(t, dir, tests("TestRace", race))
	got := runSuite(t, dir, tests("TestRace", raceFixed))
	if got.code != process.Clean || !strings.Contains(got.stdout, "no longer applies (choice 1 of ") {
		t.Errorf("exit code %d\n%s", got.code, got.stdout)
	}
}

func TestDamagedScheduleIsNotedAndSavedAnew(t *testing.T) {
	dir := t.TempDir()
	runSuite(t, dir, tests("TestRace", race))
	file := savedFiles(t, dir)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)*3/4], 0o666); err != nil {
		t.Fatal(err)
	}
	got := runSuite(t, dir, tests("TestRace", race))
	if !strings.Contains(got.stdout, "it was cut off; run rehearse test again to save it anew") {
		t.Errorf("no note\n%s", got.stdout)
	}
	if anew, _ := os.ReadFile(file); !bytes.Equal(anew, whole) {
		t.Errorf("the schedule was not saved anew:\n%s", anew)
	}
}

func TestReplay(t *testing.T) {
	for name, f := range map[string]func(gate.TB){"race": race, "choosy": choosy,
		"deadlock": deadlock,
		"crash":    crash} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			runSuite(t, dir, tests("TestX", f))
			file, err := filepath.Rel(filepath.Dir(dir), savedFiles(t, dir)[0])
			if err != nil {
				t.Fatal(err)
			}
			got := runSuite(t, dir, tests("TestX", f), "-replay="+file, "-count=100")
			if got.code != process.Finding || !strings.HasSuffix(got.stdout, "replayed 100 of 100\n") {
				t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
			}
		})
	}
}

func TestReplayOfAnotherPackageOrTest(t *testing.T) {
	dir := t.TempDir()
	for want, sched := range map[string]*trace.Schedule{
		"it is a schedule of package example.org/q, and this is example.org/p": {Package: "example.org/q",
			Test: "TestX", Model: "go"},
		"it is a schedule of TestY, which example.org/p does not have": {Package: "example.org/p",
			Test: "TestY", Model: "go"},
		"it was made with -model actor, and this is -model go": {Package: "example.org/p",
			Test: "TestX", Model: "actor"},
	} {
		file := filepath.Join(dir, "x.sched")
		if err := os.WriteFile(file, sched.Format(), 0o666); err != nil {
			t.Fatal(err)
		}
		got := runSuite(t, dir, tests("TestX", fine), "-replay="+file)
		if got.code != process.Failure || got.stderr != "rehearse: "+file+": "+want+"\n" {
			t.Errorf("exit code %d, stderr %q, want %q", got.code, got.stderr, want)
		}
	}
}

// TestNondeterminismIsNoticed: what the program does depends on how often it ran.
func TestNondeterminismIsNoticed(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	counter := func(tb gate.TB) {
		if runs++; runs%2 == 0 {
			hook.Go("extra", func() { hook.Gosched() })
		}
		race(tb)
	}
	sched := &trace.Schedule{Package: "example.org/p", Test: "TestX", Model: "go"}
	file := filepath.Join(dir, "x.sched")
	if err := os.WriteFile(file, sched.Format(), 0o666); err != nil {
		t.Fatal(err)
	}
	got := runSuite(t, dir, tests("TestX", counter), "-replay="+file, "-count=10")
	if got.code != process.Finding ||
		!strings.Contains(got.stdout,
			"nondeterminism  the same schedule gave different executions") ||
		!strings.Contains(got.stdout,
			"what carries over from one execution to the next: variables captured") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestMainFunctionIsExplored(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	o := options.Default()
	o.Verbose = true
	s, err := newSuite(Package{Path: "example.org/p", Dir: dir, Main: func() { fine(nil) }}, o)
	if err != nil {
		t.Fatal(err)
	}
	s.watch = watch.New(s.places, s.stderr, s.opts.Timeout, s.deadline)
	defer s.watch.End()
	var out bytes.Buffer
	s.stdout = &out
	if code := s.run(nil); code != process.Clean || !strings.Contains(out.String(), "--- PASS: main ") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}
