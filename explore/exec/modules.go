package exec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// module is a module whose directory is go's module cache. The go command refuses overlays there, so the build uses a
// copy of it in our own cache, by way of a go.mod that has one more replace directive.
type module struct {
	Path    string // as the importing modules name it
	Version string // likewise
	Dir     string // in the module cache
}

// copies makes the copies and the go.mod that points to them. The result is the build flag that makes go use it.
func (t *toolchain) copies(c cache, mods []module) (flag string, err error) {
	switch {
	case len(mods) == 0:
		return "", nil
	case t.GOWORK != "":
		return "", fmt.Errorf("%s must be rewritten but is in go's module cache; under go.work, copy it to a directory and add that with 'go work use'", mods[0].Path)
	case t.GOMOD == "" || t.GOMOD == os.DevNull:
		return "", fmt.Errorf("%s is in go's module cache; run rehearse in a module that requires it", mods[0].Path)
	}
	args := []string{"mod", "edit"}
	for _, m := range mods {
		dir, err := t.copyModule(c, m)
		if err != nil {
			return "", fmt.Errorf("copying %s: %w", m.Path, err)
		}
		args = append(args, fmt.Sprintf("-replace=%s@%s=%s", m.Path, m.Version, dir))
	}
	return t.modfile(c, args)
}

// modfile writes a go.mod and go.sum like the user's, edited. Relative paths in it stay right: -modfile does not move
// the module's root.
func (t *toolchain) modfile(c cache, edit []string) (flag string, err error) {
	content, err := t.run(append(edit, "-print", t.GOMOD)...)
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(strings.TrimSuffix(t.GOMOD, ".mod") + ".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	base := filepath.Join(c.dir, "mod", digest(slices.Concat(content, sum)))
	if err := errors.Join(keep(base+".sum", sum), keep(base+".mod", content)); err != nil {
		return "", err
	}
	return "-modfile=" + base + ".mod", nil
}

// copyModule copies one module, unless that was done before: module versions never change.
func (t *toolchain) copyModule(c cache, m module) (string, error) {
	rel, err := filepath.Rel(t.GOMODCACHE, m.Dir)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(c.dir, "mod", rel)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".tmp-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := copyTree(tmp, m); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, nil
}

// copyTree copies a module's files, and gives the copy a go.mod when the module is older than those.
func copyTree(dst string, m module) error {
	if err := os.CopyFS(dst, os.DirFS(m.Dir)); err != nil {
		return err
	}
	gomod := filepath.Join(dst, "go.mod")
	if _, err := os.Stat(gomod); err == nil {
		return nil
	}
	return os.WriteFile(gomod, []byte("module "+m.Path+"\n"), 0o666)
}
