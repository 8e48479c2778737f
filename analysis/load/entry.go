package load

import (
	"go/ast"
	"go/doc"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

// Entry is a function where a program begins: a test function, TestMain, or main.
type Entry struct {
	Name string
	Decl *ast.FuncDecl
	Func *types.Func
}

// SSA returns the entry's SSA function.
func (e Entry) SSA(r *Result) *ssa.Function { return r.Function(e.Func) }

// Tests returns t's test functions, then its fuzz targets and its examples with an output, each in
// the order in which package testing runs them.
func (t *Target) Tests() []Entry {
	return slices.Concat(t.entries(isTest), t.entries(isFuzz), t.examples())
}

// TestMain returns t's TestMain; ok is false if it has none.
func (t *Target) TestMain() (Entry, bool) {
	return first(t.entries(func(name,
		param string) bool {
		return name == "TestMain" && param == "*testing.M"
	}))
}

// Main returns t's main function; ok is false if t is not a command.
func (t *Target) Main() (Entry, bool) {
	for d, f := range t.Package.functions() {
		if t.Package.Name == "main" && f.Name() == "main" {
			return Entry{"main", d, f}, true
		}
	}
	return Entry{}, false
}

func first(es []Entry) (Entry, bool) {
	if len(es) == 0 {
		return Entry{}, false
	}
	return es[0], true
}

// entries returns the functions of t's test files that satisfy want, a predicate over a function's
// name and the type of its only parameter.
func (t *Target) entries(want func(name, param string) bool) []Entry {
	var out []Entry
	for _, p := range []*Package{t.Package, t.XTest} {
		for d, f := range p.functions() {
			sig := f.Signature()
			if sig.Params().Len() == 1 && sig.Results().Len() == 0 &&
				want(f.Name(), typeString(sig)) && p.inTest(d.Pos()) {
				out = append(out, Entry{f.Name(), d, f})
			}
		}
	}
	return out
}

func typeString(sig *types.Signature) string {
	return types.TypeString(sig.Params().At(0).Type(),
		nil)
}

func isTest(name, param string) bool { return isNamed(name, "Test") && param == "*testing.T" }

func isFuzz(name, param string) bool { return isNamed(name, "Fuzz") && param == "*testing.F" }

// isNamed: "Test" alone is a name, "Testing" is not.
func isNamed(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(r))
}

// examples returns the examples that say what they print. The others are compiled only.
func (t *Target) examples() []Entry {
	var out []Entry
	for _, p := range []*Package{t.Package, t.XTest} {
		if p == nil {
			continue
		}
		runs := p.outputs()
		for d, f := range p.functions() {
			if runs[f.Name()] && p.inTest(d.Pos()) {
				out = append(out, Entry{f.Name(), d, f})
			}
		}
	}
	return out
}

// outputs has the names of p's examples that have an output comment.
func (p *Package) outputs() map[string]bool {
	names := map[string]bool{}
	for i, f := range p.Syntax {
		if !strings.HasSuffix(p.Compiled[i], "_test.go") {
			continue
		}
		for _, e := range doc.Examples(f) {
			names["Example"+e.Name] = e.Output != "" || e.EmptyOutput
		}
	}
	return names
}

// functions yields the package-level functions of p in source order.
func (p *Package) functions() func(yield func(*ast.FuncDecl, *types.Func) bool) {
	return func(yield func(*ast.FuncDecl, *types.Func) bool) {
		if p == nil {
			return
		}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil {
					continue
				}
				if obj, ok := p.Info.Defs[f.Name].(*types.Func); ok && !yield(f, obj) {
					return
				}
			}
		}
	}
}

// inTest reports whether pos is in a test file.
func (p *Package) inTest(pos token.Pos) bool {
	for i, f := range p.Syntax {
		if f.FileStart <= pos && pos < f.FileEnd {
			return strings.HasSuffix(p.Compiled[i], "_test.go")
		}
	}
	return false
}
