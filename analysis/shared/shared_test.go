package shared_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/shared"
)

// TestFind compares the shared variables with the comments of the fixture.
func TestFind(t *testing.T) {
	compare(t, "testdata/shared.go", "shared:", "private:", (*shared.Variables).Var)
}

// TestParts does so for variables that are touched as a whole.
func TestParts(t *testing.T) {
	compare(t, "testdata/parts.go", "shared:", "private:", (*shared.Variables).Var)
}

// TestOutside does so for methods that the library may call.
func TestOutside(t *testing.T) {
	compare(t, "testdata/outside.go", "shared:", "private:", (*shared.Variables).Var)
}

// TestPerLoop does it in a language version in which all iterations share the variables of a loop.
func TestPerLoop(t *testing.T) {
	compareIn(t, "go1.21", "testdata/perloop.go", "shared:", "private:", (*shared.Variables).Var)
}

// TestTypes asks for variables without a name: targets of pointers, elements of slices and arrays,
// and maps.
func TestTypes(t *testing.T) {
	fset, file, info := check(t, "testdata/types.go")
	found := shared.Find(fset, []shared.Package{{Files: []*ast.File{file}, Info: info}})
	is := map[string]func(types.Type) bool{"target": found.Target, "element": found.Element,
		"mapped": found.Map, "parts": found.Parts}
	checked := 0
	for want, said := range comments(fset, file, "yes:", "no:") {
		for _, obj := range info.Defs {
			name, ok := obj.(*types.TypeName)
			if !ok || fset.Position(name.Pos()).Line != want.line {
				continue
			}
			checked++
			if got := is[want.name](name.Type()); got != said {
				t.Errorf("%s: %s of %s: %t, want %t", fset.Position(name.Pos()), want.name,
					name.Name(), got, said)
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d comments are about types", checked)
	}
}

// TestGoVersion: the file's own version counts, then the module's, and then the newest.
func TestGoVersion(t *testing.T) {
	file := &ast.File{}
	for _, test := range []struct {
		file, module string
		want         bool
	}{{"", "", true}, {"", "1.21", false}, {"", "go1.22", true}, {"go1.21", "1.26", false},
		{"go1.22", "1.13", true}} {
		info := &types.Info{FileVersions: map[*ast.File]string{}}
		if test.file != "" {
			info.FileVersions[file] = test.file
		}
		if got := shared.PerIteration(info, file, test.module); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}

// TestOwn does it for variables that are their goroutines' own.
func TestOwn(t *testing.T) {
	compare(t, "testdata/own.go", "own:", "others:", (*shared.Variables).Own)
}

func compare(t *testing.T, name, yes, no string, is func(*shared.Variables, *types.Var) bool) {
	t.Helper()
	compareIn(t, "", name, yes, no, is)
}

func compareIn(t *testing.T, goVersion, name, yes, no string,
	is func(*shared.Variables, *types.Var) bool) {
	t.Helper()
	fset, file, info := check(t, name)
	found := shared.Find(fset,
		[]shared.Package{{Files: []*ast.File{file}, Info: info, GoVersion: goVersion}})
	wants := comments(fset, file, yes, no)
	checked := 0
	for id, obj := range info.Defs {
		v, ok := obj.(*types.Var)
		if !ok {
			continue
		}
		want, said := wants[key{fset.Position(id.Pos()).Line, id.Name}]
		if !said {
			continue
		}
		checked++
		if got := is(found, v); got != want {
			t.Errorf("%s: %s: %s is %t, want %t", fset.Position(id.Pos()), id.Name, yes, got, want)
		}
	}
	if checked != len(wants) {
		t.Errorf("%d variables found of the %d that the comments name", checked, len(wants))
	}
}

// key is a variable's place.
type key struct {
	line int
	name string
}

// comments returns what they say of the variables.
func comments(fset *token.FileSet, file *ast.File, yes, no string) map[key]bool {
	wants := map[key]bool{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			line, is := fset.Position(c.Pos()).Line, false
			for _, word := range strings.Fields(c.Text) {
				switch {
				case slices.Contains([]string{yes, no}, word):
					is = word == yes
				case strings.HasPrefix(c.Text, "// "+yes), strings.HasPrefix(c.Text, "// "+no):
					if word != "//" {
						wants[key{line, word}] = is
					}
				}
			}
		}
	}
	return wants
}

func check(t *testing.T, name string) (*token.FileSet, *ast.File, *types.Info) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := config.Check("shared", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	return fset, file, info
}
