package std

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var (
	update   = flag.Bool("update", false, "rewrite the golden files")
	withRace = flag.Bool("withrace", false, "build for the race detector, too")
)

// TestBuild builds testdata/probe with the overlay and compares what it prints. The first build on
// a machine compiles most of the standard library.
func TestBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	builds := [][]string{nil}
	if *withRace {
		builds = append(builds, []string{"-race"})
	}
	for _, args := range builds {
		t.Run(strings.Join(append([]string{"build"}, args...), ""), func(t *testing.T) {
			got := runProbe(t, buildProbe(t, args...))
			golden := filepath.Join("testdata", "probe", "output.txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// runProbe runs the tests of the probe below its own explorer, whose exit code is 7.
func runProbe(t *testing.T, bin string) string {
	t.Helper()
	out, err := exec.Command(bin).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 7 {
		t.Fatalf("%v, want exit code 7\n%s", err, out)
	}
	return string(out)
}

func buildProbe(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "probe"))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module probe\n\ngo 1.26\n")
	bin := filepath.Join(dir, "probe.test")
	args = append([]string{"test", "-c", "-vet=off", "-overlay=" + writeOverlay(t), "-o", bin},
		args...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return bin
}

// writeOverlay puts the overlay on disk, with package gate as it is in this module, and returns the
// file for go test -overlay.
func writeOverlay(t *testing.T) string {
	t.Helper()
	files := overlayOf(t)
	gate, err := os.ReadFile(filepath.Join("..", "..", "runtime", "gate", "gate.go"))
	if err != nil {
		t.Fatal(err)
	}
	files[filepath.Join(runtime.GOROOT(), "src", gateDir, "gate.go")] = gate
	dir := t.TempDir()
	replace := make(map[string]string)
	for name, content := range files {
		replace[name] = filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(name), "/", "_"))
		write(t, replace[name], string(content))
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	write(t, name, string(list))
	return name
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
