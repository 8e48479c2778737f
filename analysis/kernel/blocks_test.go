package kernel

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// The calls of a to e mark blocks: a before a loop of b, in which c is on one branch, d after it,
// and e where control never comes from a.
const source = `package p

func a(); func b() bool; func c(); func d(); func e()

func f(x bool) {
	if x {
		e()
		return
	}
	a()
	for b() {
		if b() {
			continue
		}
		c()
	}
	d()
	d()
}`

func TestReaches(t *testing.T) {
	calls := callsOf(t)
	block := func(name string) *ssa.BasicBlock { return calls[name][0].Block() }
	for _, tt := range []struct {
		from, to, without string
		want              bool
	}{
		{"a", "d", "", true},
		{"a", "a", "", false},
		{"b", "b", "", true},
		{"c", "c", "", true},
		{"c", "c", "b", false},
		{"a", "b", "c", true},
		{"a", "b", "b", true}, // the end may be what is left out
		{"a", "c", "b", false},
		{"a", "e", "", false},
		{"d", "b", "", false},
	} {
		var without []*ssa.BasicBlock
		if tt.without != "" {
			without = append(without, block(tt.without))
		}
		if got := Way(block(tt.from), block(tt.to), without...); got != tt.want {
			t.Errorf("from %s to %s without %q: %v", tt.from, tt.to, tt.without, got)
		}
	}
	if InLoop(block("a")) || !InLoop(block("c")) {
		t.Error("c alone is in the loop")
	}
}

func TestAfter(t *testing.T) {
	calls := callsOf(t)
	first, second := calls["d"][0], calls["d"][1]
	if !After(first, second) || After(second, first) || After(first, first) {
		t.Error("in a block the order counts")
	}
	if !After(calls["c"][0], calls["c"][0]) || !After(calls["c"][0], calls["b"][0]) ||
		After(first, calls["c"][0]) {
		t.Error("in a loop what comes before comes after, too")
	}
}

// callsOf are the calls of f by what they call, in the order of blocks.
func callsOf(t *testing.T) map[string][]ssa.Instruction {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("p", "p"),
		[]*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]ssa.Instruction{}
	for _, b := range pkg.Func("f").Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok {
				name := c.Call.StaticCallee().Name()
				calls[name] = append(calls[name], i)
			}
		}
	}
	return calls
}
