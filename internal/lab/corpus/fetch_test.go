package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

// fetch makes a directory with the subject's module in it.
func (s subject) fetch(t *testing.T) (dir string) {
	t.Helper()
	if s.module != "" {
		dir = modules.Copy(t, s.module+"@"+s.version)
	} else {
		dir = modules.CopyDir(t, "testdata", "example.org/corpus")
	}
	if s.driver != "" {
		must(t, os.CopyFS(filepath.Join(dir, s.pkg), os.DirFS(filepath.Join("testdata", s.driver))))
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
