package load

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Expanded are the patterns for the go command. The go command leaves directories named testdata
// out of ./testdata/..., though whoever writes that pattern means them. Such a pattern becomes the
// packages that the go command finds if it runs in the directory. A pattern into another module
// stays as it is, and is an error.
func (c Config) Expanded() (all []string) {
	for _, pattern := range c.Patterns {
		found := []string{pattern}
		if beginsInTestdata(pattern) {
			if paths := c.below(pattern); len(paths) > 0 {
				found = paths
			}
		}
		all = append(all, found...)
	}
	return all
}

// beginsInTestdata reports whether a ... pattern begins in a directory that such patterns leave
// out.
func beginsInTestdata(pattern string) bool {
	dir, _, some := strings.Cut(pattern, "...")
	return some && build.IsLocalImport(pattern) &&
		slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "testdata")
}

// below are the import paths of a pattern that begins in a directory, as found from there.
func (c Config) below(pattern string) []string {
	start, rest, _ := strings.Cut(pattern, "...")
	dir := filepath.Join(c.dir(), start)
	if !strings.HasSuffix(start, "/") || moduleFile(dir) != moduleFile(c.dir()) {
		return nil
	}
	args := slices.Concat([]string{"list", "-e", "-f", "{{.ImportPath}}"}, c.flags(),
		[]string{"--", "./..." + rest})
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, c.Env
	out, err := cmd.Output()
	if err != nil {
		return nil // the go command says why when it is asked for the pattern itself
	}
	return strings.Fields(string(out))
}

// moduleFile is the go.mod file of a directory's module; empty: there is none.
func moduleFile(dir string) string {
	for {
		name := filepath.Join(dir, "go.mod")
		if _, err := os.Stat(name); err == nil {
			return name
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
