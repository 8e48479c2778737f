package refining

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// loan is what a side has of the other side.
type loan struct {
	files     map[string][]byte // by path
	owner     string            // the directory that they are from
	harnesses []string
	names     []string // what has been lent: the harnesses, and what they use
}

// lending is the beginning of the names of files that are the other side's.
const lending = "zz_lent_"

// valuesOf is the name of the function that says what clients of a harness send.
func valuesOf(harness string) string { return harness + "Values" }

// lender lends declarations of one package's tests to another package. The component under test
// must stay that of the borrower: only what the borrower does not declare is lent with a harness.
type lender struct {
	from, to []*source
	clause   string          // the name of the package whose harnesses are being lent
	declares map[string]bool // what the borrower has, but for what is replaced
	replaced map[string]bool // the harnesses, and the functions of their values
	kept     map[*source][]part
	names    []string // that kept declares
}

// lend makes harnesses of one package those of another one.
func lend(to, from built, harnesses []string, tags string) (l loan, err error) {
	by := lender{declares: map[string]bool{}, replaced: map[string]bool{},
		kept: map[*source][]part{}}
	if by.from, err = sourcesOf(from.Dir, tags); err != nil {
		return l, err
	}
	if by.to, err = sourcesOf(to.Dir, tags); err != nil {
		return l, err
	}
	for _, h := range harnesses {
		by.replaced[h], by.replaced[valuesOf(h)] = true, true
	}
	l = loan{files: map[string][]byte{}, owner: from.Dir, harnesses: harnesses}
	theirs, ours := imported{from.Path, baseName(by.from)}, imported{to.Path, baseName(by.to)}
	same := func(clause string) string {
		return ours.name + strings.TrimPrefix(clause, theirs.name)
	}
	for _, clause := range []string{theirs.name, theirs.name + "_test"} {
		by.clause = clause
		by.take(same(clause))
	}
	names := packageNames(from.Dir, slices.Collect(maps.Keys(by.kept)))
	for s, kept := range by.kept {
		l.files[filepath.Join(to.Dir, lending+s.name())] = s.as(s.only(kept, names),
			same(s.file.Name.Name), theirs, ours)
	}
	by.leaveOut(to.Dir, l.files)
	l.names = by.names
	return l, nil
}

