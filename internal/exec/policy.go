package exec

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// trusts reports whether the user lets a package run as it is.
func (b *builder) trusts(path string) bool {
	_, ok := b.options.Trust.Match(path)
	return ok
}

// controls reports whether the user wants a package rewritten.
func (b *builder) controls(path string) bool {
	_, ok := b.options.Control.Match(path)
	return ok
}

// checkPolicy reports what is wrong with -control and -trust, for the packages that have been
// loaded.
func (b *builder) checkPolicy() error {
	paths := b.programPaths()
	for _, list := range []struct {
		flag     string
		patterns options.Patterns
	}{{"control", b.options.Control}, {"trust", b.options.Trust}} {
		for _, pattern := range list.patterns {
			one := options.Patterns{pattern}
			if slices.ContainsFunc(paths, func(path string) bool {
				_, ok := one.Match(path)
				return ok
			}) {
				continue
			}
			if list.flag == "trust" && b.hasFunction(pattern) {
				b.trustedFunctions = append(b.trustedFunctions, plainFunction(pattern))
				continue
			}
			return fmt.Errorf("-%s %s matches no package%s that the tests import", list.flag,
				pattern,
				map[string]string{"trust": " or function"}[list.flag])
		}
	}
	for _, path := range paths {
		if err := b.checkPackage(path); err != nil {
			return err
		}
	}
	return nil
}

// checkPackage reports what cannot be done as the user wants, with one package.
func (b *builder) checkPackage(path string) error {
	control, controls := b.options.Control.Match(path)
	trust, trusts := b.options.Trust.Match(path)
	library := !slices.ContainsFunc(b.loaded.Packages, func(p *load.Package) bool {
		return p.Path == path && !p.Std
	})
	switch {
	case controls && trusts:
		return fmt.Errorf("-control %s and -trust %s both match %s", control, trust, path)
	case trusts && b.loaded.Target(path) != nil:
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
func (b *builder) programPaths() []string {
	var paths []string
	for _, p := range b.loaded.Packages {
		paths = append(paths, p.Path)
		paths = append(paths, p.Imports...)
	}
	for _, p := range b.programTypes() {
		paths = append(paths, p.Path())
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// programTypes lists the packages of the program whose types are known.
func (b *builder) programTypes() (list []*types.Package) {
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
	for _, p := range b.loaded.Packages {
		add(p.Types)
	}
	return list
}

// hasFunction reports whether the program has the function or method that a pattern of -trust
// names.
func (b *builder) hasFunction(pattern string) bool {
	name := plainFunction(pattern)
	return slices.ContainsFunc(b.programTypes(), func(p *types.Package) bool {
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
func (b *builder) insist(p *load.Package, err error) error {
	if b.controls(p.Path) {
		return fmt.Errorf("-control: %s cannot be rewritten: %w", p.Path, err)
	}
	return nil
}

// unguarded lists the packages of the standard library that the user lets come to guarded
// functions.
func (b *builder) unguarded() []string {
	return slices.DeleteFunc(b.programPaths(), func(path string) bool {
		return !std.HasGuards(path) || !b.trusts(path)
	})
}
