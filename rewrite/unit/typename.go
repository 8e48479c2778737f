package unit

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// TypeText returns an expression for t that is valid at pos, or false. The expression is checked by
// evaluating it there: a name may be shadowed, not exported, or not imported.
func (f *File) TypeText(t types.Type, pos token.Pos) (string, bool) {
	text := types.TypeString(t, f.qualifier)
	v, err := types.Eval(f.In.Fset, f.In.Types, pos, text)
	return text, err == nil && v.IsType() && types.Identical(v.Type, t)
}

// qualifier returns the name that the file imports a package under. For a package that it does not
// import, the result is no identifier.
func (f *File) qualifier(p *types.Package) string {
	if p == f.In.Types {
		return ""
	}
	for _, spec := range f.Syntax.Imports {
		if name := f.Imported(spec); name != nil && name.Imported().Path() == p.Path() &&
			name.Name() != "_" {
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

// Imported returns the name that an import declares, nil if the import is broken.
func (f *File) Imported(spec *ast.ImportSpec) *types.PkgName { return f.In.Info.PkgNameOf(spec) }

// Universe reports whether name means the predeclared identifier at pos.
func (f *File) Universe(name string, pos token.Pos) bool {
	scope := f.In.Types.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(name, pos)
	return obj != nil && obj.Parent() == types.Universe
}

// BoolText returns an untyped boolean constant.
func (f *File) BoolText(b bool, pos token.Pos) string {
	switch text := strconv.FormatBool(b); {
	case f.Universe(text, pos):
		return text
	case b:
		return "(0 == 0)"
	}
	return "(0 != 0)"
}

// Unreachable returns a terminating statement for a place that is never reached.
func (f *File) Unreachable(pos token.Pos) string {
	if f.Universe("panic", pos) {
		return `panic("unreachable")`
	}
	return "for {}"
}
