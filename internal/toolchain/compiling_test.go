package toolchain

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
)

// TestCompiler is no test, but a process that is called as a compiler is.
func TestCompiler(t *testing.T) {
	if os.Getenv("REHEARSE_COMPILER") == "" {
		t.Skip("no compiler")
	}
	os.Stdout.WriteString("compiling\n")
	time.Sleep(time.Minute)
}

func TestCompiling(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system does not tell of processes")
	}
	c := NewCompiling(".", options.Default(), []string{"net/http"})
	if got := c.Look(); got != "" {
		t.Errorf("got %q, and nothing is compiled", got)
	}
	end := compiling(t, "net")
	got := c.Look()
	if len(c.order) < 50 || c.done < 20 || got != c.Look() || c.latest != "net" {
		t.Errorf("got %q, of %d packages", got, len(c.order))
	}
	end()
	defer compiling(t, "rehearse/explore/depend")()
	count, _, _ := strings.Cut(got, ":")
	if got, want := c.Look(), count+": rehearse/explore/depend"; got != want {
		t.Errorf("with a package that is linked in: got %q, want %q", got, want)
	}
}

// compiling starts a process that is called as a compiler of a package is, until end is called.
func compiling(t *testing.T, path string) (end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Args = []string{"/usr/lib/go/compile", "-test.run=^TestCompiler$", "x", "-p", path,
		"file.go"}
	cmd.Env = append(os.Environ(), "REHEARSE_COMPILER=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 1))
	return func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
}
