package differ

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// binaries are those of some programs in one package.
type binaries struct {
	controlled, native string
	dir                string
}

// build writes programs as a package, for each of the two, and builds it.
func build(t *testing.T, programs []*goprog.Program) *binaries {
	t.Helper()
	o := options.Default()
	if *merge {
		o.Independence = "context"
	}
	return buildWith(t, programs, o)
}

// buildWith is build with options.
func buildWith(t *testing.T, programs []*goprog.Program, o *options.Options) *binaries {
	t.Helper()
	root := t.TempDir()
	b := &binaries{dir: filepath.Join(root, "plain"), native: filepath.Join(root, "native.test")}
	write(t, b.dir, programs, goprog.Plain)
	packages, err := exec.Build(b.dir, o, []string{"."})
	if err != nil {
		t.Fatalf("programs in %s: %v", b.dir, err)
	}
	b.controlled = packages[0].Binary
	perturbed := filepath.Join(root, "perturbed")
	write(t, perturbed, programs, goprog.Perturbed)
	own := harness
	if programs[0].Networked {
		own = strings.Replace(own, "const network = 0", "const network = 1", 1)
	}
	writeFile(t, perturbed, "zz_test.go", own)
	cmd := osexec.Command("go", "test", "-c", "-vet=off", "-o", b.native, ".")
	cmd.Dir = perturbed
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("programs in %s: %v\n%s", perturbed, err, out)
	}
	return b
}

func write(t *testing.T, dir string, programs []*goprog.Program, f goprog.Flavour) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "go.mod", "module prog\n\ngo 1.26\n")
	writeFile(t, dir, "prelude_test.go", goprog.Prelude)
	for i, p := range programs {
		writeFile(t, dir, fmt.Sprintf("p%04d_test.go", i), p.Source(f))
	}
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
