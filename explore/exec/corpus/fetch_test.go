package corpus

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// fetch makes a directory with the subject's module in it, and skips the test where there is no network.
func (s subject) fetch(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	from := "testdata"
	if s.module != "" {
		from = download(t, dir, s.module+"@"+s.version)
	}
	dir = filepath.Join(dir, "module")
	copyWritable(t, dir, from)
	if s.driver != "" {
		copyWritable(t, filepath.Join(dir, s.pkg), filepath.Join("testdata", s.driver))
	}
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); err != nil { // older than modules, or of testdata
		path := s.module
		if path == "" {
			path = "example.org/corpus"
		}
		must(t, os.WriteFile(mod, []byte("module "+path+"\n\ngo 1.26\n"), 0o666))
	}
	return dir
}

// download returns the module's directory in go's module cache.
func download(t *testing.T, dir, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.Output()
	var info struct{ Dir, Error string }
	if json.Unmarshal(out, &info) != nil || info.Dir == "" {
		t.Skipf("%s cannot be fetched: %v %s", module, err, info.Error)
	}
	return info.Dir
}

// environment is that of go commands: the modules' go.sum files may lack what only their tests need.
func environment() []string { return append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off") }

func copyWritable(t *testing.T, dst, src string) {
	t.Helper()
	must(t, filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(src, path)
		to := filepath.Join(dst, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o666)
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
