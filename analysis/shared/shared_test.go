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

// TestFind compares what is found with what the comments of the fixture say.
func TestFind(t *testing.T) {
	compare(t, "testdata/shared.go", "shared:", "private:", (*shared.Variables).Var)
}

// TestOwn does it for variables that are their goroutines' own.
func TestOwn(t *testing.T) {
	compare(t, "testdata/own.go", "own:", "others:", (*shared.Variables).Own)
}

func compare(t *testing.T, name, yes, no string, is func(*shared.Variables, *types.Var) bool) {
	t.Helper()
	fset, file, info := check(t, name)
	found := shared.Find(fset, []shared.Package{{Files: []*ast.File{file}, Info: info}})
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
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := config.Check("shared", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	return fset, file, info
}
