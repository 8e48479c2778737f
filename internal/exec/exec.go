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

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// Build answers a request: it returns the packages that the patterns name, as seen from dir,
// ordered by import path, each with its binary.
func Build(dir string, o *options.Options, patterns []string) ([]Package, error) {
	m, err := begin(dir, o, patterns)
	if err != nil {
		return nil, err
	}
	return m.All()
}

// begin answers a request as soon as it is known which packages there are. Their binaries are made
// while the caller does something else.
func begin(dir string, o *options.Options, patterns []string) (*Making, error) {
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
	m, err := begin(dir, o, patterns)
	var b *brokenError
	if !errors.As(err, &b) {
		return m, err
	}
	m = made(nil)
	if len(b.intact) > 0 {
		var again error
		if m, again = begin(dir, o, b.intact); again != nil {
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
	if err := t.MoveOut(c); err != nil {
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

// BuildHarnesses is BuildAdded, for binaries that run harnesses. entry names a constructor to be
// used in the place of harnesses.
func BuildHarnesses(dir string, o *options.Options, patterns []string, entry string,
	added map[string][]byte) ([]Package, error) {
	return buildMore(dir, o, patterns, &harnessing{entry}, added)
}

// BuildAdded is Build, for packages that have more files than are on disk: added, by path.
func BuildAdded(dir string, o *options.Options, patterns []string,
	added map[string][]byte) ([]Package, error) {
	return buildMore(dir, o, patterns, nil, added)
}

func buildMore(dir string, o *options.Options, patterns []string, h *harnessing,
	added map[string][]byte) ([]Package, error) {
	c, err := cache.Open()
	if err != nil {
		return nil, err
	}
	r, err := newRequest(dir, o, patterns)
	if err != nil {
		return nil, err
	}
	r.harness, r.added = h, added
	if m := loadManifest(c, r.key()); m != nil {
		return m.Packages, nil
	}
	m, err := r.build(c)
	if err != nil {
		return nil, err
	}
	return m.All()
}
