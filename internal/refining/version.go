package refining

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// download puts a version of a module into the cache, as a module of its own, and returns the
// directory of the operand's package there.
func download(c cache.Dir, o operand) (dir string, err error) {
	from, err := moduleOf(o)
	if err != nil {
		return "", err
	}
	to := filepath.Join(c.Path, "revision", cache.Digest([]byte(from.Dir)))
	if err := c.Unpack(to, func(tmp string) error {
		return toolchain.CopyTree(tmp, from)
	}); err != nil {
		return "", fmt.Errorf("%s: %w", o.text, err)
	}
	if err := beModule(to); err != nil {
		return "", fmt.Errorf("%s: %w", o.text, err)
	}
	dir = filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(o.path, from.Path)))
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("%s: %s@%s has no package %s", o.text, from.Path, o.revision, o.path)
	}
	return dir, nil
}

// moduleOf finds the module that a package belongs to: the longest path that the go command can
// download.
func moduleOf(o operand) (m toolchain.Module, err error) {
	var first error
	for at := o.path; at != "." && at != "/"; at = path.Dir(at) {
		out, err := runIn(os.TempDir(), "go", "mod", "download", "-json", at+"@"+o.revision)
		var got struct{ Dir, Version, Error string }
		if json.Unmarshal([]byte(out), &got) == nil && got.Dir != "" {
			return toolchain.Module{Path: at, Version: got.Version, Dir: got.Dir}, nil
		}
		if first == nil {
			first = err
		}
		if got.Error != "" && at == o.path {
			line, _, _ := strings.Cut(got.Error, "\n")
			first = fmt.Errorf("%s", line)
		}
	}
	return m, fmt.Errorf("%s: no directory, and no version of a module: %w", o.text, first)
}

// beModule makes a copy of a module a main module, which needs the sums of all that it imports.
func beModule(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err == nil {
		return nil
	}
	_, err := runIn(dir, "go", "mod", "tidy", "-e")
	return err
}
