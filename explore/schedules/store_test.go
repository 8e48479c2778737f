package schedules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestStore: what is saved is listed and read, once however often it is saved; other files are no
// schedules.
func TestStore(t *testing.T) {
	s := NewStore(t.TempDir(), "")
	if got := s.List("TestX"); got != nil {
		t.Errorf("an empty store has %q", got)
	}
	want := &trace.Schedule{Package: "example.org/p", Test: "TestX", Model: "go", Finding: "panic",
		Message: "boom", Choices: []trace.Choice{{Proc: "0", Kind: trace.Recv}}}
	saved := AsSaved(want)
	var files []string
	for range 2 {
		file, err := s.Save(saved)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	stray := filepath.Join(filepath.Dir(s.Path(files[0])), "notes.txt")
	if err := os.WriteFile(stray, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := s.List("TestX"); !slices.Equal(got, files[:1]) ||
		!strings.HasPrefix(files[0], "testdata/rehearse/TestX/") {
		t.Errorf("saved as %q, listed as %q", files, got)
	}
	got, err := s.Read(files[0])
	if err != nil || got.Test != want.Test || ProblemOf(got) != ProblemOf(want) {
		t.Errorf("read %+v, %v", got, err)
	}
	if got := s.List("TestY"); got != nil {
		t.Errorf("another test has %q", got)
	}
}

// TestStoreErrors: a file that is no schedule, or is not there, is an error, and a store that
// cannot be written to leaves nothing.
func TestStoreErrors(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(dir, "saved")
	if err := os.WriteFile(filepath.Join(dir, "saved"), []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"saved", "absent"} {
		if _, err := s.Read(file); err == nil {
			t.Errorf("%s is a schedule", file)
		}
	}
	if _, err := s.Save(AsSaved(&trace.Schedule{Test: "TestX"})); err == nil {
		t.Error("saved below a file")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
