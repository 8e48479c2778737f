package load

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// SSA returns the program of all packages, made at the first call. The functions of main modules
// and of targets have bodies; those of third-party source packages get theirs when the caller
// builds their package: r.SSAPackage(p).Build().
func (r *Result) SSA() *ssa.Program {
	r.once.Do(func() {
		r.program = r.create()
		// One after the other: an instance gets the name by which it is first asked for, F[any] or
		// F[interface{}].
		for _, p := range r.Packages {
			if p.Main || r.Target(p.Path) != nil {
				r.program.Package(p.Types).Build()
			}
		}
	})
	return r.program
}

// SSAPackage returns the SSA form of p.
func (r *Result) SSAPackage(p *Package) *ssa.Package { return r.SSA().Package(p.Types) }

func (r *Result) create() *ssa.Program {
	prog := ssa.NewProgram(r.Fset, ssa.InstantiateGenerics)
	seen := map[*types.Package]bool{}
	for _, p := range r.Packages {
		seen[p.Types] = true
	}
	for _, p := range r.Packages {
		CreateImports(prog, p.Types, seen)
		prog.CreatePackage(p.Types, p.Syntax, p.Info, true).SetDebugMode(p.Main)
	}
	return prog
}

// CreateImports makes packages without bodies in prog for the imports of p, direct or not, without
// those that have been seen.
func CreateImports(prog *ssa.Program, p *types.Package, seen map[*types.Package]bool) {
	for _, q := range p.Imports() {
		if !seen[q] {
			seen[q] = true
			prog.CreatePackage(q, nil, nil, true)
			CreateImports(prog, q, seen)
		}
	}
}

// Function returns the SSA function of f, or nil if f has no body in r.
func (r *Result) Function(f *types.Func) *ssa.Function { return r.SSA().FuncValue(f) }
