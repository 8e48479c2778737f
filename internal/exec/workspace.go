package exec

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
	"github.com/rehearse-go/rehearse/rewrite/cover"
)

// Package is a package that a request names, built.
type Package struct {
	Path   string // import path
	Dir    string
	Binary string // the controlled test binary; empty when there is nothing to explore

	Nothing string // why there is nothing to explore, as go test says it
	Broken  bool   // it does not compile, or what it imports; see BuildIntact

	Harnesses []string `json:",omitempty"` // the functions that rehearse refine runs
	Files     []string `json:",omitempty"` // those that have them

	Cover []cover.File `json:",omitempty"` // what -cover measures
}

// workspace is what all of a build works on.
type workspace struct {
	*request
	cache  cache.Dir
	began  time.Time // sources that are younger may have been read half changed
	tools  *toolchain.Toolchain
	loaded *load.Result
	// for every go command: build flags, and -modfile when modules were copied
	flags []string
	// the overlay: a file's place -> its content's place
	replace map[string]string
}

// add puts a file into the overlay.
func (w *workspace) add(place string, content []byte) error {
	file, err := w.cache.Text(content)
	if err != nil {
		return err
	}
	w.replace[place] = file
	return nil
}

// linked is where a linked-in source goes.
func (w *workspace) linked(path string) string {
	return filepath.Join(w.tools.GOROOT, "src", filepath.FromSlash(path))
}

// isFiles reports whether the patterns are Go files instead of packages.
func isFiles(patterns []string) bool {
	return len(patterns) > 0 && strings.HasSuffix(patterns[0], ".go")
}
