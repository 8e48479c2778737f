package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/accesses"
	"github.com/rehearse-go/rehearse/rewrite/frames"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// file is the state of rewriting one file.
type file struct {
	*unit.File
	*accesses.Announcements

	// local variables of decl that are not what they were made; nil: not known yet
	altered map[*types.Var]bool
	// the function that is being rewritten, nil between functions
	decl   *ast.FuncDecl
	done   map[ast.Node]bool          // nodes that the rewriting of a parent has taken care of
	blind  map[*ast.Ident]bool        // names of functions whose result nobody uses
	called map[*ast.SelectorExpr]bool // functions that are called where they are mentioned
	later  map[*ast.CallExpr]bool     // calls of go and defer statements
	raw    map[*ast.SelectorExpr]bool // functions of system calls that are noted otherwise
	sealed map[*types.Var]bool        // see sealedIn
	served map[*ast.UnaryExpr]bool    // receives of services
	// receives of v, ok = <-ch: the type of what ok is assigned to, nil if none
	okTypes   map[ast.Expr]types.Type
	gone      map[*types.PkgName]int // how many uses of an import were rewritten away
	counts    bool                   // it has runtime.NumGoroutine
	looks     bool                   // it has runtime.Stack
	operation token.Pos              // the first one
	settings  []string               // the library's variables that are assigned to

	spawns []Spawn                     // see Output
	heads  map[*ast.RangeStmt][]string // loops over channels: calls to be made before each receive
}

func newFile(in *unit.Input, syntax *ast.File, names unit.Names) *file {
	return &file{
		File:    unit.New(in, syntax, names),
		done:    make(map[ast.Node]bool),
		blind:   make(map[*ast.Ident]bool),
		called:  make(map[*ast.SelectorExpr]bool),
		later:   make(map[*ast.CallExpr]bool),
		raw:     make(map[*ast.SelectorExpr]bool),
		okTypes: make(map[ast.Expr]types.Type),
		served:  make(map[*ast.UnaryExpr]bool),
		gone:    make(map[*types.PkgName]int),
		heads:   make(map[*ast.RangeStmt][]string),

		Announcements: accesses.NewAnnouncements(),
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
	f.keepState()
	f.putBack()
	accesses.Instrumented(f.File, f.Announcements)
	f.keepCount()
	if f.Edits.Empty() {
		return
	}
	f.keepImports()
	f.header()
}

// walk rewrites all nodes of a declaration.
func (f *file) walk(d ast.Decl) {
	f.decl, _ = d.(*ast.FuncDecl)
	f.altered = nil
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
		if !f.operation.IsValid() && !f.Edits.Empty() {
			f.operation = n.Pos()
		}
		return true
	})
}

// visit rewrites one node. Parents come first: they decide what becomes of the operations right
// below them.
func (f *file) visit(n ast.Node) {
	f.outside(n)
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.linked(n)
	case *ast.BlockStmt:
		f.twins(n.List)
	case *ast.CaseClause:
		f.twins(n.Body)
	case *ast.CommClause:
		f.twins(n.Body)
	case *ast.ExprStmt:
		f.blindly(n.X)
	case *ast.DeferStmt:
		f.later[n.Call] = true
		f.blindly(n.Call)
	case *ast.SendStmt:
		f.send(n)
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.ValueSpec:
		f.valueSpec(n)
	case *ast.UnaryExpr:
		f.recv(n)
		f.born(n)
	case *ast.ForStmt:
		f.forStmt(n)
	case *ast.RangeStmt:
		f.rangeStmt(n)
	case *ast.SelectStmt:
		f.selectStmt(n)
	case *ast.GoStmt:
		f.later[n.Call] = true
		f.goStmt(n)
	case *ast.CallExpr:
		f.noteCalled(n)
		f.call(n)
		f.born(n)
	case *ast.SelectorExpr:
		f.selector(n)
	case *ast.Ident:
		f.ident(n)
	}
}
