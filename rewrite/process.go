package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// processFunctions are the library functions that yield or end a goroutine or the program. Package hook has them under
// the same names.
var processFunctions = map[string]bool{
	"runtime.Gosched": true,
	"runtime.Goexit":  true,
	"os.Exit":         true,
}

// selector rewrites runtime.Gosched into Gosched of package hook, and so on, in calls and as values.
func (f *file) selector(e *ast.SelectorExpr) {
	f.done[e.Sel] = true
	if !f.isProcessFunction(e.Sel) {
		return
	}
	x, ok := e.X.(*ast.Ident)
	if !ok {
		return
	}
	if name, ok := f.in.Info.Uses[x].(*types.PkgName); ok {
		f.gone[name]++
		f.replace(x.Pos(), x.End(), edit.Text(f.hook))
	}
}

// ident rewrites Gosched and so on where a dot import provides them.
func (f *file) ident(id *ast.Ident) {
	if f.isProcessFunction(id) {
		f.replace(id.Pos(), id.End(), edit.Text(f.hook+"."+id.Name))
	}
}

func (f *file) isProcessFunction(id *ast.Ident) bool {
	fn, ok := f.in.Info.Uses[id].(*types.Func)
	return ok && fn.Pkg() != nil && processFunctions[fn.FullName()]
}
