package exec

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// TestStandardKey: the standard library is made anew for what decides about its files only.
func TestStandardKey(t *testing.T) {
	key := func(name, value string) string {
		t.Helper()
		t.Setenv(name, value)
		r, err := newRequest(".", options.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return newBuilder(r, cache.Dir{}, &toolchain.Toolchain{GOROOT: "go"}).standardKey()
	}
	flags, others := key("GOFLAGS", "-tags=a"), key("GOFLAGS", "-tags=b")
	if flags != others {
		t.Error("flags have a standard library of their own")
	}
	if key("GOEXPERIMENT", "a") == others {
		t.Error("GOEXPERIMENT has no standard library of its own")
	}
}

// TestGoEnvFile: a binary depends on the file that GOENV names.
func TestGoEnvFile(t *testing.T) {
	t.Setenv("GOENV", "/x/env")
	if at := goEnvFile().Path; at != "/x/env" {
		t.Error(at)
	}
	t.Setenv("GOENV", "")
	t.Setenv("XDG_CONFIG_HOME", "/config")
	if at := goEnvFile().Path; at != "/config/go/env" {
		t.Error(at)
	}
}

// TestBinaryKey: a replay, which is built in the directory of its package, finds the binary of a
// test that was built in the module's; a module file that is there makes another binary.
func TestBinaryKey(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "sub")
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(root, "go.mod"), "module m\n")
	write(filepath.Join(dir, "a_test.go"), "package sub\n")
	p := &load.Package{Path: "m/sub", Dir: dir}
	target := &load.Target{Path: p.Path, Package: p}
	key := func(dir string) string {
		t.Helper()
		r, err := newRequest(dir, options.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		b := newBuilder(r, cache.Dir{}, &toolchain.Toolchain{GOROOT: "go",
			GOMOD: filepath.Join(root, "go.mod")})
		b.loaded = &load.Result{Targets: []*load.Target{target}, Packages: []*load.Package{p}}
		if err := b.fingerprint(); err != nil {
			t.Fatal(err)
		}
		return b.binaryKey(target)
	}
	first := key(root)
	if key(dir) != first {
		t.Error("the binary depends on where the command is given")
	}
	for _, name := range []string{filepath.Join(root, "go.sum"), filepath.Join(dir, "b.go")} {
		write(name, "")
		if now := key(root); now == first {
			t.Errorf("the binary does not depend on %s", name)
		} else {
			first = now
		}
	}
}
