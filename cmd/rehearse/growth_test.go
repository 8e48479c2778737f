package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// cut is a function that returns at once, so that what only this function needs is not linked.
type cut struct{ file, header, returns string }

// renderings are the functions that make files for people and build servers, liveView serves the
// page of rehearse view, and recording is what test binaries do for either.
var (
	renderings = []cut{
		{"internal/page/page.go", "func Write(w io.Writer, d Data) error {", "nil"},
		{"internal/ci/sarif.go", "func SARIF(w io.Writer, packages []*record.Package) error {", "nil"},
		{"internal/ci/junit.go", "func JUnit(w io.Writer, packages []*record.Package) error {", "nil"},
		{"internal/ci/github.go",
			"func Annotations(w io.Writer, packages []*record.Package, root string) {", ""},
		{"internal/ci/github.go", "func Summary(w io.Writer, packages []*record.Package) error {",
			"nil"},
		{"internal/traces/traces.go",
			"func Write(w io.Writer, file string, packages []*record.Package) error {", "nil"},
	}
	liveView = []cut{
		{"cmd/rehearse/view.go", "func runView(args []string, stdout, stderr io.Writer) int {", "2"},
	}
	recording = []cut{
		{"explore/study/recorded.go", "\trole string) (*trace.Execution, *record.Trace) {",
			"d.Show(alts), nil"},
		{"explore/study/recorded.go", "\trole string) *record.Trace {", "nil"},
		{"explore/study/recorded.go",
			"func (d *Desk) Examples(outcomes []explore.Outcome) (list []*record.Trace) {", "nil"},
		{"explore/session/outputs.go",
			"func (o *outputs) recorded(out report.Reporter) (report.Reporter, error) {", "out, nil"},
		{"explore/session/explorer.go",
			"func (s *suite) explorer(tests []gate.Test, questions io.Reader) int {", "2"},
	}
)

// BenchmarkGrowth says how many bytes these add to the command, and to the binary of a small test.
func BenchmarkGrowth(b *testing.B) {
	for b.Loop() {
		command, plain := without(b), without(b, recording...)
		all, files := sizeOf(b, command), sizeOf(b, without(b, liveView...))
		none := sizeOf(b, without(b, append(renderings, liveView...)...))
		b.ReportMetric(float64(files-none), "B-renderings")
		b.ReportMetric(float64(all-files), "B-view")
		b.ReportMetric(float64(sizeOf(b, built(b, command))-sizeOf(b, built(b, plain))),
			"B-recording")
	}
}

// without builds the command without what cuts cut away.
func without(b *testing.B, cuts ...cut) (file string) {
	b.Helper()
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		b.Fatal(err)
	}
	root, dir, replace := strings.TrimSpace(string(where)), b.TempDir(), map[string]string{}
	for i, c := range cuts {
		name := filepath.Join(root, filepath.FromSlash(c.file))
		from := name
		if earlier := replace[name]; earlier != "" {
			from = earlier
		}
		text, err := os.ReadFile(from)
		if err != nil || strings.Count(string(text), c.header+"\n") != 1 {
			b.Fatalf("%s: no %q: %v", c.file, c.header, err)
		}
		replace[name] = filepath.Join(dir, string(rune('a'+i))+".go")
		ends := c.header + "\n\tif !false {\n\t\treturn " + c.returns + "\n\t}\n"
		changed := strings.Replace(string(text), c.header+"\n", ends, 1)
		if err := os.WriteFile(replace[name], []byte(changed), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(filepath.Join(dir, "o.json"), overlay, 0o666); err != nil {
		b.Fatal(err)
	}
	file = filepath.Join(dir, "rehearse")
	runIn(b, root, "go", "build", "-overlay", filepath.Join(dir, "o.json"), "-o", file,
		"./cmd/rehearse")
	return file
}

// built has a command build the binary of a test.
func built(b *testing.B, command string) (file string) {
	b.Helper()
	file = command + ".test"
	runIn(b, filepath.Join(subjectDir, "xchg"), command, "build", "-o", file, ".")
	return file
}

func runIn(b *testing.B, dir, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func sizeOf(b *testing.B, file string) int64 {
	b.Helper()
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
