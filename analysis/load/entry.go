package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

// Entry is a function where a program begins: a test function, TestMain, or main.
type Entry struct {
	Name    string
	Package *Package
	Decl    *ast.FuncDecl
	Func    *types.Func
}

// SSA returns the entry's SSA function.
func (e Entry) SSA(r *Result) *ssa.Function { return r.Function(e.Func) }

// Tests returns t's test functions in the order in which package testing runs them.
func (t *Target) Tests() []Entry { return t.entries(isTest) }

// TestMain returns t's TestMain; ok is false if it has none.
func (t *Target) TestMain() (Entry, bool) {
	return first(t.entries(func(name, param string) bool { return name == "TestMain" && param == "*testing.M" }))
}

// Main returns t's main function; ok is false if t is not a command.
func (t *Target) Main() (Entry, bool) {
	for d, f := range t.Package.functions() {
		if t.Package.Name == "main" && f.Name() == "main" {
			return Entry{"main", t.Package, d, f}, true
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

// entries returns the functions of t's test files that satisfy want, a predicate over a function's name and the type
// of its only parameter.
func (t *Target) entries(want func(name, param string) bool) []Entry {
	var out []Entry
	for _, p := range []*Package{t.Package, t.XTest} {
		for d, f := range p.functions() {
			sig := f.Signature()
			if sig.Params().Len() == 1 && sig.Results().Len() == 0 && want(f.Name(), typeString(sig)) && p.inTest(d.Pos()) {
				out = append(out, Entry{f.Name(), p, d, f})
			}
		}
	}
	return out
}

func typeString(sig *types.Signature) string { return types.TypeString(sig.Params().At(0).Type(), nil) }

// isTest: "Test" alone is a name, "Testing" is not.
func isTest(name, param string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && param == "*testing.T" && (rest == "" || !unicode.IsLower(r))
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
