// Package accesses announces reads and writes of variables that several processes may touch, so
// that data races are found, and tells of critical sections what they may do.
//
// Vocabulary: a variable is shared if Input.Shared says so. An access is announced by a call of
// package hook in its place; what is announced has a name and a place, "x.n at f.go:7". The host of
// an access is the call behind which it is made, see accesslate.go.
//
// LIMITS: Find has them.
package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Find finds the reads and writes of shared variables in a declaration. What it returns are the
// edits to be made at the nodes, once the edits of what is around them have been made:
//
//	x.n                  (*_rehearse.Read(&x.n, "x.n at f.go:7"))        ReadAll for structs and arrays
//	x.n = 1              *_rehearse.Set(&x.n, "x.n at f.go:7") = 1
//	x.n = y              *_rehearse.Write(&x.n, "x.n at f.go:7") = y
//	x.n = f()            x.n = _rehearse.Wrote(f(), &x.n, "x.n at f.go:7")      what orders the write may be in f
//	x.n++, x.n += 2      x.n = _rehearse.Wrote((*_rehearse.Peek(&x.n, "x.n at f.go:7"))+1, &x.n, "x.n at f.go:7")
//	x.n, err = f()       x.n, err = _rehearse.Two(f()).After(_rehearse.Write(&x.n, "x.n at f.go:7"))
//	g().n = f()          { _l0 := g(); _l0.n = _rehearse.Wrote(f(), &_l0.n, "g().n at f.go:7") }
//	m[k], m[k] = 1       _rehearse.ReadMap(m, "m at f.go:7")[k], _rehearse.WriteMap(m, "m at f.go:7")[k] = 1
//	p.m()                (*_rehearse.ReadAll(p, "*p at f.go:7")).m()            where m gets a copy
//	f(x.n, g())          see accesslate.go
//	defer f(p)           see accessdefer.go
//	append(s, x)         _rehearse.Appended(append(s, x), 1, "s at f.go:7")
//	for _, v := range s  see rangeslice.go
//
// Left alone are values that are copied for a method called through an interface, and what
// functions do whose source is not rewritten.
func Find(f *unit.File, told *Announcements, d ast.Decl) map[ast.Node][]func() {
	if f.In.Shared == nil || f.IsCgo() {
		return nil
	}
	a := &accesses{File: f, Announcements: told, found: map[ast.Node][]func(){},
		place: map[ast.Expr]use{}, lifted: map[ast.Expr]lifted{}, told: map[ast.Node]bool{},
		adds: map[ast.Expr]bool{}, holds: map[ast.Expr]string{}}
	ast.Inspect(d, a.visit)
	return a.found
}

// accesses is the search in one declaration.
type accesses struct {
	*unit.File
	*Announcements
	found map[ast.Node][]func() // the edits, outermost first
	// how operands are used, as their parents have said; others are read
	place map[ast.Expr]use
	told  map[ast.Node]bool // what is said to be opaque
	adds  map[ast.Expr]bool // elements of maps to which something is added
	// holds names the variables that hold the values of calls
	holds map[ast.Expr]string
	path  []ast.Node // from the declaration down to the parent of the present node
	// lifted has the assigned variables, and maps, whose operands are evaluated before their
	// statement.
	lifted map[ast.Expr]lifted
}

// use is what becomes of the variable that an expression denotes.
type use uint8

const (
	isRead    use = iota
	isWritten     //
	// its address is used, or a part of it, or it is written in a way that is announced elsewhere
	isLeft
)

// Announcements is what the rest of the rewriting has to know of accesses.
type Announcements struct {
	announced bool                         // some access is
	MapReads  map[*ast.RangeStmt]string    // loops over shared maps: which these are
	Atomics   map[*ast.SelectorExpr]string // methods of package sync/atomic: what is announced
	// loops over slices with shared elements: which these are
	SliceReads map[*ast.RangeStmt]string
}

// NewAnnouncements returns those of a file in which nothing is announced yet.
func NewAnnouncements() *Announcements {
	return &Announcements{
		MapReads:   make(map[*ast.RangeStmt]string),
		SliceReads: make(map[*ast.RangeStmt]string),
		Atomics:    make(map[*ast.SelectorExpr]string),
	}
}

// Instrumented tells package hook of the file's announcements.
func Instrumented(f *unit.File, told *Announcements) {
	if told.announced {
		f.AtEnd("; func init() { " + f.Hooked("Instrumented") + ") }")
	}
}

func (a *accesses) visit(n ast.Node) bool {
	if n == nil {
		a.path = a.path[:len(a.path)-1]
		return false
	}
	inside := a.node(n)
	if inside {
		a.path = append(a.path, n)
	}
	return inside
}

func (a *accesses) parent() ast.Node {
	if len(a.path) == 0 {
		return nil
	}
	return a.path[len(a.path)-1]
}

func (a *accesses) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		a.assignment(n)
	case *ast.IncDecStmt:
		a.place[ast.Unparen(n.X)] = isWritten
		a.update(n, n.X, n.Tok.String()[:1], nil)
	case *ast.ExprStmt:
		a.section(n)
	case *ast.ReturnStmt:
		a.results(n)
	case *ast.RangeStmt:
		a.rangeClause(n)
		if t := a.In.Info.TypeOf(n.X); t != nil {
			if _, is := t.Underlying().(*types.Signature); is || unit.IsTypeParam(t) {
				a.path = append(a.path, n)
				a.opaquely(a.What(n.X))
				a.path = a.path[:len(a.path)-1]
			}
		}
	case *ast.ForStmt:
		a.copies(n)
	case *ast.CommClause:
		a.communication(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			a.place[ast.Unparen(n.X)] = isLeft
		}
		a.unlike(n)
	case *ast.CallExpr:
		return a.call(n)
	case *ast.KeyValueExpr, *ast.GenDecl, *ast.FuncDecl:
	case ast.Expr:
		return a.expr(n)
	}
	return true
}

