package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// file is the state of rewriting one file.
type file struct {
	in     *Input
	syntax *ast.File
	tok    *token.File
	path   string
	src    []byte
	edits  *edit.Buffer
	errs   ErrorList
	names

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
	announced bool                   // some access is
	settings  []string               // the library's variables that are assigned to

	mapReads map[*ast.RangeStmt]string // loops over shared maps: which these are
	// loops over slices with shared elements: which these are
	sliceReads map[*ast.RangeStmt]string
	atomics    map[*ast.SelectorExpr]string // methods of package sync/atomic: what is announced

	spawns []Spawn                     // see Output
	heads  map[*ast.RangeStmt][]string // loops over channels: calls to be made before each receive
}

func newFile(in *Input, syntax *ast.File, names names) *file {
	tok := in.Fset.File(syntax.Package)
	f := &file{
		in:      in,
		syntax:  syntax,
		tok:     tok,
		path:    tok.Name(),
		src:     in.Sources[tok.Name()],
		names:   names,
		done:    make(map[ast.Node]bool),
		blind:   make(map[*ast.Ident]bool),
		called:  make(map[*ast.SelectorExpr]bool),
		later:   make(map[*ast.CallExpr]bool),
		raw:     make(map[*ast.SelectorExpr]bool),
		okTypes: make(map[ast.Expr]types.Type),
		served:  make(map[*ast.UnaryExpr]bool),
		gone:    make(map[*types.PkgName]int),
		heads:   make(map[*ast.RangeStmt][]string),

		mapReads:   make(map[*ast.RangeStmt]string),
		sliceReads: make(map[*ast.RangeStmt]string),
		atomics:    make(map[*ast.SelectorExpr]string),
	}
	f.edits = edit.New(f.src, func(offset int) token.Position { return in.Fset.Position(tok.Pos(offset)) })
	return f
}

// rewrite collects all edits of the file.
func (f *file) rewrite() {
	if len(f.src) != f.tok.Size() {
		f.fail(f.syntax.Package, "the text of the file is not the text that was type-checked")
		return
	}
	for _, d := range f.syntax.Decls {
		f.walk(d)
	}
	if !f.edits.Empty() && f.refuseCgo() {
		return
	}
	f.keepState()
	f.putBack()
	f.instrumented()
	f.keepCount()
	if f.edits.Empty() {
		return
	}
	f.keepImports()
	f.header()
}

// walk rewrites all nodes of a declaration.
func (f *file) walk(d ast.Decl) {
	f.decl, _ = d.(*ast.FuncDecl)
	f.altered = nil
	tell, announce := f.frames(d), f.accesses(d)
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
		if !f.operation.IsValid() && !f.edits.Empty() {
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
	case *ast.SelectorExpr:
		f.selector(n)
	case *ast.Ident:
		f.ident(n)
	}
}

// fail records that something at pos cannot be rewritten.
func (f *file) fail(pos token.Pos, msg string) {
	f.errs = append(f.errs, Error{Pos: f.in.Fset.Position(pos), Msg: msg})
}

// offset returns where pos is in the source.
func (f *file) offset(pos token.Pos) int { return f.tok.Offset(pos) }

// hooked returns the start of a call of a function of package hook.
func (f *file) hooked(function string) string { return f.hook + "." + function + "(" }

// open puts text in front of the node.
func (f *file) open(n ast.Node, text string) { f.edits.Open(f.offset(n.Pos()), edit.Text(text)) }

// close puts text behind the node.
func (f *file) close(n ast.Node, text string) { f.edits.Close(f.offset(n.End()), edit.Text(text)) }

// replace puts text in place of what is between the two positions.
func (f *file) replace(from, to token.Pos, text ...edit.Piece) {
	f.edits.Replace(f.offset(from), f.offset(to), text...)
}

// source is the node's text, moved.
func (f *file) source(n ast.Node) edit.Piece { return f.between(n.Pos(), n.End()) }

// between is the text between two positions, moved.
func (f *file) between(from, to token.Pos) edit.Piece {
	return edit.Source(f.offset(from), f.offset(to))
}

// at marks text that belongs to pos.
func (f *file) at(pos token.Pos) edit.Piece { return edit.At(f.offset(pos)) }
