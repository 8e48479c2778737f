// Package accesses announces reads and writes of variables that several processes may touch, so
// that data races are found, and tells of critical sections what they may do.
//
// Vocabulary: a variable is shared if Input.Shared says so. An access is announced by a call of
// package hook in its place; an announcement has the variable's name and the place, "x.n at
// f.go:7". The host of an access is the call behind which it is made, see evaluation.go.
//
// LIMITS: Find has them.
package accesses

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Find finds the reads and writes of shared variables in a declaration. It returns the edits to be
// made at the nodes, once the edits of the nodes around them have been made:
//
//	x.n                  _rehearse.Get(&x.n, "x.n at f.go:7")            GetAll for structs and arrays
//	x.n + len(append(s, 1))    (*_rehearse.Read(&x.n, "x.n at f.go:7")) + len(append(s, 1))
//	x.n = 1              *_rehearse.Set(&x.n, "x.n at f.go:7") = 1
//	x.n = y              *_rehearse.Write(&x.n, "x.n at f.go:7") = y
//	x.n = f()            x.n = _rehearse.Wrote(f(), &x.n, "x.n at f.go:7")      what orders the write may be in f
//	x.n++, x.n += 2      x.n = _rehearse.Wrote((*_rehearse.Peek(&x.n, "x.n at f.go:7"))+1, &x.n, "x.n at f.go:7")
//	x.n, err = f()       x.n, err = _rehearse.Two(f()).After(_rehearse.Write(&x.n, "x.n at f.go:7"))
//	g().n = f()          { _l0 := g(); _l0.n = _rehearse.Wrote(f(), &_l0.n, "g().n at f.go:7") }
//	m[k], m[k] = 1       _rehearse.ReadMap(m, "m at f.go:7")[k], _rehearse.WriteMap(m, "m at f.go:7")[k] = 1
//	p.m()                (*_rehearse.ReadAll(p, "*p at f.go:7")).m()            where m gets a copy
//	f(x.n, g())          see evaluation.go
//	defer f(p)           see deferred.go
//	append(s, x)         _rehearse.Appended(append(s, x), 1, "s at f.go:7")
//	l = append(l, x)     see lists.go
//	for _, v := range s  see rangeslice.go
//
// LIMITS: copies of values for a method that is called through an interface are not announced, nor
// accesses of functions whose source is not rewritten.
func Find(f *unit.File, told *Announcements, d ast.Decl) map[ast.Node][]func() {
	if f.In.Shared == nil || f.IsCgo() {
		return nil
	}
	a := newAccesses(f, told, d)
	if f.In.Sections && !a.sections.only(d) {
		return nil
	}
	ast.Inspect(d, a.visit)
	return a.found
}

// accesses is the search in one declaration: it walks down, and asks at each node which accesses
// are made there. Its state is divided among these parts, each of which uses only those before it:
//
//	path          where the search is
//	facts         what the types say, and which variables are shared
//	evaluation    in which order Go evaluates, so that an access finds its host
//	announcer     how the text of an announcement comes into the file
//	assignments   writes of variables: statements that assign, loops
//	library       what functions of the library do with what their arguments lead to
//	sections      what critical sections may do
type accesses struct {
	*announcer
	assignments assignments
	library     library
	sections    sections
}

func newAccesses(f *unit.File, told *Announcements, d ast.Decl) *accesses {
	known := &facts{File: f, path: &path{}}
	known.lists, known.given = findLists(f, d)
	w := &announcer{
		evaluation:    &evaluation{facts: known, lifted: make(map[ast.Expr]lifted)},
		Announcements: told,
		found:         make(map[ast.Node][]func()), place: make(map[ast.Expr]use),
		told: make(map[ast.Node]bool), adds: make(map[ast.Expr]bool),
		holds: make(map[ast.Expr]string),
	}
	return &accesses{w, assignments{w}, library{w}, sections{w}}
}

func (a *accesses) visit(n ast.Node) bool {
	if n == nil {
		a.nodes = a.nodes[:len(a.nodes)-1]
		return false
	}
	inside := a.node(n)
	if inside {
		a.nodes = append(a.nodes, n)
	}
	return inside
}

func (a *accesses) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		a.assignments.assignment(n)
		a.assignments.take(n)
	case *ast.IncDecStmt:
		a.place[ast.Unparen(n.X)] = isWritten
		a.assignments.update(n, n.X, n.Tok.String()[:1], nil)
	case *ast.ExprStmt:
		a.sections.section(n)
	case *ast.ReturnStmt:
		a.assignments.results(n)
	case *ast.RangeStmt:
		a.assignments.rangeClause(n)
		if t := a.In.Info.TypeOf(n.X); t != nil {
			if _, is := t.Underlying().(*types.Signature); is || unit.IsTypeParam(t) {
				a.nodes = append(a.nodes, n)
				a.sections.opaquely(a.What(n.X))
				a.nodes = a.nodes[:len(a.nodes)-1]
			}
		}
	case *ast.ForStmt:
		a.assignments.copies(n)
	case *ast.CommClause:
		a.assignments.communication(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			a.place[ast.Unparen(n.X)] = isLeft
		}
		a.sections.unlike(n)
	case *ast.CallExpr:
		return a.call(n)
	case *ast.FuncDecl:
		a.assignments.give(n)
	case *ast.KeyValueExpr, *ast.GenDecl:
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

// group has executions watched that add to a WaitGroup: see races.World.
func (a *accesses) group(id *ast.Ident) {
	if fn, ok := a.In.Info.Uses[id].(*types.Func); ok && fn.FullName() == "(*sync.WaitGroup).Add" {
		a.announced = true
	}
}

// announce makes e announce the access to the variable that it denotes.
func (a *accesses) announce(e ast.Expr) {
	function := cmp.Or(a.lists[e], "Read")
	if function == "Each" {
		function = "Read"
	}
	switch {
	case a.place[e] == isLeft, !a.In.Info.Types[e].Addressable(),
		!a.isShared(e) && (!a.given.uses[e] || a.lists[e] == ""):
		return
	case a.place[e] == isWritten:
		function = cmp.Or(a.lists[e], "Write")
	}
	if function += a.all(e); function == "Write" && a.isLast() {
		function = "Set"
	}
	address := "&"
	if function == "Give" {
		address = a.gives() + ", &"
	} else if a.late(e, function, address, "", a.What(e)) {
		return
	}
	open, end := "(*"+a.Hooked(function)+address, "))"
	if value, read := strings.CutPrefix(function, "Read"); read && !a.In.Live && a.settled(e) {
		open, end = a.Hooked("Get"+value)+"&", ")"
	}
	a.edit(e, func() {
		a.Open(e, open)
		a.Close(e, ", "+a.What(e)+end)
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
