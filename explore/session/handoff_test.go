package session

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/handoff"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// TestHandoff has a second test whose executions differ as long as a dependency is not under
// control.
func TestHandoff(t *testing.T) {
	differs, count := true, 0
	quiet := func(gate.TB) {}
	list := slices.Concat(tests("TestA", quiet), tests("TestB", func(tb gate.TB) {
		ch := hook.Made(make(chan int, 8))
		for range count {
			hook.Send(ch).V(1)
		}
		if differs {
			count++
		}
	}), tests("TestC", quiet))
	dir := t.TempDir()
	p := Package{Path: "example.org/p", Dir: dir, Carried: []string{"example.org/dep"}}
	flags := []string{"-json", "-count=2", "-handoff=" + filepath.Join(dir, "handoff")}

	first := runPackage(t, p, list, flags...)
	if got := testsIn(t, first.stdout, "result"); first.code != process.Again ||
		!slices.Equal(got, []string{"TestA"}) {
		t.Fatalf("code %d, results %q\n%s", first.code, got, first.stdout)
	}
	h, err := handoff.Read(filepath.Join(dir, "handoff"))
	if err != nil || !slices.Equal(h.Control, p.Carried) ||
		!slices.Equal(h.Begun, []string{"TestB"}) || !slices.Equal(h.Tests, []string{"TestC"}) ||
		h.Round != 0 || h.Total.Tests != 1 {
		t.Fatalf("%+v, %v", h, err)
	}

	differs = false
	second := runPackage(t, p, list, flags...)
	if got := testsIn(t, second.stdout, "result"); second.code != process.Clean ||
		!slices.Equal(got, []string{"TestB", "TestC", "TestA", "TestB", "TestC"}) {
		t.Errorf("code %d, results %q\n%s", second.code, got, second.stdout)
	}
	if got := testsIn(t, second.stdout, "run"); !slices.Equal(got,
		[]string{"TestC", "TestA", "TestB", "TestC"}) {
		t.Errorf("said to run: %q", got)
	}
	if all := results(t, second.stdout, "package")[0]; all["Tests"] != 6.0 ||
		all["Incomplete"] != 0.0 {
		t.Errorf("%v", all)
	}
}

// TestHandoffOnce: what differs still, with dependencies under control, is a finding; and so it is
// without -handoff.
func TestHandoffOnce(t *testing.T) {
	count := 0
	list := tests("TestA", func(tb gate.TB) {
		ch := hook.Made(make(chan int, 100))
		for range count {
			hook.Send(ch).V(1)
		}
		count++
	})
	dir := t.TempDir()
	p := Package{Path: "example.org/p", Dir: dir, Carried: []string{"example.org/dep"}}
	flag := "-handoff=" + filepath.Join(dir, "handoff")
	for i, flags := range [][]string{{"-json"}, {"-json", flag}, {"-json", flag}} {
		out := runPackage(t, p, list, flags...)
		if want := [...]int{process.Finding, process.Again, process.Finding}[i]; out.code != want {
			t.Errorf("%q, run %d: code %d\n%s", flags, i, out.code, out.stdout)
		}
	}
}

// TestHandoffStart: the time in which a process starts that goes on with the work of another one is
// of the budget.
func TestHandoffStart(t *testing.T) {
	list := tests("TestA", func(gate.TB) {})
	dir := t.TempDir()
	file := filepath.Join(dir, "handoff")
	for _, c := range []struct {
		ago        time.Duration
		fresh      bool
		incomplete float64
	}{{time.Hour, true, 1}, {0, true, 0}, {time.Hour, false, 0}} {
		h := handoff.Work{Fresh: c.fresh, Tests: []string{"TestA"}, Spent: time.Second,
			At: time.Now().Add(-c.ago)}
		if err := h.Write(file); err != nil {
			t.Fatal(err)
		}
		out := runPackage(t, Package{Path: "example.org/p", Dir: dir}, list, "-json",
			"-timeout=1m", "-handoff="+file)
		if all := results(t, out.stdout, "package")[0]; all["Incomplete"] != c.incomplete {
			t.Errorf("%+v: %v", c, all)
		}
	}
}

// testsIn lists the tests in the lines of an action.
func testsIn(t *testing.T, out, action string) (list []string) {
	for _, m := range results(t, out, action) {
		list = append(list, m["Test"].(string))
	}
	return list
}

// TestHandoffVanished: what fails once, because a dependency is fresh then, is no finding yet.
func TestHandoffVanished(t *testing.T) {
	fresh := true
	list := tests("TestA", func(tb gate.TB) {
		hook.Send(hook.Made(make(chan int, 1))).V(1)
		if fresh {
			fresh = false
			tb.Fail()
		}
	})
	dir := t.TempDir()
	p := Package{Path: "example.org/p", Dir: dir, Carried: []string{"example.org/dep"}}
	out := runPackage(t, p, list, "-json", "-failfast", "-handoff="+filepath.Join(dir, "handoff"))
	if out.code != process.Again || len(results(t, out.stdout, "finding")) > 0 {
		t.Errorf("code %d\n%s", out.code, out.stdout)
	}
}