// expr announces the access to the variable that e denotes, if it does, and says what becomes of
// e's operand.
func (a *accesses) expr(e ast.Expr) bool {
	t := a.In.Info.Types[e]
	if t.IsType() || t.Value != nil {
		return false // constant: a call inside could make it something else
	}
	switch n := e.(type) {
	case *ast.Ident, *ast.StarExpr:
		a.announce(e)
	case *ast.SelectorExpr:
		a.place[n.Sel] = isLeft
		a.group(n.Sel)
		a.announce(e)
		a.operand(n)
	case *ast.IndexExpr:
		a.element(n)
	case *ast.SliceExpr:
		if unit.IsArray(a.In.Info.TypeOf(n.X)) {
			a.place[ast.Unparen(n.X)] = isLeft
		}
	}
	return true
}

func (a *accesses) objectOf(id *ast.Ident) *types.Var {
	v, _ := a.In.Info.Uses[id].(*types.Var)
	return v
}

// group makes executions be watched that add to a WaitGroup: see races.World.
func (a *accesses) group(id *ast.Ident) {
	if fn, ok := a.In.Info.Uses[id].(*types.Func); ok && fn.FullName() == "(*sync.WaitGroup).Add" {
		a.announced = true
	}
}

// isShared reports whether several processes may touch the variable that e denotes, or a part of
// it.
func (a *accesses) isShared(e ast.Expr) bool {
	e = ast.Unparen(e)
	t := a.In.Info.TypeOf(e)
	switch n := e.(type) {
	case *ast.Ident:
		v := a.objectOf(n)
		return v != nil && !v.IsField() && n.Name != "_" && (a.In.Shared.Var(v) || a.parts(t)) &&
			!a.isOwn(e)
	case *ast.SelectorExpr:
		v := a.objectOf(n.Sel)
		return v != nil && (a.In.Shared.Var(v) || a.parts(t) || a.inGeneric(n.X)) && !a.isOwn(e)
	case *ast.StarExpr:
		return unit.IsTypeParam(t) || a.In.Shared.Target(t) || a.parts(t)
	case *ast.IndexExpr:
		return a.elementShared(n.X)
	}
	return false
}

// localShared reports whether several processes may touch a variable of a function, or a part of
// it.
func (a *accesses) localShared(v *types.Var) bool {
	return (a.In.Shared.Var(v) || a.parts(v.Type())) && !a.In.Shared.Own(v)
}

// inGeneric reports whether e is shared, and a variable whose type is a type parameter in generic
// code: that touches it as a whole.
func (a *accesses) inGeneric(e ast.Expr) bool {
	v := a.named(ast.Unparen(e))
	return v != nil && unit.IsTypeParam(v.Origin().Type()) && a.In.Shared.Var(v)
}

// parts reports whether several processes may touch a part of a variable of type t.
func (a *accesses) parts(t types.Type) bool { return isComposite(t) && a.In.Shared.Parts(t) }

// isOwn reports whether e is a part of a variable that nobody else can touch, whoever touches that
// part of others.
func (a *accesses) isOwn(e ast.Expr) bool {
	root := shared.Root(a.In.Info, e)
	return root != nil && a.In.Shared.Own(root)
}

// named returns the variable that e names.
func (a *accesses) named(e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.Ident:
		return a.objectOf(e)
	case *ast.SelectorExpr:
		return a.objectOf(e.Sel)
	}
	return nil
}

// announce makes e announce the access to what it denotes.
func (a *accesses) announce(e ast.Expr) {
	function := "Read"
	switch {
	case a.place[e] == isLeft, !a.In.Info.Types[e].Addressable(), !a.isShared(e):
		return
	case a.place[e] == isWritten:
		function = "Write"
	}
	if function += a.all(e); function == "Write" && a.isLast() {
		function = "Set"
	}
	if a.late(e, function, "&", "", a.What(e)) {
		return
	}
	a.edit(e, func() {
		a.Open(e, "(*"+a.Hooked(function)+"&")
		a.Close(e, ", "+a.What(e)+"))")
	})
}

// isLast reports whether the present node's parent assigns one value to one variable,
// and reads none for that.
func (a *accesses) isLast() bool {
	s, is := a.parent().(*ast.AssignStmt)
	if !is || len(s.Lhs) != 1 {
		return false
	}
	found := false
	ast.Inspect(s.Rhs[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || a.objectOf(n) != nil
		case *ast.StarExpr, *ast.CallExpr:
			found = true
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return !found
}

// all is the end of the name of the function that announces an access to e.
func (a *accesses) all(e ast.Expr) string {
	if t := a.In.Info.TypeOf(e); isComposite(t) || unit.IsTypeParam(t) {
		return "All"
	}
	return ""
}

// edit adds an edit at a node, inside of those that it has already.
func (a *accesses) edit(n ast.Node, f func()) {
	a.found[n] = append(a.found[n], f)
	a.announced = true
}

// enclose makes a call of e, an operand of n, the present node.
func (a *accesses) enclose(n ast.Node, e ast.Expr, function string) {
	if a.late(e, function, "", "", a.What(e), n) {
		return
	}
	a.edit(e, func() {
		a.Open(e, a.Hooked(function))
		a.Close(e, ", "+a.What(e)+")")
	})
}

// isComposite reports whether a variable of type t consists of others.
func isComposite(t types.Type) bool {
	if t == nil || unit.IsTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}
