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
	fset, file, info := check(t)
	found := shared.Find(fset, []shared.Package{{Files: []*ast.File{file}, Info: info}})
	wants := comments(fset, file)
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
		if got := found.Var(v); got != want {
			t.Errorf("%s: %s: shared is %t, want %t", fset.Position(id.Pos()), id.Name, got, want)
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
func comments(fset *token.FileSet, file *ast.File) map[key]bool {
	wants := map[key]bool{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			line, is := fset.Position(c.Pos()).Line, false
			for _, word := range strings.Fields(c.Text) {
				switch {
				case slices.Contains([]string{"shared:", "private:"}, word):
					is = word == "shared:"
				case strings.HasPrefix(c.Text, "// shared:"), strings.HasPrefix(c.Text, "// private:"):
					if word != "//" {
						wants[key{line, word}] = is
					}
				}
			}
		}
	}
	return wants
}

func check(t *testing.T) (*token.FileSet, *ast.File, *types.Info) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "testdata/shared.go", nil, parser.ParseComments)
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
