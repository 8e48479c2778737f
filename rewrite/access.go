package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// accesses finds the reads and writes of shared variables in a declaration. What it returns are the edits to be made
// at the nodes, once the edits of what is around them have been made:
//
//	x.n                  (*_rehearse.Read(&x.n, "x.n at f.go:7"))
//	x.n = 1              *_rehearse.Write(&x.n, "x.n at f.go:7") = 1
//	x.n = f()            x.n = _rehearse.Wrote(f(), &x.n, "x.n at f.go:7")      what orders the write may be in f
//	m[k], m[k] = 1       _rehearse.ReadMap(m, "m at f.go:7")[k], _rehearse.WriteMap(m, "m at f.go:7")[k] = 1
//
// Left alone are whole structs and arrays, assignments of several results of a call, and assignments by range clauses.
func (f *file) accesses(d ast.Decl) map[ast.Node][]func() {
	if f.in.Shared == nil || f.isCgo() {
		return nil
	}
	a := &accesses{file: f, found: map[ast.Node][]func(){}, place: map[ast.Expr]use{}}
	ast.Inspect(d, a.visit)
	return a.found
}

// accesses is the search in one declaration.
type accesses struct {
	*file
	found map[ast.Node][]func() // the edits, outermost first
	place map[ast.Expr]use      // how operands are used, as their parents have said; others are read
}

// use is what becomes of the variable that an expression denotes.
type use uint8

const (
	isRead    use = iota
	isWritten     //
	isLeft        // its address is used, or a part of it, or it is written in a way that cannot be announced
)

// instrumented tells package hook of the file's announcements.
func (f *file) instrumented() {
	if f.announced {
		f.atEnd("; func init() { " + f.hooked("Instrumented") + ") }")
	}
}

func (a *accesses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		a.assignment(n)
	case *ast.IncDecStmt:
		a.place[ast.Unparen(n.X)] = isWritten
	case *ast.RangeStmt:
		a.rangeClause(n)
	case *ast.CommClause:
		a.communication(n.Comm)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			a.place[ast.Unparen(n.X)] = isLeft
		}
	case *ast.CallExpr:
		return a.call(n)
	case *ast.KeyValueExpr, *ast.GenDecl, *ast.FuncDecl:
	case ast.Expr:
		return a.expr(n)
	}
	return true
}

// expr announces the access to the variable that e denotes, if it does, and says what becomes of e's operand.
func (a *accesses) expr(e ast.Expr) bool {
	t := a.in.Info.Types[e]
	if t.IsType() || t.Value != nil {
		return false // constant: a call inside could make it something else
	}
	switch n := e.(type) {
	case *ast.Ident:
		a.variable(e, a.objectOf(n))
	case *ast.SelectorExpr:
		a.place[n.Sel] = isLeft
		a.group(n.Sel)
		a.operand(n)
		a.variable(e, a.objectOf(n.Sel))
	case *ast.StarExpr:
		if a.in.Shared.Target(t.Type) {
			a.announce(e)
		}
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

// variable announces the access to v that e makes.
func (a *accesses) variable(e ast.Expr, v *types.Var) {
	if id, ok := e.(*ast.Ident); ok && (v == nil || v.IsField() || id.Name == "_") {
		return
	}
	if v != nil && a.in.Shared.Var(v) && !a.isOwn(e) {
		a.announce(e)
	}
}

// isOwn reports whether e is a field of a variable that nobody else can touch, whoever touches that field of others.
func (a *accesses) isOwn(e ast.Expr) bool {
	root := shared.Root(a.in.Info, e)
	return root != nil && a.in.Shared.Own(root)
}

// operand says what becomes of x in x.f: nothing if x is a struct that f is a part of, or whose address a method gets.
func (a *accesses) operand(n *ast.SelectorExpr) {
	sel := a.in.Info.Selections[n]
	if sel == nil || isPointer(a.in.Info.TypeOf(n.X)) {
		return
	}
	fn, method := sel.Obj().(*types.Func)
	if !method || fn.Signature().Recv() != nil && isPointer(fn.Signature().Recv().Type()) {
		a.place[ast.Unparen(n.X)] = isLeft
	}
}

// element announces the access to an element.
func (a *accesses) element(n *ast.IndexExpr) {
	x := ast.Unparen(n.X)
	v := a.named(x)
	switch t := a.in.Info.TypeOf(x).Underlying().(type) {
	case *types.Map:
		if v != nil && a.in.Shared.Var(v) && isMapType(a.in.Info.TypeOf(x)) {
			a.lookup(n, x)
		}
		return
	case *types.Array:
		a.place[x] = isLeft
	case *types.Slice:
	case *types.Pointer:
		if !isArray(t.Elem()) {
			return
		}
	default:
		return
	}
	if v != nil && a.in.Shared.Var(v) {
		a.announce(n)
	}
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
	case a.place[e] == isLeft, !a.in.Info.Types[e].Addressable(), !watchable(a.in.Info.TypeOf(e)):
		return
	case a.place[e] == isWritten:
		function = "Write"
	}
	a.edit(e, func() {
		a.open(e, "(*"+a.hooked(function)+"&")
		a.close(e, ", "+a.what(e)+"))")
	})
}

// edit adds an edit at e, inside of those that e has already.
func (a *accesses) edit(e ast.Expr, f func()) {
	a.found[e] = append(a.found[e], f)
	a.announced = true
}

// lookup makes n, an element of the map x, announce the access to the map.
func (a *accesses) lookup(n *ast.IndexExpr, x ast.Expr) {
	switch a.place[n] {
	case isRead:
		a.enclose(x, "ReadMap")
	case isWritten:
		a.enclose(x, "WriteMap")
	}
}

// enclose makes a call of e.
func (a *accesses) enclose(e ast.Expr, function string) {
	a.edit(e, func() {
		a.open(e, a.hooked(function))
		a.close(e, ", "+a.what(e)+")")
	})
}

// what tells people which variable e is, and where it stands.
func (f *file) what(e ast.Expr) string {
	p := f.in.Fset.Position(e.Pos())
	return strconv.Quote(types.ExprString(e) + " at " + filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line))
}

