package pointsto

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestExported: what unknown code may pass to an exported API, and what it may not.
func TestExported(t *testing.T) {
	r, err := load.Load(load.Config{Patterns: []string{"testdata/api/api.go"}})
	if err != nil {
		t.Fatal(err)
	}
	res := Analyze(ConfigOf(r))
	got := map[string]string{}
	for _, fn := range res.Functions() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				c, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				if p, ok := c.Call.Value.(*ssa.Builtin); ok && p.Name() == "print" {
					got[fn.Name()] = kinds(res.PointsTo(c.Call.Args[0]))
				}
			}
		}
	}
	want := map[string]string{
		"Take":  "heap unknown", // what New gave away, and what others make
		"Chan":  "chan",         // the field has no exported name
		"hide":  "heap",         // not called from outside
		"Apply": "heap unknown", // what the unknown function returns
	}
	for name, kinds := range want {
		if got[name] != kinds {
			t.Errorf("%s: got %q, want %q", name, got[name], kinds)
		}
	}
}

func kinds(s Set) string {
	var out []string
	for _, o := range s.Objects() {
		out = append(out, o.Kind.String())
	}
	return strings.Join(sorted(out), " ")
}
