// Package exec builds controlled test binaries and runs them: it is the way from a package pattern
// to an exit code.
//
// Vocabulary: a request is a set of patterns and build flags. A controlled test binary is the
// result of `go test -c` for a package whose operations are rewritten and whose runner is the
// explorer. The overlay is the map that the go command gets for it: the user's own files,
// rewritten, and the linked-in packages below GOROOT/src.
//
// Guarantees: nothing is written below the user's directories. A request whose inputs have not
// changed is answered from the cache without running a go command. Binaries are made while the
// caller does something else: see Making. The output of a complete package is kept: see Result. An
// error is one line that says what to do. An operation that is not controlled is found before
// anything runs, and its tests are refused.
//
// LIMITS: the go command refuses overlays in its module cache, so modules there are rewritten as
// copies. Of a package of the standard library only the tests are rewritten. In-package tests of
// packages that package hook depends on are not: they can have no goroutines and channels. A file
// that imports "C" stays as it is, and is trusted. If the rewriter does not understand a package
// otherwise, tests that reach its goroutines and channels are refused.
package exec

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/internal/toolchain"
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

// Build answers a request: it returns the packages that the patterns name, as seen from dir,
// ordered by import path, each with its binary.
func Build(dir string, o *options.Options, patterns []string) ([]Package, error) {
	m, err := Begin(dir, o, patterns)
	if err != nil {
		return nil, err
	}
	return m.All()
}

// Begin answers a request as soon as it is known which packages there are. Their binaries are made
// while the caller does something else.
func Begin(dir string, o *options.Options, patterns []string) (*Making, error) {
	c, err := cache.Open()
	if err != nil {
		return nil, err
	}
	r, err := newRequest(dir, o, patterns)
	if err != nil {
		return nil, err
	}
	if m := loadManifest(c, r.key()); m != nil {
		return made(m.Packages), nil
	}
	return r.build(c)
}

// BeginIntact is Begin, but builds the other packages even if some do not compile. They are among
// the results, and the error, which is one line, says what is wrong with them.
func BeginIntact(dir string, o *options.Options, patterns []string) (*Making, error) {
	m, err := Begin(dir, o, patterns)
	var b *brokenError
	if !errors.As(err, &b) {
		return m, err
	}
	m = made(nil)
	if len(b.intact) > 0 {
		var again error
		if m, again = Begin(dir, o, b.intact); again != nil {
			return nil, again
		}
	}
	for _, path := range b.targets {
		m.insert(Package{Path: path, Broken: true})
	}
	return m, err
}

// BuildIntact is BeginIntact that waits for the binaries.
func BuildIntact(dir string, o *options.Options, patterns []string) ([]Package, error) {
	m, err := BeginIntact(dir, o, patterns)
	if m == nil {
		return nil, err
	}
	packages, failed := m.All()
	if failed != nil {
		return nil, failed
	}
	return packages, err
}

// build does the work of a request and remembers it.
func (r *request) build(c cache.Dir) (*Making, error) {
	t, err := toolchain.Find(r.dir)
	if err != nil {
		return nil, err
	}
	if t.Race() && !r.options.Race {
		if r, err = r.withRace(); err != nil {
			return nil, err
		}
	}
	b := newBuilder(r, c, t)
	for _, step := range []func() error{b.linkStandard, b.addFiles, b.load, b.findHarnesses,
		b.fingerprint, b.checkPolicy, b.findMailboxes, b.findFacts, b.rewrite, b.findUses, b.inject,
		b.injectDrivers} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.compile()
}

// builder is one request at work. Each subject has a type of its own, and knows the workspace and
// those subjects that it names.
type builder struct {
	*workspace
	*coverage
	*inputs
	*policy
	*standard
	*statics
	*targets
	refusing
	*rewriting
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

func newBuilder(r *request, c cache.Dir, t *toolchain.Toolchain) *builder {
	w := &workspace{request: r, cache: c, tools: t}
	b := &builder{workspace: w, coverage: &coverage{workspace: w}, inputs: &inputs{workspace: w},
		policy: &policy{workspace: w}, targets: &targets{workspace: w}}
	b.standard = &standard{policy: b.policy}
	b.statics = &statics{inputs: b.inputs}
	b.rewriting = &rewriting{workspace: w, coverage: b.coverage, policy: b.policy,
		standard: b.standard, statics: b.statics}
	b.refusing = refusing{workspace: w, rewriting: b.rewriting, targets: b.targets}
	return b
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
