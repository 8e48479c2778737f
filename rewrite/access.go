package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"

	"github.com/rehearse-go/rehearse/analysis/shared"
)

// accesses finds the reads and writes of shared variables in a declaration. What it returns are the
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
//	append(s, x)         _rehearse.Appended(append(s, x), 1, "s at f.go:7")
//	for _, v := range s  see rangeslice.go
//
// Left alone are values that are copied for a method called through an interface, and what
// functions do whose source is not rewritten.
func (f *file) accesses(d ast.Decl) map[ast.Node][]func() {
	if f.in.Shared == nil || f.isCgo() {
		return nil
	}
	a := &accesses{file: f, found: map[ast.Node][]func(){}, place: map[ast.Expr]use{}, lifted: map[ast.Expr]lifted{}, told: map[ast.Node]bool{}, adds: map[ast.Expr]bool{}}
	ast.Inspect(d, a.visit)
	return a.found
}

// accesses is the search in one declaration.
type accesses struct {
	*file
	found map[ast.Node][]func() // the edits, outermost first
	// how operands are used, as their parents have said; others are read
	place map[ast.Expr]use
	told  map[ast.Node]bool // what is said to be opaque
	adds  map[ast.Expr]bool // elements of maps to which something is added
	path  []ast.Node        // from the declaration down to the parent of the present node
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

// instrumented tells package hook of the file's announcements.
func (f *file) instrumented() {
	if f.announced {
		f.atEnd("; func init() { " + f.hooked("Instrumented") + ") }")
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
		if t := a.in.Info.TypeOf(n.X); t != nil {
			if _, is := t.Underlying().(*types.Signature); is || isTypeParam(t) {
				a.path = append(a.path, n)
				a.opaquely(a.what(n.X))
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
	t := a.in.Info.Types[e]
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
		if isArray(a.in.Info.TypeOf(n.X)) {
			a.place[ast.Unparen(n.X)] = isLeft
		}
	}
	return true
}

func (a *accesses) objectOf(id *ast.Ident) *types.Var {
	v, _ := a.in.Info.Uses[id].(*types.Var)
	return v
}

// group makes executions be watched that add to a WaitGroup: see races.World.
func (a *accesses) group(id *ast.Ident) {
	if fn, ok := a.in.Info.Uses[id].(*types.Func); ok && fn.FullName() == "(*sync.WaitGroup).Add" {
		a.announced = true
	}
}

// isShared reports whether several processes may touch the variable that e denotes, or a part of
// it.
func (a *accesses) isShared(e ast.Expr) bool {
	e = ast.Unparen(e)
	t := a.in.Info.TypeOf(e)
	switch n := e.(type) {
	case *ast.Ident:
		v := a.objectOf(n)
		return v != nil && !v.IsField() && n.Name != "_" && (a.in.Shared.Var(v) || a.parts(t)) && !a.isOwn(e)
	case *ast.SelectorExpr:
		v := a.objectOf(n.Sel)
		return v != nil && (a.in.Shared.Var(v) || a.parts(t) || a.inGeneric(n.X)) && !a.isOwn(e)
	case *ast.StarExpr:
		return isTypeParam(t) || a.in.Shared.Target(t) || a.parts(t)
	case *ast.IndexExpr:
		return a.elementShared(n.X)
	}
	return false
}

// localShared reports whether several processes may touch a variable of a function, or a part of
// it.
func (a *accesses) localShared(v *types.Var) bool {
	return (a.in.Shared.Var(v) || a.parts(v.Type())) && !a.in.Shared.Own(v)
}

// inGeneric reports whether e is shared, and a variable whose type is a type parameter in generic
// code: that touches it as a whole.
func (a *accesses) inGeneric(e ast.Expr) bool {
	v := a.named(ast.Unparen(e))
	return v != nil && isTypeParam(v.Origin().Type()) && a.in.Shared.Var(v)
}

// parts reports whether several processes may touch a part of a variable of type t.
func (a *accesses) parts(t types.Type) bool { return isComposite(t) && a.in.Shared.Parts(t) }

// isOwn reports whether e is a part of a variable that nobody else can touch, whoever touches that
// part of others.
func (a *accesses) isOwn(e ast.Expr) bool {
	root := shared.Root(a.in.Info, e)
	return root != nil && a.in.Shared.Own(root)
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
	case a.place[e] == isLeft, !a.in.Info.Types[e].Addressable(), !a.isShared(e):
		return
	case a.place[e] == isWritten:
		function = "Write"
	}
	if function += a.all(e); function == "Write" && a.isLast() {
		function = "Set"
	}
	if a.late(e, function, "&", "", a.what(e)) {
		return
	}
	a.edit(e, func() {
		a.open(e, "(*"+a.hooked(function)+"&")
		a.close(e, ", "+a.what(e)+"))")
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
	if t := a.in.Info.TypeOf(e); isComposite(t) || isTypeParam(t) {
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
	if a.late(e, function, "", "", a.what(e), n) {
		return
	}
	a.edit(e, func() {
		a.open(e, a.hooked(function))
		a.close(e, ", "+a.what(e)+")")
	})
}

// what tells people which variable e is, and where it stands.
func (f *file) what(e ast.Expr) string { return f.whatText(types.ExprString(e), e.Pos()) }

func (f *file) whatText(name string, pos token.Pos) string {
	p := f.in.Fset.Position(pos)
	return strconv.Quote(name + " at " + filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line))
}

// isComposite reports whether a variable of type t consists of others.
func isComposite(t types.Type) bool {
	if t == nil || isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// isMapType reports whether t is a map, and no type parameter that may be one.
func isMapType(t types.Type) bool {
	_, is := t.Underlying().(*types.Map)
	return is && !isTypeParam(t)
}

func isArray(t types.Type) bool {
	_, is := t.Underlying().(*types.Array)
	return is
}

func isPointer(t types.Type) bool {
	_, is := t.Underlying().(*types.Pointer)
	return is
}

func isSlice(t types.Type) bool {
	_, is := t.Underlying().(*types.Slice)
	return is && !isTypeParam(t)
}
