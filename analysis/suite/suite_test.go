package suite

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestMain makes the test binary a vet tool when the go command calls it as one. With facts, it has
// the checks of facts_test.go, too.
func TestMain(m *testing.M) {
	switch os.Getenv("REHEARSE_TEST_VETTOOL") {
	case "facts":
		Analyzers = append(Analyzers, marks)
		VetTool()
	case "1":
		VetTool()
	}
	os.Exit(m.Run())
}

const source = `package p

type S struct{ in chan int }

func New() *S {
	s := &S{make(chan int)}
	go s.a()
	return s
}

func (s *S) a() {
	for m := range s.in {
		println(m)
	}
}
`

// TestBuildID compares the name that the go command gets of this executable with what the go
// command itself reads from it. Two tools with one name would share their results.
func TestBuildID(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("executables have another format")
	}
	want, err := exec.Command("go", "tool", "buildid", exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := buildID(); got == "" || got != strings.TrimSpace(string(want)) {
		t.Errorf("the build ID is %q, go tool buildid says %q", got, want)
	}
}

// The second receiver is in a test file: it is seen in the test variant only.
const test = `package p

import "testing"

func TestS(t *testing.T) {
	s := New()
	go func() {
		for m := range s.in {
			println("test", m)
		}
	}()
	s.in <- 1
}
`

const message = `mailbox S.in has two receivers, TestS.func1 here and S.a at p.go:12: a message reaches only one of them`

// write makes a module of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goVet runs go vet with the test binary as its tool.
func goVet(t *testing.T, dir string, flags []string,
	patterns ...string) (stdout, stderr string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mode := "1"
	if slices.Contains(flags, "facts") {
		mode, flags = "facts", nil
	}
	cmd := exec.Command("go", slices.Concat([]string{"vet", "-vettool=" + self}, flags,
		patterns)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REHEARSE_TEST_VETTOOL="+mode)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func TestVetTool(t *testing.T) {
	dir := write(t, map[string]string{"go.mod": "module example.org/p\n\ngo 1.24\n", "p.go": source,
		"p_test.go": test})
	stdout, stderr, err := goVet(t, dir, []string{"-json"}, ".")
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	var tree map[string]map[string][]struct {
		Posn, End, Message string
		Related            []struct{ Posn string }
	}
	if err := json.Unmarshal([]byte(stdout), &tree); err != nil {
		t.Fatalf("%v in\n%s", err, stdout)
	}
	ds := tree["example.org/p"]["uniqueness"]
	if len(ds) != 1 || ds[0].Message != message || len(ds[0].Related) != 1 || ds[0].End == "" {
		t.Errorf("got %s", stdout)
	}
}

// TestIgnored silences the finding. A comment that silences nothing is the finding then.
func TestIgnored(t *testing.T) {
	const loop, comment = "\t\tfor m := range s.in {\n\t\t\tprintln(\"test\"",
		"\t\t//rehearse:ignore uniqueness for the test\n"
	silenced := strings.Replace(test, loop, comment+loop, 1)
	if silenced == test {
		t.Fatal("the loop is not there")
	}
	files := map[string]string{"go.mod": "module example.org/p\n\ngo 1.24\n", "p.go": source,
		"p_test.go": silenced}
	if _, stderr, err := goVet(t, write(t, files), nil, "."); err != nil || stderr != "" {
		t.Errorf("%v\n%s", err, stderr)
	}
	files["p.go"] = strings.Replace(source, "go s.a()", "", 1)
	files["p.go"] = strings.Replace(files["p.go"], "for m := range s.in {", "{ m := 0", 1)
	_, stderr, err := goVet(t, write(t, files), nil, ".")
	if err == nil || !strings.Contains(stderr, "p_test.go:8:3: this comment silences nothing") {
		t.Errorf("%v\n%s", err, stderr)
	}
}

func TestValid(t *testing.T) {
	if err := analysis.Validate(Checks()); err != nil {
		t.Error(err)
	}
}

func TestHashes(t *testing.T) {
	hash := strings.Repeat("h", 20)
	for id, want := range map[string]bool{
		"": false, "redacted": false, hash: false, "v1/v2": false, hash + "/v2": false,
		hash + "/" + hash: true, hash + "/" + hash + "/" + hash + "/" + hash: true,
	} {
		if got := hashes(id); (got != "") != want || want && got != id {
			t.Errorf("%q: got %q, want it to be taken: %v", id, got, want)
		}
	}
}
