package toolchain

import (
	"os"
	"os/exec"
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
	cmd := exec.Command(os.Args[0])
	cmd.Args = []string{"/usr/lib/go/compile", "-test.run=^TestCompiler$", "x", "-p", "net",
		"file.go"}
	cmd.Env = append(os.Environ(), "REHEARSE_COMPILER=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	out.Read(make([]byte, 1))
	if got := c.Look(); len(c.order) < 50 || c.done < 20 || got != c.Look() || c.latest != "net" {
		t.Errorf("got %q, of %d packages", got, len(c.order))
	}
}
