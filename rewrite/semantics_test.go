package rewrite_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const semantics = "github.com/rehearse-go/rehearse/rewrite/testdata/semantics"

// TestSemantics runs a program as it is and rewritten: without a controlled run, both must print
// the same.
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	w := standard(t)
	files, err := filepath.Glob("testdata/semantics/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no program: %v", err)
	}
	overlay := newOverlay(t)
	for name, text := range rewriteFiles(t, w, files) {
		overlay.add(strings.Replace(name, "/semantics/", "/semantics/rewritten/", 1), text)
	}
	overlay.add(absolute(t, "testdata/semantics/both/main.go"), []byte(runBoth))
	native, rewritten := overlay.run(semantics + "/both")
	if native != rewritten {
		t.Errorf("the program, rewritten, prints something else: %s",
			firstDifference(native, rewritten))
	}
	if strings.Contains(native, "impossible") || strings.Count(native, "\n") < 100 {
		t.Errorf("the program is broken; it prints\n%s", native)
	}
}

// firstDifference tells where two outputs begin to differ.
func firstDifference(native, rewritten string) string {
	a, b := strings.Split(native, "\n"), strings.Split(rewritten, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, natively %q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines, natively %d", len(b), len(a))
}

// runBoth runs the original and the rewritten program.
const runBoth = `package main

import (
	"os"

	native "` + semantics + `"
	"` + semantics + `/rewritten"
)

func main() {
	native.Run(os.Stdout)
	os.Stdout.WriteString("\x00")
	semantics.Run(os.Stdout)
}
`

// rewriteFiles rewrites a package and returns its files.
func rewriteFiles(t *testing.T, w *world, files []string) map[string][]byte {
	t.Helper()
	sources := make(map[string][]byte)
	for i, file := range files {
		files[i] = absolute(t, file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources[files[i]] = text
	}
	in, err := w.check(semantics, "go1.26", files, sources)
	if err != nil {
		t.Fatal(err)
	}
	in.Maps, in.Shared = true, everything{}
	result, err := w.rewritten(in)
	if err != nil {
		t.Fatal(err)
	}
	sameLines(t, in, result)
	return result
}

// overlay is a set of files for the go command's -overlay flag.
type overlay struct {
	t       *testing.T
	dir     string
	Replace map[string]string
}

func newOverlay(t *testing.T) *overlay { return &overlay{t, t.TempDir(), make(map[string]string)} }

// add puts a file at a place.
func (o *overlay) add(place string, text []byte) {
	name := filepath.Join(o.dir, strings.ReplaceAll(place, "/", "_"))
	if err := os.WriteFile(name, text, 0o666); err != nil {
		o.t.Fatal(err)
	}
	o.Replace[place] = name
}

// run runs a main package that prints two texts, a zero byte between them.
func (o *overlay) run(path string) (string, string) {
	o.t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		o.t.Fatal(err)
	}
	file := filepath.Join(o.dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		o.t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-overlay="+file, path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		o.t.Fatalf("go run: %v\n%s\n%s", err, stderr.Bytes(), out)
	}
	native, rewritten, _ := strings.Cut(string(out), "\x00")
	return native, rewritten
}

// absolute makes a file name absolute.
func absolute(t *testing.T, name string) string {
	t.Helper()
	abs, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
