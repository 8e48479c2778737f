package exec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/rewrite/std"
	"github.com/rehearse-go/rehearse/rewrite/uncontrolled"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// use is a place that does something that is not controlled, with the tests that reach it. It
// travels to the binary, in the added test file, so that the report of a package is made in one
// place; see session.Use.
type use struct {
	Site      string // "/dir/file.go:12:3"
	Construct string
	Reason    string
	Trusted   string
	Guarded   bool
	Remedy    string
	Tests     []reach

	linked string   // the package, if this stands for its functions that are linked by name
	names  []string // which those are
}

type reach struct {
	Test     string
	Path     string
	Possible bool
}

// refusing finds uncontrolled uses that tests reach.
type refusing struct {
	*workspace
	*rewriting
	*targets
	uses map[string][]*use // by import path of the target
}

// findUses finds the uncontrolled uses that the tests of every target reach.
func (rf *refusing) findUses() error {
	rf.uses = map[string][]*use{}
	rewritten := map[string]bool{}
	for _, p := range rf.rewritable() {
		rewritten[p.Path] = rf.unrewritten[p.Path] == nil && !rf.trusts(p.Path) && !rf.inherited(p)
	}
	prog := rf.loaded.SSA()
	for _, t := range rf.loaded.Targets {
		e := rf.entries(t)
		found := uncontrolled.Find(prog, e.roots(), rf.linked(""),
			func(path string) bool { return rewritten[path] }, rf.trusts, rf.withC)
		list := rf.usesOf(e, found)
		rf.uses[t.Path] = append(rf.unrewrittenTarget(t, list), list...)
	}
	return nil
}

// unrewrittenTarget says, to the tests that are refused, why the target's own package could not be
// rewritten.
func (rf *refusing) unrewrittenTarget(t *load.Target, found []*use) []*use {
	var list []*use
	for _, p := range []*load.Package{t.Package, t.XTest} {
		var all unit.ErrorList
		if p == nil || !errors.As(rf.unrewritten[p.Path], &all) {
			continue
		}
		why := &use{Site: all[0].Pos.String(), Reason: all[0].Msg}
		for _, u := range found {
			for _, r := range u.Tests {
				if u.Trusted == "" &&
					!slices.ContainsFunc(why.Tests,
						func(o reach) bool { return o.Test == r.Test }) {
					why.Tests = append(why.Tests, reach{Test: r.Test})
				}
			}
		}
		if len(why.Tests) > 0 {
			list = append(list, why)
		}
	}
	return list
}

// entries are the functions in which the program of one target begins.
type entries struct {
	before []*ssa.Function // package initialisers and TestMain: they run before every test
	names  []string
	tests  []*ssa.Function // by the same index as names
}

func (rf *refusing) entries(t *load.Target) *entries {
	e := &entries{}
	for _, p := range []*load.Package{t.Package, t.XTest} {
		if p != nil {
			e.before = append(e.before, rf.loaded.SSA().Package(p.Types).Func("init"))
		}
	}
	if m, ok := t.TestMain(); ok {
		e.before = append(e.before, m.SSA(rf.loaded))
	}
	for _, test := range rf.tests(t) {
		e.names = append(e.names, test.Name)
		e.tests = append(e.tests, test.SSA(rf.loaded))
	}
	return e
}

func (e *entries) roots() []*ssa.Function { return slices.Concat(e.before, e.tests) }

// usesOf groups the uses by place, those with the shortest way from a test first.
func (rf *refusing) usesOf(e *entries, found map[*ssa.Function][]uncontrolled.Use) []*use {
	var list []*use
	shortest := map[*use]int{}
	for i, test := range e.tests {
		all := slices.Clone(found[test])
		for _, root := range e.before {
			all = append(all, found[root]...)
		}
		for _, f := range all {
			u := rf.useAt(&list, f)
			u.reachedBy(e.names[i], f)
			if n := shortest[u]; n == 0 || len(f.Path) < n {
				shortest[u] = len(f.Path)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *use) int {
		return cmp.Compare(shortest[a], shortest[b])
	})
	return list
}

// reachedBy notes that a test comes to f, unless that is known.
func (u *use) reachedBy(test string, f uncontrolled.Use) {
	r := reach{test, pathOf(f), f.Possible}
	if u.Guarded {
		r.Path = "" // the execution that comes there shows it
	}
	if !slices.ContainsFunc(u.Tests, func(o reach) bool { return o.Test == test }) {
		u.Tests = append(u.Tests, r)
	}
}

// useAt returns the use of list that f is, a new one if need be. The functions of a package that
// are linked by name are one.
func (rf *refusing) useAt(list *[]*use, f uncontrolled.Use) *use {
	for _, u := range *list {
		switch {
		case f.Linked && u.linked == f.Inside && u.Guarded == f.Guarded:
			u.link(f)
			return u
		case u.Site == f.Pos.String() && u.Construct == f.Construct:
			return u
		}
	}
	u := &use{Site: f.Pos.String(), Construct: f.Construct, Reason: f.Reason,
		Trusted: rf.trustedOf(f),
		Guarded: f.Guarded, Remedy: rf.remedy(f)}
	if f.Linked {
		u.linked, u.names = f.Inside, []string{f.Construct}
	}
	*list = append(*list, u)
	return u
}

// link adds a function that is linked by name.
func (u *use) link(f uncontrolled.Use) {
	if !slices.Contains(u.names, f.Construct) {
		u.names = append(u.names, f.Construct)
		u.Construct = fmt.Sprintf("%s and %d more functions of %s", u.names[0], len(u.names)-1,
			u.linked)
	}
}

// trustedOf returns why the user trusts a use: its package, the package that uses it, or a function
// that leads there is trusted. C, and code in the same file, is trusted in any case.
func (po *policy) trustedOf(f uncontrolled.Use) (trusted string) {
	if f.InC {
		trusted = f.Inside
	}
	for _, path := range []string{f.Inside, f.Package} {
		if path != "" && po.trusts(path) {
			trusted = path
		}
	}
	for _, fn := range append(f.Callers, f.Construct) {
		if name := plainFunction(fn); slices.Contains(po.trustedFunctions, name) {
			trusted = name
		}
	}
	return trusted
}

// remedy says which flag lets tests that come to f run.
func (rf *refusing) remedy(f uncontrolled.Use) string {
	trust := f.Package
	if f.Linked {
		trust = plainFunction(f.Callers[0])
	} else if f.Guarded {
		trust = f.Construct
	} else if f.Inside != "" && rf.loaded.Target(f.Inside) == nil {
		trust = f.Inside
	} else if trust == "" {
		trust = plainFunction(f.Callers[0])
	}
	return std.Remedy(trust, f.Reason)
}

// pathOf says how f is reached, unless that is obvious.
func pathOf(f uncontrolled.Use) string {
	if len(f.Path) < 2 {
		return ""
	}
	return strings.Join(f.Path, " -> ")
}
