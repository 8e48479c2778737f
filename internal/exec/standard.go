package exec

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/rewrite"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// standard is the standard library as it is under control.
type standard struct {
	*policy
	// import paths of the packages that package hook is made from; empty if none is a target
	base map[string]bool
}

// linkStandard puts into the overlay the files that are the same for every package: the linked-in
// sources, and the standard library's files with the entry hooks. The packages are then loaded
// under this overlay. So loading compiles the standard library that the test binary is linked from,
// and not a second one.
//
// To make them takes a second, so they are kept: they depend on this command and the go command
// alone.
func (sd *standard) linkStandard() error {
	sd.began = time.Now()
	key := sd.standardKey()
	if sd.replace = sd.cache.Standard(key); sd.replace != nil {
		return nil
	}
	sd.replace = map[string]string{}
	if err := sd.makeStandard(); err != nil {
		return err
	}
	return sd.cache.KeepStandard(key, sd.replace)
}

// standardKey names what the standard library is made from. The VERSION file stands for its
// sources, as in inputs.
func (sd *standard) standardKey() string {
	version := input{Kind: fileInput, Path: filepath.Join(sd.tools.GOROOT, "VERSION")}
	trusted := slices.DeleteFunc(slices.Clone(std.Border()),
		func(path string) bool { return !sd.trusts(path) })
	return cache.Digest(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%q",
		commands()+environment(selectsFiles), sd.tools.GOROOT, sd.tools.GOVERSION, version.sum(),
		trusted))
}

// selectsFiles reports whether an environment variable may say which files a package of the
// standard library has, as package go/build reads it. Too many are harmless.
func selectsFiles(name string) bool {
	return readByGo(name) && !slices.Contains([]string{"GOFLAGS", "GOWORK", "GOCACHE", "GOMODCACHE",
		"GOPROXY", "GOTMPDIR", "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "HOME", "XDG_CONFIG_HOME"}, name)
}

func (sd *standard) makeStandard() error {
	for _, s := range rehearse.Sources() {
		if err := sd.add(sd.linked(s.Path), s.Text); err != nil {
			return err
		}
	}
	hooked, err := std.Overlay(sd.tools.GOROOT)
	if err != nil {
		return err
	}
	for place, content := range hooked {
		if err := sd.add(place, content); err != nil {
			return err
		}
	}
	return sd.rewriteLibrary(hooked)
}

// own lists the files of a package that are the program's: all of them, but of a package of the
// standard library only the tests. This binary is built from its other files, with the hooks.
func own(p *load.Package) (names []string, files []*ast.File) {
	for i, name := range p.Compiled {
		if !p.Std || isTestFile(name) {
			names, files = append(names, name), append(files, p.Syntax[i])
		}
	}
	return names, files
}

// findInherited lists the packages of the standard library that package hook is made from. They
// cannot import it, and so their in-package test files cannot be rewritten.
func (sd *standard) findInherited(overlay string) error {
	sd.base = map[string]bool{}
	if !slices.ContainsFunc(sd.loaded.Targets, func(t *load.Target) bool { return t.Package.Std }) {
		return nil
	}
	out, err := sd.tools.Run("list", "-deps", "-overlay="+overlay, hookPath)
	for path := range strings.FieldsSeq(string(out)) {
		sd.base[path] = true
	}
	return err
}

// inherited reports whether a package must be used as it is because package hook is made from it.
func (sd *standard) inherited(p *load.Package) bool { return sd.base[p.Path] }

// rewriteLibrary puts packages of the standard library into the overlay, rewritten like the user's
// own: their channels, goroutines and locks are then the exploration's. Their atomics are not: see
// std.Context. Packages of the border that the user trusts stay as they are. The atomics of others
// are steps: nothing but they may tell that two whole steps have an order.
func (sd *standard) rewriteLibrary(hooked map[string][]byte) error {
	list, err := std.Libraries(sd.tools.GOROOT, hooked)
	if err != nil {
		return err
	}
	lib := newLibrary(sd.tools.GOROOT)
	for _, part := range list {
		if part.Border && sd.trusts(part.Path) {
			continue
		}
		if err := sd.rewritePart(lib, part); err != nil {
			return err
		}
	}
	return nil
}

func (sd *standard) rewritePart(lib *library, part std.Library) error {
	in, err := lib.input(part)
	if err != nil {
		return err
	}
	if part.Under {
		in.HookPath = underPath
	}
	out, err := rewrite.Package(in)
	if err != nil {
		return err
	}
	for _, name := range out.Changed {
		if err := sd.add(name, out.Files[name]); err != nil {
			return err
		}
	}
	return nil
}
