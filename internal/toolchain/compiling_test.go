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
	if got := c.Look(); got != "(reading packages)" {
		t.Errorf("got %q, and nothing is compiled", got)
	}
	end := working(t, "compile", "net")
	got := c.Look()
	if len(c.order) < 50 || c.done < 20 || got != c.Look() || c.latest != "net" {
		t.Errorf("got %q, of %d packages", got, len(c.order))
	}
	end()
	defer working(t, "link", "")()
	if got, want := c.Look(), strings.TrimSuffix(got, "net")+"linking"; got != want {
		t.Errorf("with a linker: got %q, want %q", got, want)
	}
	defer working(t, "compile", "rehearse/explore/depend")()
	count, _, _ := strings.Cut(got, ":")
	if got, want := c.Look(), count+": rehearse/explore/depend"; got != want {
		t.Errorf("with a package that is linked in: got %q, want %q", got, want)
	}
}

// working starts a process that is called as a tool for a package is, until end is called.
func working(t *testing.T, tool, path string) (end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Args = []string{"/usr/lib/go/" + tool, "-test.run=^TestCompiler$", "x", "-p", path,
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
