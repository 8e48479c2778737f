package pairs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// install makes a directory with the driver for a version, and names the test to run there.
func install(t *testing.T, p pair, v version) (dir, test string) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module pair\n\ngo 1.26\n")
	text := driver(t, dir, p, v)
	if p.inside == "" {
		requiring(t, dir, v)
	} else {
		dir = filepath.Join(copied(t, dir, v), p.inside)
	}
	write(t, filepath.Join(dir, filepath.Base(p.driver)), text)
	if p.inside == "" {
		goCommand(t, dir, "get", "-t", ".")
	}
	return dir, cmp.Or(v.test, p.test)
}

// driver is the text of a pair's driver for a version.
func driver(t *testing.T, dir string, p pair, v version) string {
	t.Helper()
	file := filepath.Join("testdata", p.driver)
	if p.own {
		file = filepath.Join(fetched(t, dir, p.fixed), p.fixed.pkg, p.driver)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(source), `"`+p.buggy.module+`"`, `"`+v.module+`"`)
}

// requiring makes the module in dir require a version, and nothing else by itself.
func requiring(t *testing.T, dir string, v version) {
	t.Helper()
	path := v.module
	if v.pkg != "" {
		path += "/" + v.pkg
	}
	goCommand(t, dir, "get", path+"@"+v.version)
}

// fetched is the directory of a version in the go command's module cache.
func fetched(t *testing.T, dir string, v version) string {
	t.Helper()
	var module struct{ Dir string }
	out := goCommand(t, dir, "mod", "download", "-json", v.module+"@"+v.version)
	if err := json.Unmarshal([]byte(out), &module); err != nil {
		t.Fatal(err)
	}
	return module.Dir
}

// copied copies a version into a directory below dir, without the tests of the package.
func copied(t *testing.T, dir string, v version) string {
	t.Helper()
	to := filepath.Join(dir, "copy")
	if err := os.CopyFS(to, os.DirFS(fetched(t, dir, v))); err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(to, v.pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tests {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// natively runs the driver's test a few times as it is, and says how often it did not pass.
func (x *target) natively(t *testing.T) string {
	t.Helper()
	const runs = 3
	binary := filepath.Join(t.TempDir(), "plain.test")
	goCommand(t, x.dir, "test", "-c", "-o", binary, ".")
	failed := 0
	for range runs {
		cmd := osexec.Command(binary, "-test.run=^"+x.test+"$", "-test.timeout=5s")
		cmd.Dir = x.dir
		if cmd.Run() != nil {
			failed++
		}
	}
	return fmt.Sprintf("%d of %d", failed, runs)
}

// goCommand runs a go command in dir, outside of any workspace.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := osexec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if isOffline(stderr.String()) {
			t.Skipf("no network: go %s: %s", strings.Join(args, " "), stderr.String())
		}
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// isOffline tells a missing network from a missing module.
func isOffline(message string) bool {
	for _, sign := range []string{"no such host", "connection refused", "network is unreachable",
		"i/o timeout", "module lookup disabled"} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}

// ownCache keeps the binaries, which no other test can use, out of the user's cache.
func ownCache(t *testing.T) {
	t.Helper()
	builds, err := osexec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(builds)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}
