package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// keepState hands the addresses of the file's variables that an execution may change to package hook, in an init
// function of the file. The variables of files that cgo works on are left out.
func (f *file) keepState() {
	vars := f.stateVars()
	if len(vars) == 0 || f.isCgo() {
		return
	}
	f.atEnd("; func init() { " + f.hooked("Keep") + "&" + strings.Join(vars, ", &") + ") }")
}

// stateVars lists the package-level variables that the file declares and an execution may change.
func (f *file) stateVars() []string {
	var vars []string
	for _, d := range f.syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if f.in.State == nil || !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				v, ok := f.in.Info.Defs[id].(*types.Var)
				if ok && id.Name != "_" && f.in.State(v) {
					vars = append(vars, id.Name)
				}
			}
		}
	}
	return vars
}