// watchable reports whether a variable of type t is accessed as a whole.
func watchable(t types.Type) bool {
	if isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Tuple:
		return false
	}
	return true
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

// call looks at the calls of builtin functions, and leaves alone what package unsafe measures.
func (a *accesses) call(c *ast.CallExpr) bool {
	if a.in.Info.Types[c].Value != nil {
		return false
	}
	switch a.builtin(c) {
	case "delete", "clear":
		x := ast.Unparen(c.Args[0])
		v := a.named(x)
		if isMapType(a.in.Info.TypeOf(x)) && v != nil && a.in.Shared.Var(v) {
			a.enclose(x, "WriteMap")
		}
	}
	return true
}

// rangeClause leaves alone what the clause assigns to and arrays, and announces the look at a map.
func (a *accesses) rangeClause(s *ast.RangeStmt) {
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil {
			a.leave(e)
		}
	}
	x := ast.Unparen(s.X)
	v := a.named(x)
	switch t := a.in.Info.TypeOf(x); {
	case isArray(t):
		a.place[x] = isLeft
	case isMapType(t) && v != nil && a.in.Shared.Var(v):
		a.enclose(x, "ReadMap")
	}
}

// communication leaves alone what a case of a select statement assigns to.
func (a *accesses) communication(s ast.Stmt) {
	if s, ok := s.(*ast.AssignStmt); ok {
		for _, e := range s.Lhs {
			a.leave(e)
		}
	}
}

// leave takes e out of what is announced as written.
func (a *accesses) leave(e ast.Expr) { a.place[ast.Unparen(e)] = isLeft }

// assignment says what becomes of the left side.
func (a *accesses) assignment(s *ast.AssignStmt) {
	wait := a.mayWait(s.Rhs)
	if wait && s.Tok != token.DEFINE && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		a.afterwards(ast.Unparen(s.Lhs[0]), s.Rhs[0])
	}
	for _, e := range s.Lhs {
		e = ast.Unparen(e)
		if _, known := a.place[e]; known {
			continue
		}
		if a.place[e] = isWritten; wait || s.Tok == token.DEFINE {
			a.place[e] = isLeft
		}
	}
}

// afterwards announces that left, if nothing else has been said of it, is written when the value of right is known.
func (a *accesses) afterwards(left, right ast.Expr) {
	if _, known := a.place[left]; known {
		return
	}
	function, address, x := "Wrote", "&", left
	v := a.named(left)
	if index, ok := left.(*ast.IndexExpr); ok {
		x = ast.Unparen(index.X)
		if v = a.named(x); !isMapType(a.in.Info.TypeOf(x)) {
			return // the index may be another one by then
		}
		function, address = "WroteMap", ""
	}
	switch {
	case v == nil || !a.in.Shared.Var(v) || a.mayWait([]ast.Expr{x}) || a.untypedValue(right):
		return
	case address != "" && (!a.in.Info.Types[x].Addressable() || !watchable(a.in.Info.TypeOf(x))):
		return
	}
	a.edit(right, func() {
		a.open(right, a.hooked(function))
		moved := a.source(x)
		if a.in.Live { // what is told in front of the statement must not be moved along
			moved = edit.Text(types.ExprString(x))
		}
		a.edits.Close(a.offset(right.End()), edit.Text(", "+address), moved, edit.Text(", "+a.what(x)+")"))
	})
}

// mayWait reports whether the evaluation of an expression may call functions or receive.
func (a *accesses) mayWait(list []ast.Expr) bool {
	found := false
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || !a.in.Info.Types[n.Fun].IsType() && !a.in.Info.Types[n.Fun].IsBuiltin()
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return !found
		})
	}
	return found
}
