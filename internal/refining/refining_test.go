package refining

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/exec"
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

// TestLend: a side gets the harness, and what the harness uses and the side does not declare. The
// declarations of the side stay. Everything is in its line.
func TestLend(t *testing.T) {
	old, new := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(old, "old.go", "package old\n\ntype Cell struct{}\n")
	write(old, "cell_test.go", "package old\n\nimport (\n\t\"os\"\n\t\"time\"\n)\n\n"+
		"var now = time.Now()\n\n// RefineCell is old.\nfunc RefineCell() *Cell { os.Exit(1); return nil }\n")
	write(new, "new.go", "package new\n\ntype Cell struct{ n int }\n")
	write(new, "cell_test.go", "package new\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n"+
		"func TestCell(t *testing.T) {}\n\nfunc RefineCell() *Cell { return fake{}.cell(os.Args) }\n"+
		"func RefineCellValues() []int { return []int{one, 2} }\n")
	write(new, "fake_test.go", "package new\n\nimport \"time\"\n\ntype (\n\tfake  struct{}\n"+
		"\tother struct{}\n)\n\nconst (\n\tzero = iota\n\tone\n)\n\nvar now = time.Now()\n\n"+
		"func (fake) cell(a []string) *Cell { return nil }\n")
	write(new, "outside_test.go", "package new_test\n\nimport \"example.org/new\"\n\n"+
		"func RefineOutside() *new.Cell { return nil }\n")
	l, err := lend(built{Package: exec.Package{Path: "example.org/old", Dir: old}},
		built{Package: exec.Package{Path: "example.org/new", Dir: new}},
		[]string{"RefineCell", "RefineOutside"}, "")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(` *\n`)
	for name, want := range map[string]string{
		"cell_test.go": "package old\n\nimport (\n\n\t\"time\"\n)\n\nvar now = time.Now()\n\n\n\n",
		"zz_lent_cell_test.go": "package old\n\nimport (\n\t\"os\"\n\n)\n\n\n\n" +
			"func RefineCell() *Cell { return fake{}.cell(os.Args) }\n" +
			"func RefineCellValues() []int { return []int{one, 2} }\n",
		"zz_lent_fake_test.go": "package old\n\n\n\ntype (\n\tfake  struct{}\n\n)\n\n" +
			"const (\n\tzero = iota\n\tone\n)\n\n\n\nfunc (fake) cell(a []string) *Cell { return nil }\n",
		"zz_lent_outside_test.go": "package old_test\n\nimport new \"example.org/old\"\n\n" +
			"func RefineOutside() *new.Cell { return nil }\n",
	} {
		got := lines.ReplaceAllString(string(l.files[filepath.Join(old, name)]), "\n")
		got = strings.ReplaceAll(got, "\t\n", "\n")
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := strings.Join(l.names, " "); len(l.files) != 4 ||
		got != "RefineCell RefineCellValues RefineOutside fake one" {
		t.Errorf("%d files, %s", len(l.files), got)
	}
}
