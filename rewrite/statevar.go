package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// keepState hands the addresses of the file's variables that an execution may change to package
// hook, in an init function of the file. The variables of files that cgo works on are left out.
func (f *file) keepState() {
	vars := f.stateVars()
	if len(vars) == 0 || f.IsCgo() {
		return
	}
	var names, list []string
	for _, id := range vars {
		names = append(names, fmt.Sprintf("%s:%d", id.Name, f.In.Fset.Position(id.Pos()).Line))
		list = append(list, "&"+id.Name)
	}
	f.AtEnd("; func init() { " + f.Hooked("Keep") + strconv.Quote(strings.Join(names, " ")) + ", " +
		strings.Join(list, ", ") + ") }")
}

// stateVars lists the package-level variables that the file declares and an execution may change,
// and those with functions that may have captured variables.
func (f *file) stateVars() []*ast.Ident {
	var vars []*ast.Ident
	for _, d := range f.Syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if f.In.State == nil || !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ValueSpec)
			for _, id := range spec.Names {
				v, ok := f.In.Info.Defs[id].(*types.Var)
				if ok && id.Name != "_" && (f.In.State(v) || f.captures(v, spec)) {
					vars = append(vars, id)
				}
			}
		}
	}
	return vars
}

// captures reports whether v, declared by spec, may hold functions that have captured variables.
// Literals outside of functions capture nothing: functions that do are results of calls, or methods
// of values.
func (f *file) captures(v *types.Var, spec *ast.ValueSpec) (may bool) {
	if !holdsFunc(v.Type(), 0) {
		return false
	}
	for _, value := range spec.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				may = true
			case *ast.SelectorExpr:
				sel := f.In.Info.Selections[n]
				may = may || sel != nil && sel.Kind() == types.MethodVal
			}
			return true
		})
	}
	return may
}

// holdsFunc reports whether values of type t have functions in them, not far below.
func holdsFunc(t types.Type, depth int) bool {
	if depth > 3 {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Array:
		return holdsFunc(t.Elem(), depth+1)
	case *types.Slice:
		return holdsFunc(t.Elem(), depth+1)
	case *types.Map:
		return holdsFunc(t.Elem(), depth+1)
	case *types.Struct:
		for field := range t.Fields() {
			if holdsFunc(field.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
