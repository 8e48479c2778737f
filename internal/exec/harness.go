package exec

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/refine"
)

// addFiles puts the files into the overlay that the request adds.
func (b *builder) addFiles() error {
	for place, content := range b.added {
		if err := b.add(place, content); err != nil {
			return err
		}
	}
	return nil
}

// findHarnesses finds the harnesses of every target.
func (g *targets) findHarnesses() error {
	g.harnesses = map[string][]*harness{}
	if g.harness == nil {
		return nil
	}
	for _, t := range g.loaded.Targets {
		for _, p := range []*load.Package{t.Package, t.XTest} {
			if p == nil {
				continue
			}
			list, err := g.harnessesIn(p)
			if err != nil {
				return err
			}
			g.harnesses[t.Path] = append(g.harnesses[t.Path], list...)
		}
	}
	return nil
}

func (g *targets) harnessesIn(p *load.Package) (list []*harness, err error) {
	for i, f := range p.Syntax {
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Recv != nil || !g.isHarness(p, p.Compiled[i], fn) {
				continue
			}
			h := &harness{name: fn.Name.Name, file: p.Compiled[i], in: p, decl: fn}
			h.fn, _ = p.Info.Defs[fn.Name].(*types.Func)
			h.values, _ = p.Types.Scope().Lookup(h.name + "Values").(*types.Func)
			if err := h.check(g.loaded.Fset); err != nil {
				return nil, err
			}
			list = append(list, h)
		}
	}
	return list, nil
}

// isHarness reports whether a function is a harness, or the constructor that is used as one.
func (g *targets) isHarness(p *load.Package, file string, fn *ast.FuncDecl) bool {
	name := fn.Name.Name
	if g.harness.entry != "" {
		return name == g.harness.entry
	}
	rest, is := strings.CutPrefix(name, "Refine")
	first, _ := utf8.DecodeRuneInString(rest)
	if !is || !isTestFile(file) || !(unicode.IsUpper(first) || unicode.IsDigit(first) ||
		first == '_') {
		return false
	}
	base, values := strings.CutSuffix(name, "Values")
	return !values || p.Types.Scope().Lookup(base) == nil
}

// check looks at what can be told from the source alone. Types are looked at by the binary.
func (h *harness) check(fset *token.FileSet) error {
	wrong := func(pos token.Pos, format string, args ...any) error {
		p := fset.Position(pos)
		return fmt.Errorf("%s:%d: %s: %s", p.Filename, p.Line, h.name, fmt.Sprintf(format, args...))
	}
	sig := h.fn.Signature()
	switch {
	case sig.TypeParams().Len() > 0:
		return wrong(h.decl.Pos(),
			"a harness has no type parameters: write one for a type that you use")
	case sig.Variadic():
		return wrong(h.decl.Pos(), "a harness has no variadic parameter")
	}
	if h.values != nil {
		if err := h.checkValues(wrong); err != nil {
			return err
		}
	}
	if h.decl.Doc == nil {
		return nil
	}
	for _, c := range h.decl.Doc.List {
		words, is := strings.CutPrefix(c.Text, "//rehearse:refine")
		for _, word := range strings.Fields(words) {
			if is && !addWord(&h.protocol, word) {
				return wrong(c.Pos(),
					"%s: unknown; n=N, sequential, sequential=TYPE, last=METHOD, once=METHOD or close=CHANNEL",
					word)
			}
		}
	}
	return nil
}

func (h *harness) checkValues(wrong func(token.Pos, string, ...any) error) error {
	sig := h.values.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() == 0 {
		return wrong(h.values.Pos(), "%s takes nothing, and returns slices", h.values.Name())
	}
	for i := range sig.Results().Len() {
		if _, is := sig.Results().At(i).Type().Underlying().(*types.Slice); !is {
			return wrong(h.values.Pos(), "%s returns slices only", h.values.Name())
		}
	}
	return nil
}

// addWord adds one word of a comment //rehearse:refine. It reports whether the word is known.
func addWord(p *refine.Protocol, word string) bool {
	key, value, has := strings.Cut(word, "=")
	add := func(to *map[string]bool) bool {
		if *to == nil {
			*to = map[string]bool{}
		}
		(*to)[value] = true
		return has && value != ""
	}
	switch {
	case key == "n":
		n, err := strconv.Atoi(value)
		p.N = n
		return err == nil && n > 0
	case key == "sequential" && has:
		return add(&p.One)
	case key == "sequential":
		p.Sequential = true
		return true
	case key == "last":
		return add(&p.Last)
	case key == "once":
		return add(&p.Once)
	case key == "close":
		return add(&p.Closes)
	}
	return false
}
