package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/accesses"
	"github.com/rehearse-go/rehearse/rewrite/frames"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// file is the rewriting of one file. Each subject has a type of its own, and all work on one pass.
type file struct {
	*pass
	channels   *channels
	selects    selects
	loops      loops
	goroutines goroutines
	library    library
	state      state
	links      links
}

func newFile(in *unit.Input, syntax *ast.File, names unit.Names) *file {
	p := &pass{
		File:          unit.New(in, syntax, names),
		Announcements: accesses.NewAnnouncements(),
		done:          make(map[ast.Node]bool),
		later:         make(map[*ast.CallExpr]bool),
		heads:         make(map[*ast.RangeStmt][]string),
		labels:        make(map[ast.Stmt]*ast.LabeledStmt),
		gone:          make(map[*types.PkgName]int),
	}
	ch := &channels{
		pass:    p,
		okTypes: make(map[ast.Expr]types.Type),
		served:  make(map[ast.Node]bool),
		drops:   make(map[ast.Expr]bool),
	}
	return &file{
		pass: p, channels: ch, selects: selects{ch}, loops: loops{ch},
		goroutines: goroutines{pass: p}, library: newLibrary(p), state: state{pass: p},
		links: links{p},
	}
}

// rewrite collects all edits of the file.
func (f *file) rewrite() {
	if len(f.Src) != f.Tok.Size() {
		f.Fail(f.Syntax.Package, "the text of the file is not the text that was type-checked")
		return
	}
	for _, d := range f.Syntax.Decls {
		f.walk(d)
	}
	if !f.Edits.Empty() && f.refuseCgo() {
		return
	}
	f.state.keepState()
	f.state.putBack()
	accesses.Instrumented(f.File, f.Announcements)
	accesses.Literals(f.File)
	f.library.keepCount()
	if f.Edits.Empty() {
		return
	}
	f.keepImports()
	f.header()
}

// walk rewrites all nodes of a declaration.
func (f *file) walk(d ast.Decl) {
	f.decl, _ = d.(*ast.FuncDecl)
	f.goroutines.altered = nil
	tell, announce := frames.Find(f.File, f.heads, d), accesses.Find(f.File, f.Announcements, d)
	ast.Inspect(d, func(n ast.Node) bool {
		for _, edit := range tell[n] {
			edit()
		}
		for _, edit := range announce[n] {
			edit()
		}
		if n != nil && !f.done[n] {
			f.visit(n)
		}
		if !f.first.IsValid() && !f.Edits.Empty() {
			f.first = n.Pos()
		}
		return true
	})
}

// visit rewrites one node. Parents come first: they decide what becomes of the operations right
// below them.
func (f *file) visit(n ast.Node) {
	f.state.outside(n)
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.links.linked(n)
		f.library.entered(n)
	case *ast.BlockStmt:
		f.goroutines.twins(n.List)
		f.library.tickets(n.List)
	case *ast.CaseClause:
		f.goroutines.twins(n.Body)
		f.library.tickets(n.Body)
	case *ast.CommClause:
		f.goroutines.twins(n.Body)
		f.library.tickets(n.Body)
	case *ast.ExprStmt:
		f.library.blindly(n.X)
		f.channels.statement(n.X)
	case *ast.DeferStmt:
		f.later[n.Call] = true
		f.library.blindly(n.Call)
	case *ast.SendStmt:
		f.channels.send(n)
	case *ast.AssignStmt:
		f.channels.assign(n)
	case *ast.ValueSpec:
		f.channels.valueSpec(n)
	case *ast.UnaryExpr:
		f.channels.recv(n)
		f.channels.born(n)
	case *ast.LabeledStmt:
		f.labels[n.Stmt] = n
	case *ast.ForStmt:
		f.loops.forStmt(n)
	case *ast.RangeStmt:
		f.loops.rangeStmt(n)
	case *ast.SelectStmt:
		f.selects.selectStmt(n)
	case *ast.GoStmt:
		f.later[n.Call] = true
		f.goroutines.goStmt(n)
	case *ast.CallExpr:
		f.library.noteCalled(n)
		f.call(n)
		f.channels.born(n)
	case *ast.SelectorExpr:
		f.library.selector(n)
	case *ast.Ident:
		f.library.ident(n)
	}
}
