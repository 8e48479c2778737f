package skeleton

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestCode writes the code of functions in the commonest shapes as facts, reads it in a program
// that does not know the functions, and compares the skeletons.
func TestCode(t *testing.T) {
	const fixtures = "../discipline/leak/testdata/src/"
	r, err := load.Load(load.Config{Patterns: []string{fixtures + "leak",
		fixtures + "example.org/answers", "../discipline/lockpath/testdata/src/lockpath"}})
	if err != nil {
		t.Fatal(err)
	}
	told, refused := 0, 0
	for _, target := range r.Targets {
		pkg := r.SSAPackage(target.Package)
		var funcs []*ssa.Function
		for fn := range ssautil.AllFunctions(r.SSA()) {
			if fn.Pkg == pkg && fn.Blocks != nil && fn.Synthetic == "" {
				funcs = append(funcs, fn)
			}
		}
		prog := NewProgram(r.SSA(), funcs, nil)
		for _, fn := range funcs {
			if !prog.Matters(fn) {
				continue
			}
			code := prog.encode(fn)
			if code == nil {
				refused++
				continue
			}
			told++
			compare(t, prog, fn, code)
		}
	}
	t.Logf("%d functions are told, %d are not", told, refused)
	if told < 100 || refused > told/5 {
		t.Errorf("%d functions are told, and %d are not: want nearly all", told, refused)
	}
}

// compare reads code in a program of no functions, and compares what comes out with fn, and so on
// for the functions that it has with it.
func compare(t *testing.T, prog *Program, fn *ssa.Function, code *Code) {
	t.Helper()
	var wire bytes.Buffer
	if err := gob.NewEncoder(&wire).Encode(code); err != nil {
		t.Fatal(err)
	}
	again := new(Code)
	if err := gob.NewDecoder(&wire).Decode(again); err != nil {
		t.Fatal(err)
	}
	other := NewProgram(prog.SSA, nil, nil)
	got := other.decode(fn, again, fn.Pkg.Pkg)
	if got == nil {
		t.Errorf("%s: cannot be read", fn)
		return
	}
	got.Foreign = false
	if want, got := prog.dump(prog.Func(fn)), other.dump(got); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", fn, got, want)
	}
}

// dump writes a skeleton, with all types, functions and places by name.
func (p *Program) dump(f *Func) string {
	var b strings.Builder
	at := func(f *Func) string { return fmt.Sprint(p.SSA.Fset.Position(f.Pos)) }
	fmt.Fprintln(&b, f.Name, at(f), f.Sig.Params(), f.Sig.Results(), f.Params, f.Free, f.Regs,
		f.Recover, f.types, f.loops)
	for _, k := range f.Consts {
		fmt.Fprintln(&b, "const", k.Type, k.Value, p.nameOf(k.Func))
		if g := k.Global; g != nil {
			fmt.Fprintln(&b, "global", g.Full, g.Type, p.SSA.Fset.Position(g.Pos))
		}
	}
	for _, block := range f.Blocks {
		instrs := block.Instrs
		block.Instrs = nil
		fmt.Fprintf(&b, "%+v\n", block)
		for _, i := range instrs {
			fmt.Fprintln(&b, i.Op, i.Dst, i.Args, i.Type, i.Index, i.Tok, i.Comma, i.Block,
				p.nameOf(i.Fn), p.SSA.Fset.Position(i.Pos), i.Text)
			if c := i.Callee; c != nil {
				fmt.Fprintln(&b, "calls", p.nameOf(c.Static), c.Name, methodName(c.Method),
					c.Builtin, c.Sig.Params(), c.Sig.Results())
			}
			for _, k := range i.Cases {
				fmt.Fprintln(&b, "case", k.Send, k.Ch, k.Val, p.SSA.Fset.Position(k.Pos),
					k.Elements)
			}
		}
	}
	return b.String()
}

func (p *Program) nameOf(fn *ssa.Function) string {
	if fn == nil {
		return "-"
	}
	return p.FullName(fn)
}

func methodName(m *types.Func) string {
	if m == nil {
		return "-"
	}
	return m.FullName()
}
