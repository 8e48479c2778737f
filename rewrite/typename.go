package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// typeText returns an expression for t that is valid at pos, or false. The expression is checked by
// evaluating it there: a name may be shadowed, not exported, or not imported.
func (f *file) typeText(t types.Type, pos token.Pos) (string, bool) {
	text := types.TypeString(t, f.qualifier)
	v, err := types.Eval(f.in.Fset, f.in.Types, pos, text)
	return text, err == nil && v.IsType() && types.Identical(v.Type, t)
}

// qualifier returns the name that the file imports a package under. For a package that it does not
// import, the result is no identifier.
func (f *file) qualifier(p *types.Package) string {
	if p == f.in.Types {
		return ""
	}
	for _, spec := range f.syntax.Imports {
		if name := f.imported(spec); name != nil && name.Imported().Path() == p.Path() && name.Name() != "_" {
			return dotless(name.Name())
		}
	}
	return "?"
}

// dotless turns the name of a dot import into the qualifier that it stands for.
func dotless(name string) string {
	if name == "." {
		return ""
	}
	return name
}

// imported returns the name that an import declares, nil if the import is broken.
func (f *file) imported(spec *ast.ImportSpec) *types.PkgName { return f.in.Info.PkgNameOf(spec) }

// universe reports whether name means the predeclared identifier at pos.
func (f *file) universe(name string, pos token.Pos) bool {
	scope := f.in.Types.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(name, pos)
	return obj != nil && obj.Parent() == types.Universe
}

// boolText returns an untyped boolean constant.
func (f *file) boolText(b bool, pos token.Pos) string {
	switch text := strconv.FormatBool(b); {
	case f.universe(text, pos):
		return text
	case b:
		return "(0 == 0)"
	}
	return "(0 != 0)"
}

// unreachable returns a terminating statement for a place that is never reached.
func (f *file) unreachable(pos token.Pos) string {
	if f.universe("panic", pos) {
		return `panic("unreachable")`
	}
	return "for {}"
}
