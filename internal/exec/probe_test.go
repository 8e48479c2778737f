package exec

import (
	"flag"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

var (
	update   = flag.Bool("update", false, "rewrite what the probe prints")
	withRace = flag.Bool("withrace", false, "build the probe for the race detector, too")
)

// TestProbe builds testdata/probe with the standard library as it is under control, and compares
// what the probe prints. Other tests of this module build the same library, so that the go command
// compiles it once.
func TestProbe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	builds := [][]string{nil}
	if *withRace {
		builds = append(builds, []string{"-race"})
	}
	overlay, flags := standardOverlay(t)
	for _, args := range builds {
		t.Run(strings.Join(append([]string{"build"}, args...), ""), func(t *testing.T) {
			got := runProbe(t, buildProbe(t, overlay, append(args, flags...)...))
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

// standardOverlay is what go test -overlay is given for the standard library alone, with the flags
// for the compiler.
func standardOverlay(t *testing.T) (overlay string, flags []string) {
	t.Helper()
	c, err := cache.Open()
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRequest(".", options.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := toolchain.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(r, c, tools)
	if err := b.linkStandard(); err != nil {
		t.Fatal(err)
	}
	if overlay, err = c.Overlay(b.replace); err != nil {
		t.Fatal(err)
	}
	return overlay, b.forCompiler()
}

// buildProbe builds the probe as a module of its own.
func buildProbe(t *testing.T, overlay string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "probe"))); err != nil {
		t.Fatal(err)
	}
	gomod := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(gomod, []byte("module probe\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "probe.test")
	args = append([]string{"test", "-c", "-vet=off", "-overlay=" + overlay, "-o", bin}, args...)
	cmd := osexec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return bin
}

// runProbe runs the tests of the probe below its own explorer, whose exit code is 7.
func runProbe(t *testing.T, bin string) string {
	t.Helper()
	cmd := osexec.Command(bin)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // it makes a directory of a fixed name
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*osexec.ExitError); !ok || exit.ExitCode() != 7 {
		t.Fatalf("%v, want exit code 7\n%s", err, out)
	}
	return string(out)
}
