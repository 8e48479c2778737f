package exec

import (
	"errors"
	"fmt"
	"go/token"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/fanin"
	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/mailboxes"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/cache"
)

// falsify makes facts wrong, for tests of the audit. nil: they stay as they are.
var falsify func(*facts.Program)

// statics are what is known of the program before it runs.
type statics struct {
	*inputs
	// the channels that the delivery model makes mailboxes
	mailboxes []mailboxes.Make
	facts     *facts.Program // nil if the options do not need them
}

// findFacts analyses the program if the options need that. The facts travel with the binaries, as a
// text in the added file, with the fingerprint of the sources.
func (st *statics) findFacts() error {
	if !st.options.Facts() {
		return nil
	}
	p := facts.Program{Version: facts.Version}
	if st.options.AboutActors() {
		p = independence.Find(st.loaded)
	}
	if st.options.Sums() {
		p.Sums = fanin.Find(st.loaded)
	}
	p.Dir = st.dir
	if falsify != nil {
		falsify(&p)
	}
	if st.options.AuditsFacts() && st.options.AboutActors() {
		st.addPlaces(&p)
	}
	st.facts = &p
	return nil
}

// factsOf returns the facts about the actors of a target's program, and the fingerprint of its
// code; nothing if there are none.
func (st *statics) factsOf(t *load.Target) (text, stamp string, err error) {
	if st.facts == nil {
		return "", "", nil
	}
	var paths []string
	for _, p := range sourcePackages(t) {
		paths = append(paths, p.Path)
	}
	stamp = st.stamp(t)
	data, err := st.facts.Within(func(path string) bool {
		return slices.Contains(paths, path)
	}).Encode(stamp)
	return string(data), stamp, err
}

// checkFacts reports sources that have changed since they were analysed: the rewritten code may be
// made from later ones.
func (st *statics) checkFacts() error {
	if st.facts != nil && changedSince(st.began, st.sealed) {
		return errors.New(
			"the sources have changed while they were analysed: run the command again")
	}
	return nil
}

// stamp is the fingerprint of a target's sources.
func (is *inputs) stamp(t *load.Target) string {
	set := inputSet{}
	for _, p := range sourcePackages(t) {
		set.addPackage(p, is.added)
	}
	var text []byte
	for _, in := range set.list {
		text = fmt.Appendln(text, in.Path, is.sums[in.Path])
	}
	return cache.Digest(text)
}

// sourcePackages lists the packages of a target's program that are made from source.
func sourcePackages(t *load.Target) []*load.Package {
	return slices.DeleteFunc(slices.Concat(t.Deps, t.ThirdParty,
		[]*load.Package{t.Package, t.XTest}),
		func(p *load.Package) bool { return p == nil })
}

// addPlaces adds to the tasks of p the places of their effects, as a running program names places.
// A statement of several lines may be at any of them, a case of a select is where the select
// begins, and a deferred call is where its function returns.
func (st *statics) addPlaces(p *facts.Program) {
	all := independence.With(st.loaded, independence.Options{KeepNew: true})
	lines := linesOf(st.loaded)
	for i := range p.Behaviours {
		for k := range p.Behaviours[i].Tasks {
			p.Behaviours[i].Tasks[k].Places = lines.places(&p.Behaviours[i].Tasks[k],
				&all.Behaviours[i].Tasks[k])
		}
	}
}

// findMailboxes finds the channels that the delivery model makes mailboxes.
func (st *statics) findMailboxes() (err error) {
	if st.relaxes() {
		st.mailboxes, err = mailboxes.Find(st.loaded)
	}
	return err
}

// isMailbox returns a function that tells mailboxes by where their makes begin; nil if there are
// none.
func (st *statics) isMailbox() func(token.Position) bool {
	if len(st.mailboxes) == 0 {
		return nil
	}
	type place struct {
		file   string
		offset int
	}
	made := map[place]bool{}
	for _, m := range st.mailboxes {
		p := st.loaded.Fset.Position(m.Call.Pos())
		made[place{p.Filename, p.Offset}] = true
	}
	return func(p token.Position) bool { return made[place{p.Filename, p.Offset}] }
}

// relaxed describes the mailboxes of a target's program that the delivery model relaxes, for the
// user.
func (st *statics) relaxed(t *load.Target) []string {
	var list []string
	for _, m := range st.mailboxes {
		if slices.ContainsFunc(slices.Concat(t.Deps, []*load.Package{t.Package, t.XTest}),
			func(p *load.Package) bool {
				return p != nil && p.Dir == m.In
			}) {
			list = append(list, m.String())
		}
	}
	return list
}
