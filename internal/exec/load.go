package exec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/cache"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// load loads the packages that the patterns name and what they import. When modules of go's module
// cache have to be rewritten, it loads once more with copies in their places.
func (b *builder) load() error {
	overlay, err := b.cache.Overlay(b.replace)
	if err != nil {
		return err
	}
	b.flags = b.options.BuildFlags()
	if b.loaded, err = b.loadWith(overlay); err != nil {
		return err
	}
	if err := b.findInherited(overlay); err != nil {
		return err
	}
	modules := b.toCopy()
	if len(modules) == 0 {
		return nil
	}
	flags, err := b.tools.Copies(b.cache, modules)
	if err != nil {
		return err
	}
	b.flags = append(b.flags, flags...)
	b.loaded = nil // large: two at a time need twice the memory
	b.loaded, err = b.loadWith(overlay)
	return err
}

func (b *builder) loadWith(overlay string) (*load.Result, error) {
	key := b.exportsKey()
	known := b.cache.Standard(key)
	if known == nil {
		known = map[string]string{}
	}
	before := len(known)
	c := load.Config{
		Dir:      b.dir,
		Env:      b.tools.Environment(),
		Patterns: b.patterns,
		Flags:    slices.Concat([]string{"-overlay=" + overlay}, b.flags, b.forCompiler()),
		Tests:    true,
		Deps:     true,
		Overlay:  b.replace,
		Exports:  known,
	}
	r, err := load.Load(c)
	if len(known) > before {
		if err := b.cache.KeepStandard(key, known); err != nil {
			return nil, err
		}
	}
	var e *load.Error
	if errors.As(err, &e) && e.Kind == load.Broken {
		broken := newBrokenError(OneLine(c, err), r)
		broken.lines = e.Errors
		return r, broken
	}
	return r, OneLine(c, err)
}

// exportsKey names what the export data of the standard library depends on.
func (b *builder) exportsKey() string {
	return cache.Digest(fmt.Appendf(nil, "exports\x00%s\x00%s\x00%q\x00%s\x00%s", identity(),
		b.standardKey(), b.options.BuildFlags(), b.tools.GOFLAGS, goEnvFile().sum()))
}

// brokenError says that packages do not compile.
type brokenError struct {
	error
	intact  []string // import paths of the targets that compile, with all that they import
	targets []string // of the others
	lines   []string // "file:line:col: message", the first ones
}

// CompilerErrors lists what is wrong with the user's packages, if err says that they do not
// compile: "file:line:col: message".
func CompilerErrors(err error) []string {
	var b *brokenError
	if !errors.As(err, &b) {
		return nil
	}
	var files []string
	for _, line := range b.lines {
		files = append(files, placeIn(line).file)
	}
	lines := slices.Clone(b.lines)
	slices.SortStableFunc(lines, func(x, y string) int {
		i, j := placeIn(x), placeIn(y)
		return cmp.Or(slices.Index(files, i.file)-slices.Index(files, j.file), i.line-j.line,
			i.column-j.column)
	})
	return lines
}

// placed is the beginning of "file:line:col: message".
type placed struct {
	file         string
	line, column int
}

func placeIn(message string) (p placed) {
	parts := strings.SplitN(message, ":", 4)
	if len(parts) == 4 {
		p.file = parts[0]
		p.line, _ = strconv.Atoi(parts[1]) // 0 if it is no number
		p.column, _ = strconv.Atoi(parts[2])
	}
	return p
}

func newBrokenError(err error, r *load.Result) *brokenError {
	e := &brokenError{error: err, intact: r.Intact()}
	for _, t := range r.Targets {
		if !slices.Contains(e.intact, t.Path) {
			e.targets = append(e.targets, t.Path)
		}
	}
	return e
}

// OneLine makes one line of the errors in the user's packages: the first error of each package that
// does not compile, or the text of the go command.
func OneLine(c load.Config, err error) error {
	var e *load.Error
	if !errors.As(err, &e) {
		return err
	}
	if n := len(e.First); n > 1 {
		const most = 3
		more := ""
		if n > most {
			more = fmt.Sprintf("; and %d more", n-most)
		}
		return fmt.Errorf("%s: %s%s", e.Headline(),
			flat(strings.Join(e.First[:min(n, most)], "; ")), more)
	}
	if len(e.Errors) > 0 {
		return fmt.Errorf("%s: %s", e.Headline(), flat(e.Errors[0]))
	}
	t := toolchain.Toolchain{Dir: c.Dir, Env: c.Env}
	args := slices.Concat([]string{"list", "-test", "-deps", "-tags=" + c.Tags}, c.Flags,
		c.Patterns)
	if _, err = t.Run(args...); err == nil {
		return errors.New(e.Headline())
	}
	return fmt.Errorf("%s: %s", e.Headline(), flat(err.Error()))
}

// flat is a text in one line. The compiler has one line for the arguments of a call, and one for
// the parameters.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
