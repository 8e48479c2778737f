package toolchain

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// MoveOut gives a toolchain that go has downloaded a path outside of go's module cache, where go
// takes overlays: a symbolic link. The go command behind that link comes first in PATH, as it does
// under go test.
func (t *Toolchain) MoveOut(c cache.Dir) error {
	if !t.InModuleCache(t.GOROOT) {
		return nil
	}
	link := filepath.Join(c.Path, "go", filepath.Base(t.GOROOT))
	if err := pointTo(link, t.GOROOT); err != nil {
		return fmt.Errorf("%s was downloaded by go, and needs a link outside of "+
			"the module cache: %w", t.GOVERSION, err)
	}
	path := filepath.Join(link, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")
	if err := os.Setenv("PATH", path); err != nil {
		return err
	}
	t.GOROOT = link
	t.Env = append(t.Env, "GOROOT="+link, "GOTOOLCHAIN=local")
	return nil
}

// pointTo makes link a symbolic link to target, in one step.
func pointTo(link, target string) error {
	if at, err := os.Readlink(link); err == nil && at == target {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(link), "tmp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	next := filepath.Join(tmp, "link")
	if err := os.Symlink(target, next); err != nil {
		return err
	}
	return os.Rename(next, link)
}
