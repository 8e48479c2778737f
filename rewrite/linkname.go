package rewrite

import (
	"go/ast"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// linked gives a function that is linked by name to one of package runtime a body that calls the hook. Its pragmas are
// for functions without a body, and become comments.
func (f *file) linked(d *ast.FuncDecl) {
	hooked := std.Linked(d)
	if hooked == "" {
		return
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") {
			f.replace(c.Pos(), c.End(), edit.Text("// "+strings.TrimPrefix(c.Text, "//")))
		}
	}
	var args []string
	for i, param := range d.Type.Params.List {
		for _, name := range param.Names {
			args = append(args, name.Name)
		}
		if len(param.Names) == 0 {
			args = append(args, f.tempN("a", i))
			f.open(param.Type, f.tempN("a", i)+" ")
		}
	}
	f.close(d, " { return "+f.hooked(hooked)+strings.Join(args, ", ")+") }")
}
