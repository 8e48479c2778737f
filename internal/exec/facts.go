package exec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/fanin"
	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/cache"
)

// falsify makes facts wrong, in a test of what finds that out. nil: they stay as they are.
var falsify func(*facts.Program)

// findFacts analyses the program if the options need that. What it finds travels with the binaries,
// as a text in the added file, with the fingerprint of the sources.
func (b *builder) findFacts() error {
	if !b.options.Facts() {
		return nil
	}
	p := facts.Program{Version: facts.Version}
	if b.options.AboutActors() {
		p = independence.Find(b.loaded)
	}
	if b.options.Sums() {
		p.Sums = fanin.Find(b.loaded)
	}
	p.Dir = b.dir
	if falsify != nil {
		falsify(&p)
	}
	if b.options.Audit > 0 && b.options.AboutActors() {
		b.addPlaces(&p)
	}
	b.facts = &p
	return nil
}

// factsOf returns the facts about the actors of a target's program, and the fingerprint of its
// code; nothing if there are none.
func (b *builder) factsOf(t *load.Target) (text, stamp string, err error) {
	if b.facts == nil {
		return "", "", nil
	}
	var paths []string
	for _, p := range sourcePackages(t) {
		paths = append(paths, p.Path)
	}
	stamp = b.stamp(t)
	data, err := b.facts.Within(func(path string) bool {
		return slices.Contains(paths, path)
	}).Encode(stamp)
	return string(data), stamp, err
}

// checkFacts reports sources that have changed since they were analysed: the rewritten code may be
// made from later ones.
func (b *builder) checkFacts() error {
	if b.facts != nil && changedSince(b.began, b.sealed) {
		return errors.New(
			"the sources have changed while they were analysed: run the command again")
	}
	return nil
}

// stamp is the fingerprint of a target's sources.
func (b *builder) stamp(t *load.Target) string {
	set := inputSet{}
	for _, p := range sourcePackages(t) {
		set.addPackage(p)
	}
	var text []byte
	for _, in := range set.list {
		text = fmt.Appendln(text, in.Path, b.sums[in.Path])
	}
	return cache.Digest(text)
}

// sourcePackages lists the packages of a target's program that are made from source.
func sourcePackages(t *load.Target) []*load.Package {
	return slices.DeleteFunc(slices.Concat(t.Deps, t.ThirdParty,
		[]*load.Package{t.Package, t.XTest}),
		func(p *load.Package) bool { return p == nil })
}