// baseName is the name of the package that is tested.
func baseName(list []*source) string {
	for _, s := range list {
		if !s.isTest() {
			return s.file.Name.Name
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.TrimSuffix(list[0].file.Name.Name, "_test")
}

// take collects the harnesses of package clause, and what they use. It leaves out what the
// borrower's package with the name other declares.
func (l *lender) take(other string) {
	clear(l.declares)
	for _, s := range l.to {
		for _, p := range s.parts() {
			for _, name := range p.names {
				l.declares[name] = l.declares[name] || s.file.Name.Name == other &&
					!(s.isTest() && l.replaced[name])
			}
		}
	}
	asked := map[string]bool{}
	var ask func(name string)
	ask = func(name string) {
		if asked[name] || l.declares[name] {
			return
		}
		asked[name] = true
		for _, s := range l.from {
			if !s.isTest() || s.file.Name.Name != l.clause {
				continue
			}
			for _, p := range s.parts() {
				if slices.Contains(p.names, name) && !l.has(s, p) {
					l.kept[s] = append(l.kept[s], p)
					if !slices.Contains(l.names, name) {
						l.names = append(l.names, name)
					}
					p.uses(ask)
				}
			}
		}
	}
	for name := range l.replaced {
		ask(name)
	}
	l.takeInit(ask)
	slices.Sort(l.names)
}

// has reports whether a part is kept already.
func (l *lender) has(s *source, p part) bool {
	return slices.ContainsFunc(l.kept[s], func(k part) bool { return k.Pos() == p.Pos() })
}

// takeInit takes the functions init of the files that the borrower does not have.
func (l *lender) takeInit(ask func(name string)) {
	for s := range l.kept {
		if s.file.Name.Name != l.clause || slices.ContainsFunc(l.to, func(t *source) bool {
			return t.name() == s.name()
		}) {
			continue
		}
		for _, p := range s.parts() {
			if slices.Contains(p.names, "init") && !l.has(s, p) {
				l.kept[s] = append(l.kept[s], p)
				p.uses(ask)
			}
		}
	}
}

// leaveOut blanks the borrower's own harnesses that are replaced.
func (l *lender) leaveOut(dir string, files map[string][]byte) {
	for _, s := range l.to {
		all := s.parts()
		kept := slices.DeleteFunc(slices.Clone(all), func(p part) bool {
			return l.replaced[p.names[0]]
		})
		if s.isTest() && len(kept) < len(all) {
			files[s.path] = s.only(kept, packageNames(dir, []*source{s}))
		}
	}
}

// renamed is an error that names files otherwise.
type renamed struct {
	error
	text string
}

// Error returns the text with the other names.
func (e renamed) Error() string { return e.text }

// Unwrap returns the error as it was.
func (e renamed) Unwrap() error { return e.error }

// owned has an error name the files that were lent where they are.
func (b built) owned(err error) error {
	if err == nil || len(b.lent.files) == 0 {
		return err
	}
	owner := relative(b.lent.owner) + string(filepath.Separator)
	text := strings.ReplaceAll(err.Error(), filepath.Join(b.Dir, lending), owner)
	return renamed{err, strings.ReplaceAll(text, lending, owner)}
}

// borrower is the side that gets harnesses of the other one: 0 or 1. A side that has none gets
// them; else a revision does, as nobody can change it. -1: both have harnesses, and files that the
// user can change.
func (p pair) borrower(old, new built) int {
	switch {
	case old.Binary == "" || new.Binary != "" && !p.sides[0].users:
		return 0
	case new.Binary == "" || !p.sides[1].users:
		return 1
	}
	return -1
}

// borrow builds the borrower with harnesses of the other side. note says what it has got.
func (r *Request) borrow(p pair, sides [2]built, i int, harnesses []string) (got [2]built,
	note string, err error) {
	to, from := sides[i], sides[1-i]
	l, err := lend(to, from, harnesses, r.Tags)
	if err != nil {
		return sides, "", err
	}
	got = sides
	if got[i], err = r.buildSide(p, i, l); err != nil {
		to.lent = l
		if !errors.Is(err, exec.ErrInterrupted) {
			err = errors.New(strings.TrimPrefix(to.owned(err).Error(), p.names[i]+": "))
		}
		return sides, "", err
	}
	return got, fmt.Sprintf("%s gets from %s: %s", p.names[i], p.names[1-i],
		strings.Join(l.names, ", ")), nil
}

// borrowMissing gives the borrower the harnesses that it lacks. Without any, nothing can be
// compared.
func (r *Request) borrowMissing(p pair, sides [2]built) (got [2]built, notes []string, err error) {
	i := p.borrower(sides[0], sides[1])
	if i < 0 || r.Entry != "" {
		return sides, nil, nil
	}
	match := regexp.MustCompile(r.Run)
	missing := slices.DeleteFunc(slices.Clone(sides[1-i].Harnesses), func(name string) bool {
		return slices.Contains(sides[i].Harnesses, name) || !match.MatchString(name)
	})
	if len(missing) == 0 {
		return sides, nil, nil
	}
	got, note, err := r.borrow(p, sides, i, missing)
	switch {
	case err == nil:
		return got, []string{note}, nil
	case errors.Is(err, exec.ErrInterrupted):
		return sides, nil, err
	case sides[i].Binary == "":
		return sides, nil, fmt.Errorf("%s has no harness, and gets that of %s: %w", p.names[i],
			p.names[1-i], err)
	}
	return sides, []string{fmt.Sprintf("%s does not build with %s of %s: %v", p.names[i],
		strings.Join(missing, ", "), p.names[1-i], err)}, nil
}

// borrowUnlike gives the borrower the other side's harness in the place of its own, as clients must
// use both sides in the same way. It returns unlike where that cannot be done.
func (r *Request) borrowUnlike(p pair, sides [2]built, names [2]string, unlike error) (got [2]built,
	note string, err error) {
	i := p.borrower(sides[0], sides[1])
	if i < 0 || names[0] != names[1] || r.Entry != "" {
		return sides, "", unlike
	}
	lent := sides[i].lent.harnesses
	if slices.Contains(lent, names[0]) {
		return sides, "", unlike
	}
	got, note, err = r.borrow(p, sides, i, append(slices.Clone(lent), names[0]))
	if err != nil && !errors.Is(err, exec.ErrInterrupted) {
		err = fmt.Errorf("%w; and %s does not build with the harness of %s: %v", unlike, p.names[i],
			p.names[1-i], err)
	}
	return got, unlike.Error() + ": " + note, err
}

// isUnlike reports whether clients cannot use both sides in the same way.
func isUnlike(err error) bool {
	var unlike refine.Unlike
	return errors.As(err, &unlike)
}

// buildSide builds a side. Its errors name the operand, as both sides may be versions of one
// package.
func (r *Request) buildSide(p pair, i int, added loan) (built, error) {
	at := p.sides[i]
	o := r.Options
	o.Run = ""
	build := func() ([]exec.Package, error) {
		return exec.BuildHarnesses(at.dir, &o, []string{at.pattern}, r.Entry, added.files)
	}
	list, err := r.building(build, &o, at.dir, []string{at.pattern})
	switch {
	case err != nil:
		return built{}, fmt.Errorf("%s: %w", p.names[i], err)
	case len(list) != 1:
		return built{}, fmt.Errorf("%s: %d packages, and one is compared", at.pattern, len(list))
	}
	return built{list[0], at, added}, nil
}
