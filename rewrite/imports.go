package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// header makes the package clause say where the file's lines are from, and imports package hook
// behind it. Text in front of the clause, build constraints above all, stays as it is.
func (f *file) header() {
	f.raiseVersion()
	p := f.In.Fset.Position(f.Syntax.Package)
	line := fmt.Sprintf("/*line %s:%d:%d*/", p.Filename, p.Line, max(p.Column, 1))
	f.Edits.Open(f.Offset(f.Syntax.Package), edit.Text(line))
	f.Close(f.Syntax.Name, fmt.Sprintf("; import %s %s", f.Hook, strconv.Quote(f.In.HookPath)))
}

// raiseVersion raises the language version of a file that lacks generics, or interfaces as type
// arguments for comparable: package hook's functions need both. A build constraint sets version
// 1.21, which still has loop variables per loop.
func (f *file) raiseVersion() {
	if v := shared.GoVersion(f.In.Info, f.Syntax, f.In.GoVersion); v == "" ||
		version.Compare(v, "go1.20") >= 0 {
		return
	}
	if c := f.buildConstraint(); c != nil {
		f.Replace(c.Pos(), c.End(), edit.Text(andVersion(c.Text)))
		return
	}
	bom := len(f.Src) - len(bytes.TrimPrefix(f.Src, []byte("\uFEFF")))
	f.Edits.Open(bom, edit.Text("//go:build go1.21"), edit.Text("\n\n"))
}

// andVersion adds the language version to a build constraint.
func andVersion(line string) string {
	return "//go:build (" + strings.TrimSpace(strings.TrimPrefix(line, buildLine)) + ") && go1.21"
}

const buildLine = "//go:build "

// buildConstraint returns the file's //go:build line, or nil.
func (f *file) buildConstraint() *ast.Comment {
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Syntax.Package && strings.HasPrefix(c.Text, buildLine) {
				return c
			}
		}
	}
	return nil
}

// keepImports adds a use of each import whose last use may have been rewritten away.
func (f *file) keepImports() {
	var keep strings.Builder
	for _, spec := range f.Syntax.Imports {
		if name := f.Imported(spec); name != nil && f.unused(name) {
			keep.WriteString("; var _ = " + anyUse(name))
		}
	}
	if keep.Len() > 0 {
		f.AtEnd(keep.String())
	}
}

// unused reports whether an import may have lost its last use. The uses of a dot import are not
// counted.
func (f *file) unused(name *types.PkgName) bool {
	if keptUses[name.Imported().Path()] == "" {
		return false
	}
	return name.Name() == "." || f.gone[name] > 0 && f.gone[name] == f.uses(name)
}

// uses counts the uses of an import.
func (f *file) uses(name *types.PkgName) int {
	n := 0
	ast.Inspect(f.Syntax, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && f.In.Info.Uses[id] == name {
			n++
		}
		return true
	})
	return n
}

// anyUse returns an expression that uses the import.
func anyUse(name *types.PkgName) string {
	function := keptUses[name.Imported().Path()]
	if name.Name() == "." {
		return function
	}
	return name.Name() + "." + function
}

// refuseCgo refuses the operations of files that cgo reads, as the compiler gets another text, and
// of files that cgo has written, as no overlay can replace them.
func (f *file) refuseCgo() bool {
	if !f.IsCgo() {
		return false
	}
	f.Fail(f.first, unit.CgoRefused)
	return true
}
