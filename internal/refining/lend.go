package refining

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/exec"
)

// loan is what a side has of the other side, which has harnesses.
type loan struct {
	files map[string][]byte // by path
	owner string            // the directory that they are from
}

// lending is the beginning of the names of files that are the other side's.
const lending = "zz_lent_"

// lend makes the files with harnesses of one package files of another one. A harness in an external
// test package imports the package that it is a test of: that is the other one then.
func lend(to, from built) (l loan, err error) {
	l = loan{map[string][]byte{}, from.Dir}
	for _, file := range from.Files {
		content, err := os.ReadFile(file)
		if err != nil {
			return l, err
		}
		if content, err = importing(content, from.Path, to.Path); err != nil {
			return l, err
		}
		l.files[filepath.Join(to.Dir, lending+filepath.Base(file))] = content
	}
	return l, nil
}

// importing has a file import a package in the place of another one.
func importing(text []byte, old, new string) ([]byte, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, i := range f.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err == nil && path == old {
			at := int(i.Path.Pos() - f.FileStart)
			end := int(i.Path.End() - f.FileStart)
			return []byte(string(text[:at]) + strconv.Quote(new) + string(text[end:])), nil
		}
	}
	return text, nil
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

// buildLent builds a side that has no harness with those of the other one.
func (r *Request) buildLent(p pair, i int, to, from built) (built, error) {
	l, err := lend(to, from)
	if err != nil {
		return built{}, err
	}
	side, err := r.buildSide(p, i, l)
	if err != nil && !errors.Is(err, exec.ErrInterrupted) {
		to.lent = l
		text := strings.TrimPrefix(to.owned(err).Error(), p.names[i]+": ")
		return built{}, fmt.Errorf("%s has no harness, and gets that of %s: %s", p.names[i],
			p.names[1-i], text)
	}
	return side, err
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
