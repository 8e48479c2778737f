// Package modules gets published modules for the tests that look at real code.
//
// Vocabulary: a module is "path@version".
//
// Guarantees: nothing is written into the go command's module cache; a test is skipped where a
// module cannot be fetched.
//
// LIMITS: for tests only.
package modules

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Copy returns a directory with a copy of a module that may be written into.
func Copy(t *testing.T, module string) (dir string) {
	t.Helper()
	path, _, _ := strings.Cut(module, "@")
	return CopyDir(t, download(t, module), path)
}

// CopyDir returns a directory with a copy of the files below from, which becomes a module with the
// path if it is none.
func CopyDir(t *testing.T, from, path string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "module")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); err == nil {
		return dir
	}
	if err := os.WriteFile(mod, []byte("module "+path+"\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// download returns the module's directory in the go command's module cache.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = t.TempDir(), Environment()
	out, err := cmd.Output()
	var info struct{ Dir, Error string }
	if json.Unmarshal(out, &info) != nil || info.Dir == "" {
		t.Skipf("%s cannot be fetched: %v %s", module, err, info.Error)
	}
	return info.Dir
}

// Environment is that of go commands in such a copy: its go.sum may lack what only its tests need.
func Environment() []string { return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off") }
