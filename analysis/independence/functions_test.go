package independence

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestOrderOfFunctions: generic functions, their instances and wrappers have one position and, for
// types that functions declare, one name. They come in the same order each time.
func TestOrderOfFunctions(t *testing.T) {
	l, err := load.Load(load.Config{Patterns: []string{"./testdata/generic"}})
	if err != nil {
		t.Fatal(err)
	}
	first := withBodies(l.SSA())
	if !slices.ContainsFunc(first, func(fn *ssa.Function) bool { return fn.Origin() != nil }) {
		t.Fatal("no instances")
	}
	for range 10 {
		again := withBodies(l.SSA())
		for i, fn := range again {
			if fn != first[i] {
				t.Fatalf("%d: %v, declared at %v, was %v at %v", i, fn, declarations(fn), first[i],
					declarations(first[i]))
			}
		}
	}
}

// TestIdentical: that types are identical does not depend on names of parameters and aliases.
func TestIdentical(t *testing.T) {
	l, err := load.Load(load.Config{Patterns: []string{"./testdata/generic"}})
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(l, actors.LookAt(l), Options{})
	pkg := l.SSAPackage(l.Targets[0].Package)
	for _, instr := range pkg.Func("call").Blocks[0].Instrs {
		if c, ok := instr.(*ssa.Call); ok {
			if to, _, _ := effects.NewTypes(l.SSA(), p.functions).Callees(c); !slices.Contains(to,
				pkg.Func("noted")) {
				t.Errorf("call calls %v", to)
			}
		}
	}
	x, y := p.a.Accesses(pkg.Func("clearAny"))[0].Loc,
		p.a.Accesses(pkg.Func("clearAnything"))[0].Loc
	of, _ := x.Keys()
	if and, _ := y.Keys(); !x.Overlap(y) || !slices.Equal(of, and) {
		t.Errorf("overlap %v, keys %v and %v", x.Overlap(y), of, and)
	}
}

// TestSameBytes: the facts about one program are the same bytes whenever it is loaded.
func TestSameBytes(t *testing.T) {
	first, again := written(t), written(t)
	if !bytes.Equal(first, again) {
		t.Errorf("%d bytes, then %d others", len(first), len(again))
	}
}

// written loads all programs in testdata together, and writes what is known of them.
func written(t *testing.T) []byte {
	t.Helper()
	var programs []string
	for _, name := range []string{"counted", "example2", "fig3", "fig5", "generic", "kinds"} {
		programs = append(programs, "./testdata/"+name)
	}
	l, err := load.Load(load.Config{Patterns: programs})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(Find(l))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
