package leaks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// expectation is what Go's test says about one kernel.
type expectation struct {
	Flaky bool             // the leaks depend on the schedule: each is one that may be seen
	Leaks []*regexp.Regexp // none: the kernel has no leak
}

// matches reports whether a leak is one that is expected.
func (e expectation) matches(leak string) bool {
	return slices.ContainsFunc(e.Leaks, func(re *regexp.Regexp) bool {
		return re.MatchString(leak)
	})
}

// readExpectations takes the calls makeTest(name, leaks...) and makeFlakyTest(name, leaks...) out
// of Go's test.
func readExpectations(t *testing.T, file string) map[string]expectation {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Skip(err)
	}
	all := map[string]expectation{}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if maker := calledName(call); ok && (maker == "makeTest" || maker == "makeFlakyTest") {
			texts := stringArgs(call)
			all[texts[0]] = expectation{maker == "makeFlakyTest", compileAll(t, texts[1:])}
		}
		return true
	})
	return all
}

func compileAll(t *testing.T, texts []string) []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, text := range texts {
		re, err := regexp.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, re)
	}
	return all
}

// calledName is the identifier that call calls, or nothing.
func calledName(call *ast.CallExpr) string {
	if call == nil {
		return ""
	}
	id, _ := call.Fun.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

// stringArgs are the arguments of call that are string literals.
func stringArgs(call *ast.CallExpr) []string {
	var texts []string
	for _, arg := range call.Args {
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
