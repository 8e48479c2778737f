package refining

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestSweep: schedules of observers that were only tried do not stay in the user's directory; all
// other files do.
func TestSweep(t *testing.T) {
	write := func(dir, name string) string {
		file := filepath.Join(dir, "testdata", "rehearse", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	empty, other := t.TempDir(), t.TempDir()
	kept := write(other, "TestUsers/1.sched")
	b := &bench{left: []string{write(empty, "TestRefineX_1/2.sched"),
		write(other, "TestRefineX_1/2.sched"), filepath.Join(other, "moved.sched")}}
	b.sweep()
	for path, want := range map[string]bool{filepath.Join(empty, "testdata"): false, empty: true,
		filepath.Join(other, "testdata", "rehearse", "TestRefineX_1"): false, kept: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %t", path, err == nil)
		}
	}
}

// TestHead: of a panic while packages are initialised, the text and the place are told.
func TestHead(t *testing.T) {
	for text, want := range map[string]string{
		"panic: no\n\ngoroutine 1 [running]:\np.init.0()\n\t/p/c.go:7 +0x25\n":   "/p/c.go:7: panic: no",
		"ready\npanic: no\n\ngoroutine 1 [running]:\np.f()\n\t/p/c.go:7 +0x25\n": "/p/c.go:7: panic: no",
		"rehearse: one line": "rehearse: one line",
	} {
		if got := headOf(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestExisting: a revision may have a directory that is here no longer.
func TestExisting(t *testing.T) {
	dir := t.TempDir()
	here, gone := existing(filepath.Join(dir, "a", "b"))
	if here != dir || gone != filepath.Join("a", "b") {
		t.Errorf("%s and %s", here, gone)
	}
	if here, gone := existing(dir); here != dir || gone != "" {
		t.Errorf("%s and %s", here, gone)
	}
}

// TestLent: a harness in an external test package imports the package that it is lent to.
func TestLent(t *testing.T) {
	const text = "package p_test\n\nimport (\n\t\"os\"\n\tq %q // it\n)\n\nvar _ = q.New\n"
	got, err := importing(fmt.Appendf(nil, text, "example.org/new"), "example.org/new",
		"example.org/old")
	if want := fmt.Sprintf(text, "example.org/old"); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
