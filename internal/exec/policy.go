package exec

import (
	"fmt"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/toolchain"
	"github.com/rehearse-go/rehearse/rewrite/std"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// policy is what the user wants to be rewritten, and what to be trusted.
type policy struct {
	*workspace
	// the functions that the user trusts, see plainFunction
	trustedFunctions []string
}

// trusts reports whether the user lets a package run as it is.
func (po *policy) trusts(path string) bool {
	_, ok := po.options.Trust.Match(path)
	return ok
}

// controls reports whether the user wants a package rewritten.
func (po *policy) controls(path string) bool {
	_, ok := po.options.Control.Match(path)
	return ok
}

// checkPolicy reports what is wrong with -control and -trust, for the packages that have been
// loaded.
func (po *policy) checkPolicy() error {
	paths := po.programPaths()
	for _, list := range []struct {
		flag     string
		patterns options.Patterns
	}{{"control", po.options.Control}, {"trust", po.options.Trust}} {
		for _, pattern := range list.patterns {
			one := options.Patterns{pattern}
			if slices.ContainsFunc(paths, func(path string) bool {
				_, ok := one.Match(path)
				return ok
			}) {
				continue
			}
			if list.flag == "trust" && po.hasFunction(pattern) {
				po.trustedFunctions = append(po.trustedFunctions, plainFunction(pattern))
				continue
			}
			return fmt.Errorf("-%s %s matches no package%s that the tests import", list.flag,
				pattern,
				map[string]string{"trust": " or function"}[list.flag])
		}
	}
	for _, path := range paths {
		if err := po.checkPackage(path); err != nil {
			return err
		}
	}
	return nil
}

// checkFine reports a pattern of -fine that matches no package of this Go. Package options has
// found that each may match one. Binaries do not depend on -fine, so a kept one is no proof.
func checkFine(dir, fine string) error {
	if fine == "" {
		return nil
	}
	tools, err := toolchain.Find(dir)
	if err != nil {
		return err
	}
	src := filepath.Join(tools.GOROOT, "src")
	var paths []string
	for _, path := range std.Border() {
		err := filepath.WalkDir(filepath.Join(src, filepath.FromSlash(path)),
			func(name string, d fs.DirEntry, err error) error {
				if err == nil && d.IsDir() {
					paths = append(paths, filepath.ToSlash(name[len(src)+1:]))
				}
				return err
			})
		if err != nil {
			return err
		}
	}
	for pattern := range strings.SplitSeq(fine, ",") {
		if !slices.ContainsFunc(paths, func(p string) bool { return trace.IsFine(pattern, p) }) {
			return fmt.Errorf("-fine %s: %s has no such package", pattern, tools.GOVERSION)
		}
	}
	return nil
}

// checkPackage reports what cannot be done as the user wants, with one package.
func (po *policy) checkPackage(path string) error {
	control, controls := po.options.Control.Match(path)
	trust, trusts := po.options.Trust.Match(path)
	library := !slices.ContainsFunc(po.loaded.Packages, func(p *load.Package) bool {
		return p.Path == path && !p.Std
	})
	switch {
	case controls && trusts:
		return fmt.Errorf("-control %s and -trust %s both match %s", control, trust, path)
	case trusts && po.loaded.Target(path) != nil:
		return fmt.Errorf("-trust %s matches %s, whose tests are to be explored", trust, path)
	case controls && library && control == path:
		return fmt.Errorf(
			"-control %s: the standard library is not rewritten; see which of its operations are controlled in docs/SUPPORT.md",
			path)
	}
	return nil
}

// programPaths lists the import paths of the loaded packages, and of those of the standard library
// that they import.
func (po *policy) programPaths() []string {
	var paths []string
	for _, p := range po.loaded.Packages {
		paths = append(paths, p.Path)
		paths = append(paths, p.Imports...)
	}
	for _, p := range po.programTypes() {
		paths = append(paths, p.Path())
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// programTypes lists the packages of the program whose types are known.
func (po *policy) programTypes() (list []*types.Package) {
	seen := map[*types.Package]bool{}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		list = append(list, p)
		for _, q := range p.Imports() {
			add(q)
		}
	}
	for _, p := range po.loaded.Packages {
		add(p.Types)
	}
	return list
}

// hasFunction reports whether the program has the function or method that a pattern of -trust
// names.
func (po *policy) hasFunction(pattern string) bool {
	name := plainFunction(pattern)
	return slices.ContainsFunc(po.programTypes(), func(p *types.Package) bool {
		rest, ok := strings.CutPrefix(name, p.Path()+".")
		return ok && declares(p, rest)
	})
}

// declares reports whether a package has a function F, or a method T.M.
func declares(p *types.Package, name string) bool {
	typ, method, isMethod := strings.Cut(name, ".")
	obj := p.Scope().Lookup(typ)
	if !isMethod {
		_, ok := obj.(*types.Func)
		return ok
	}
	if _, ok := obj.(*types.TypeName); !ok {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, p, method)
	_, ok := found.(*types.Func)
	return ok
}

// plainFunction is the name of a function or a method, "example.org/p.T.M", from one of the forms
// in which people and tools write it: (*example.org/p.T).M, example.org/p.(*T).M, example.org/p.F$1
// for a literal in F.
func plainFunction(name string) string {
	name, _, _ = strings.Cut(name, "$")
	name, _, _ = strings.Cut(name, "[")
	return strings.NewReplacer("(*", "", "(", "", ")", "").Replace(name)
}

// insist reports a package that the user wants rewritten and that cannot be.
func (po *policy) insist(p *load.Package, err error) error {
	if po.controls(p.Path) {
		return fmt.Errorf("-control: %s cannot be rewritten: %w", p.Path, err)
	}
	return nil
}

// unguarded lists the packages of the standard library that the user lets come to guarded
// functions.
func (po *policy) unguarded() []string {
	return slices.DeleteFunc(po.programPaths(), func(path string) bool {
		return !std.HasGuards(path) || !po.trusts(path)
	})
}
