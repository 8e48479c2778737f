package toolchain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// Module is a module whose directory is go's module cache. The go command refuses overlays there,
// so the build uses a copy of the module in our own cache, by a go.mod or go.work with one more
// replace directive.
type Module struct {
	Path    string // as the importing modules name it
	Version string // likewise
	Dir     string // in the module cache
}

// Copies makes the copies and tells the go command about them, by a flag, or in a workspace by the
// environment.
func (t *Toolchain) Copies(c cache.Dir, mods []Module) (flags []string, err error) {
	if t.GOWORK == "" && (t.GOMOD == "" || t.GOMOD == os.DevNull) {
		return nil, fmt.Errorf(
			"%s is in go's module cache; run rehearse in a module that requires it",
			mods[0].Path)
	}
	var replace []string
	for _, m := range mods {
		dir, err := t.copyModule(c, m)
		if err != nil {
			return nil, fmt.Errorf("copying %s: %w", m.Path, err)
		}
		replace = append(replace, fmt.Sprintf("-replace=%s@%s=%s", m.Path, m.Version, dir))
	}
	if t.GOWORK != "" {
		return nil, t.workspace(c, replace)
	}
	file, err := t.edited(c, "mod", t.GOMOD, strings.TrimSuffix(t.GOMOD, ".mod")+".sum", replace)
	return []string{"-modfile=" + file}, err
}

// workspace makes later go commands use a go.work file like the user's, edited. It is in another
// directory, so that relative paths in it must become absolute.
func (t *Toolchain) workspace(c cache.Dir, edits []string) error {
	out, err := t.Run("work", "edit", "-json", t.GOWORK)
	if err != nil {
		return err
	}
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &work); err != nil {
		return fmt.Errorf("go work edit -json: %w", err)
	}
	for _, use := range work.Use {
		edits = append(edits, "-dropuse="+use.DiskPath, "-use="+t.absolute(use.DiskPath))
	}
	for _, r := range work.Replace {
		if r.New.Version == "" {
			edits = append(edits,
				"-replace="+at(r.Old.Path, r.Old.Version)+"="+t.absolute(r.New.Path))
		}
	}
	file, err := t.edited(c, "work", t.GOWORK, t.GOWORK+".sum", edits)
	t.Env = []string{"GOWORK=" + file}
	return err
}

// absolute is a path of the go.work file as seen from anywhere.
func (t *Toolchain) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(t.GOWORK), path)
}

func at(path, version string) string {
	if version == "" {
		return path
	}
	return path + "@" + version
}

// edited stores an edited go.mod or go.work file, with the file of sums that go looks for beside
// it. Relative paths in a go.mod stay right, because -modfile does not move the module's root.
func (t *Toolchain) edited(c cache.Dir, kind, file, sumFile string, edits []string) (string,
	error) {
	content, err := t.Run(slices.Concat([]string{kind, "edit"}, edits, []string{"-print", file})...)
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(sumFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	base := filepath.Join(c.Path, "mod", cache.Digest(slices.Concat(content, sum)))
	beside := map[string]string{"mod": ".sum", "work": ".work.sum"}[kind]
	return base + "." + kind,
		errors.Join(cache.Keep(base+beside, sum), cache.Keep(base+"."+kind, content))
}

// copyModule copies one module, unless that was done before: module versions never change.
func (t *Toolchain) copyModule(c cache.Dir, m Module) (string, error) {
	rel, err := filepath.Rel(t.GOMODCACHE, m.Dir)
	if err != nil {
		return "", err
	}
	// go work edit takes what follows an @ for a version
	dir := filepath.Join(c.Path, "mod", strings.ReplaceAll(rel, "@", "-"))
	if c.Has(dir) {
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
	if err := CopyTree(tmp, m); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, nil
}

// CopyTree copies a module's files, and gives the copy a go.mod when the module is older than
// those.
func CopyTree(dst string, m Module) error {
	if err := os.CopyFS(dst, os.DirFS(m.Dir)); err != nil {
		return err
	}
	gomod := filepath.Join(dst, "go.mod")
	if _, err := os.Stat(gomod); err == nil {
		return nil
	}
	return os.WriteFile(gomod, []byte("module "+m.Path+"\n"), 0o666)
}
