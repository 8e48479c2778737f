package goprog

import (
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

var show = flag.Uint64("show", 0, "print the mixed program of this `seed`")

// makers are the ways to make a program.
var makers = []func(uint64) *Program{New, NewAssigned, NewMixed, NewMonitors, NewLists, NewHandlers,
	NewGatherers, NewGroups,
	NewRacers, NewTwins, NewGiven, NewEarly, NewCorners, NewCalls, NewCrowds,
}

// TestCompile type-checks programs.
func TestCompile(t *testing.T) {
	fset := token.NewFileSet()
	files := []*ast.File{parse(t, fset, Prelude),
		parse(t, fset, "package prog; func perturb() {}; func settle() {}")}
	for seed := range uint64(2000) {
		for f := Plain; f <= Perturbed; f++ {
			p := makers[seed%uint64(len(makers))](seed / uint64(len(makers)))
			file := parse(t, fset, p.Source(f))
			config := types.Config{Importer: exports}
			if _, err := config.Check("prog", fset, append(files[:2:2], file), nil); err != nil {
				t.Errorf("%v\n%s", err, p.Source(f))
			}
		}
	}
	if *show > 0 {
		t.Log("\n" + NewMixed(*show).Source(Plain))
	}
}

var exports = importer.Default()

func parse(t *testing.T, fset *token.FileSet, text string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// TestConstructs checks that every construct appears.
func TestConstructs(t *testing.T) {
	count := map[string]int{}
	for i := range constructs {
		c := &constructs[i]
		make := c.make
		c.make = func(g *gen) *node { count[c.name]++; return make(g) }
		defer func() { c.make = make }()
	}
	for seed := range uint64(200) {
		New(seed)
		NewMixed(seed)
		if seed < 50 {
			NewAssigned(seed)
		}
	}
	for _, c := range constructs {
		if count[c.name] < 3 {
			t.Errorf("%s: %d times in 200 programs", c.name, count[c.name])
		}
	}
	t.Log(count)
}

// TestSame checks that a seed makes one program.
func TestSame(t *testing.T) {
	if a, b := New(7).Source(Plain), New(7).Source(Plain); a != b ||
		!strings.Contains(a, "TestSeed7") {
		t.Errorf("%s\nand\n%s", a, b)
	}
}

// TestCompileActors does so with programs of actors.
func TestCompileActors(t *testing.T) {
	fset := token.NewFileSet()
	for seed := range uint64(300) {
		p := NewActors(seed)
		config := types.Config{Importer: exports}
		if _, err := config.Check("prog", fset, []*ast.File{parse(t, fset, p.Source)},
			nil); err != nil {
			t.Errorf("%v\n%s", err, p.Source)
		}
	}
}
