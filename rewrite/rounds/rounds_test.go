package rounds_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/rewrite/rounds"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// load type-checks a file. What it imports outside of the standard library is not known.
func load(name string) *unit.File {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	in := &unit.Input{Fset: set, Files: []*ast.File{syntax}, Sources: map[string][]byte{name: text},
		HookPath: "hook", Info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	config := types.Config{Importer: importer.ForCompiler(set, "source", nil),
		Error: func(error) {}}
	in.Types, _ = config.Check("p", set, in.Files, in.Info)
	return unit.New(in, syntax, unit.ChooseNames(in.Files))
}

// TestStill compares the loops that are marked with the comments there, and the branches that say
// that they change something.
func TestStill(t *testing.T) {
	for file, most := range map[string]int{"still.go": 50, "tallies.go": 20} {
		if loops := compareStill(t, load("testdata/"+file)); loops < most {
			t.Errorf("%s: %d loops", file, loops)
		}
	}
}

// compareStill marks the loops of a file, and counts its lines with loops.
func compareStill(t *testing.T, f *unit.File) (loops int) {
	labels := map[ast.Stmt]*ast.LabeledStmt{}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels[n.Stmt] = n
		case *ast.ForStmt:
			rounds.Mark(f, n, labels[n], false)
		}
		return true
	})
	result := strings.Split(string(f.Edits.Bytes()), "\n")
	for i, line := range strings.Split(string(f.Src), "\n") {
		if strings.Contains(line, "for ") {
			loops++
		}
		marks := map[string]int{".Polls()": 0, ".Round();": 0, ".Tally();": 0}
		switch {
		case strings.HasSuffix(line, "// still"):
			marks[".Polls()"], marks[".Round();"] = 1, 1
		case strings.HasSuffix(line, "// still and tally"):
			marks[".Polls()"], marks[".Round();"], marks[".Tally();"] = 1, 1, 1
		case strings.HasSuffix(line, "// tally"):
			marks[".Tally();"] = 1
		case strings.HasSuffix(line, "// changes"):
			marks[".Polls()"] = 1
		}
		for mark, want := range marks {
			if n := strings.Count(result[i], mark); n != want {
				t.Errorf("%s:%d: %d of %s, want %d: %s", f.Path, i+1, n, mark, want, result[i])
			}
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", f.Edits.Bytes(), 0); err != nil {
		t.Error(err)
	}
	return loops
}

// TestWaits compares the loops of the table that only wait with the comments there.
func TestWaits(t *testing.T) {
	f := load("testdata/waits.go")
	lines, loops := strings.Split(string(f.Src), "\n"), 0
	for entry := range strings.Lines(rounds.Table(f)) {
		fields := strings.Fields(entry)
		first, is := strings.CutPrefix(fields[0], "l")
		if !is {
			continue
		}
		loops++
		first, _, _ = strings.Cut(first, "-")
		line, _ := strconv.Atoi(first)
		_, comment, _ := strings.Cut(lines[line-1], "// ")
		words := strings.Fields(comment)
		want := len(words) > 0 && words[0] == "waits"
		is = !strings.Contains(fields[1], "a")
		if is != want || is && !slices.Equal(fields[2:], words[1:]) {
			t.Errorf("%s:%d: %s", f.Path, line, entry)
		}
	}
	if loops < 20 {
		t.Errorf("%d loops", loops)
	}
}
