package suite

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestMain makes the test binary a vet tool when the go command calls it as one.
func TestMain(m *testing.M) {
	if os.Getenv("REHEARSE_TEST_VETTOOL") != "" {
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

func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/p\n\ngo 1.24\n", "p.go": source, "p_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRun(t *testing.T) {
	l, err := load.Load(load.Config{Dir: write(t), Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(l)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Print(&text); err != nil {
		t.Fatal(err)
	}
	if got, want := text.String(), "p_test.go:8:3: "+message+"\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	var out bytes.Buffer
	if err := r.PrintJSON(&out); err != nil {
		t.Fatal(err)
	}
	check(t, out.Bytes())
}

// check compares JSON with the one finding in source and test.
func check(t *testing.T, out []byte) {
	t.Helper()
	var tree map[string]map[string][]struct {
		Posn, End, Message string
		Related            []struct{ Posn string }
	}
	if err := json.Unmarshal(out, &tree); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	ds := tree["example.org/p"]["uniqueness"]
	if len(ds) != 1 || ds[0].Message != message || len(ds[0].Related) != 1 || ds[0].End == "" {
		t.Errorf("got %s", out)
	}
}

// TestVetTool runs go vet with the test binary as its tool. It must print what TestRun expects of Run.
func TestVetTool(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "vet", "-json", "-vettool="+self, ".")
	cmd.Dir = write(t)
	cmd.Env = append(os.Environ(), "REHEARSE_TEST_VETTOOL=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	check(t, out)
}

func TestValid(t *testing.T) {
	if err := analysis.Validate(Analyzers); err != nil {
		t.Error(err)
	}
}
