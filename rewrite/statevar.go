package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// state has package variables put back before each execution: those of the program, and those of
// the library that the program assigns to. A file ends with functions that give package hook their
// addresses:
//
//	var total = 1                      ; func init() { _rehearse.Keep("total:3", &total) }
//	http.DefaultClient.Timeout = 3     ; func init() { _rehearse.Setting(func() func() { p :=
//	                                   &http.DefaultClient.Timeout; v := *p; return func() { *p = v } }) }
type state struct {
	*pass
	settings []string // the library's variables that are assigned to
}

// keepState hands the addresses of the file's variables that an execution may change to package
// hook, in an init function of the file. The variables of files that cgo works on are left out.
func (st *state) keepState() {
	vars := st.stateVars()
	if len(vars) == 0 || st.IsCgo() {
		return
	}
	var names, list []string
	for _, id := range vars {
		names = append(names, fmt.Sprintf("%s:%d", id.Name, st.In.Fset.Position(id.Pos()).Line))
		list = append(list, "&"+id.Name)
	}
	st.AtEnd("; func init() { " + st.Hooked("Keep") + strconv.Quote(strings.Join(names, " ")) + ", " +
		strings.Join(list, ", ") + ") }")
}

// stateVars lists the package-level variables that the file declares and an execution may change,
// and those with functions that may have captured variables.
func (st *state) stateVars() []*ast.Ident {
	var vars []*ast.Ident
	for _, d := range st.Syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if st.In.State == nil || !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ValueSpec)
			for _, id := range spec.Names {
				v, ok := st.In.Info.Defs[id].(*types.Var)
				if ok && id.Name != "_" && (st.In.State(v) || st.captures(v, spec)) {
					vars = append(vars, id)
				}
			}
		}
	}
	return vars
}

// captures reports whether v, declared by spec, may hold functions that have captured variables.
// Literals outside of functions capture nothing: functions that capture variables are results of
// calls, or methods of values.
func (st *state) captures(v *types.Var, spec *ast.ValueSpec) (may bool) {
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
				sel := st.In.Info.Selections[n]
				may = may || sel != nil && sel.Kind() == types.MethodVal
			}
			return true
		})
	}
	return may
}

// deepest bounds the types of elements and fields, one in the other, in which holdsFunc looks.
const deepest = 3

// holdsFunc reports whether values of type t, which is found at a depth of such types, have
// functions in them.
func holdsFunc(t types.Type, depth int) bool {
	if depth > deepest {
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

// outside notes the variables of the library that n assigns to, or whose address n takes. Such a
// variable itself is put back, and nothing that it leads to.
func (st *state) outside(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			st.noteLibraryVars(n.Lhs...)
		}
	case *ast.IncDecStmt:
		st.noteLibraryVars(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			st.noteLibraryVars(n.X)
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			st.noteLibraryVars(n.Key, n.Value)
		}
	}
}

// noteLibraryVars notes those of list that are variables of the library.
func (st *state) noteLibraryVars(list ...ast.Expr) {
	for _, e := range list {
		if e == nil || st.In.Library == nil || st.IsCgo() || !st.isLibraryVar(e) {
			continue
		}
		if text := types.ExprString(ast.Unparen(e)); !slices.Contains(st.settings, text) {
			st.settings = append(st.settings, text)
		}
	}
}

// isLibraryVar reports whether e is a package-level variable of the library, or a field below it,
// by selectors alone.
func (st *state) isLibraryVar(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		if name, ok := st.In.Info.Uses[id].(*types.PkgName); ok {
			v, is := st.In.Info.Uses[sel.Sel].(*types.Var)
			return is && v.Pkg() == name.Imported() && st.In.Library(v.Pkg().Path())
		}
	}
	s := st.In.Info.Selections[sel]
	return s != nil && s.Kind() == types.FieldVal && st.isLibraryVar(sel.X)
}

// putBack hands the variables of the library that outside has noted to package hook.
func (st *state) putBack() {
	for _, text := range st.settings {
		st.AtEnd("; func init() { " + st.Hooked("Setting") + "func() func() { p := &" + text +
			"; v := *p; return func() { *p = v } }) }")
	}
}
