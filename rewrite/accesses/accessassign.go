package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// assignment says what becomes of the left side. Where the right side may wait, what is written is
// announced after that.
func (a *accesses) assignment(s *ast.AssignStmt) {
	if c, is := a.parent().(*ast.CommClause); is && c.Comm == s {
		return // see communication
	}
	wait := a.mayWait(s.Rhs)
	if op, is := strings.CutSuffix(s.Tok.String(), "="); is && op != "" && op != ":" && !wait {
		a.place[ast.Unparen(s.Lhs[0])] = isWritten
		a.update(s, s.Lhs[0], op, s.Rhs[0])
		return
	}
	var late []ast.Expr
	for _, e := range s.Lhs {
		e = ast.Unparen(e)
		if _, known := a.place[e]; known || unit.IsBlank(e) {
			continue
		}
		a.place[e] = isLeft
		switch {
		case s.Tok == token.DEFINE && a.named(e) == nil: // it is new
		case wait || s.Tok == token.DEFINE:
			late = append(late, e)
		default:
			a.place[e] = isWritten
		}
	}
	if wait {
		a.lift(s, late)
	}
	a.afterwards(late, s.Rhs, s)
}

// update makes an update of x, s, a read and a write: somebody may come in between. y is the second
// operand of op; nil: 1.
func (a *accesses) update(s ast.Stmt, x ast.Expr, op string, y ast.Expr) {
	end := x.End()
	x = ast.Unparen(x)
	t, ok := a.targetOf(x)
	a.adds[x] = ok && strings.HasPrefix(a.updateOf(x, op), "Update(") && updates[op] == "Adds"
	if !ok || t.function == "WriteMap" || a.place[x] != isWritten || a.In.Live {
		return
	}
	a.place[x] = isLeft
	read := append([]edit.Piece{edit.Text(" = " + a.Hooked(wrotes[t.function]) + "(*" + a.Hook +
		"." +
		a.updateOf(x, op) + "&"), a.Source(x)},
		edit.Text(", "+a.What(x)+")) "+op+" "))
	a.edit(s, func() {
		if y == nil {
			a.Replace(end, s.End(),
				append(append(read, edit.Text("1")), a.announcement(t, true)...)...)
			return
		}
		a.Replace(end, y.Pos(), append(read, a.At(y.Pos()), edit.Text("("))...)
		a.Edits.Close(a.Offset(y.End()),
			append([]edit.Piece{edit.Text(")")}, a.announcement(t, true)...)...)
	})
}

// wrotes are the functions that announce a write when its value is known.
var wrotes = map[string]string{"Write": "Wrote", "WriteAll": "WroteAll", "WriteMap": "WroteMap"}

// target is a variable that is announced as written when its value is known.
type target struct {
	expr     ast.Expr // the variable, or the map
	function string   // Write, WriteAll or WriteMap
}

// targetOf returns what is announced of the write of e; false if that is nothing, or cannot be said
// later.
func (a *accesses) targetOf(e ast.Expr) (target, bool) {
	if _, lifted := a.lifted[e]; !lifted && a.mayWait([]ast.Expr{e}) {
		return target{}, false
	}
	return a.targetFor(e)
}

// targetFor does so whatever is called in e.
func (a *accesses) targetFor(e ast.Expr) (target, bool) {
	if index, ok := e.(*ast.IndexExpr); ok && unit.IsMapType(a.In.Info.TypeOf(index.X)) {
		x := ast.Unparen(index.X)
		return target{x, "WriteMap"}, a.mapShared(x)
	}
	_, name := e.(*ast.Ident) // that of a variable that := finds has no entry
	return target{e, "Write" + a.all(e)}, (name || a.In.Info.Types[e].Addressable()) &&
		a.isShared(e)
}

// announcement is the call that announces the write. wrote: as the end of a call that has the value
// as its first argument.
func (a *accesses) announcement(t target, wrote bool) []edit.Piece {
	moved := []edit.Piece{a.Source(t.expr)}
	if a.In.Live { // what is told in front of the statement must not be moved along
		moved = []edit.Piece{edit.Text(types.ExprString(t.expr))}
	} else if l, lifted := a.lifted[t.expr]; lifted {
		moved = l.place
	}
	head, address := a.Hooked(t.function), "&"
	if t.function == "WriteMap" {
		address = ""
	}
	if wrote {
		head = ", "
	}
	return append(append([]edit.Piece{edit.Text(head + address)}, moved...),
		edit.Text(", "+a.What(t.expr)+")"))
}

// afterwards announces that the variables are written when the values are known. stmt is the
// statement around both.
func (a *accesses) afterwards(left, right []ast.Expr, stmt ast.Stmt) {
	var targets []target
	for _, e := range left {
		if t, ok := a.targetOf(e); ok {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return
	}
	host := a.host(right)
	results := 1
	if tuple, is := a.In.Info.TypeOf(host).(*types.Tuple); is {
		results = tuple.Len()
	}
	assignment, assigns := stmt.(*ast.AssignStmt)
	switch {
	case isCommaOk(host) && (len(right) == 1 && assigns && len(stmt.(*ast.AssignStmt).Lhs) == 2) &&
		unit.Receive(host) == nil:
		a.behind(stmt, targets)
	case unit.Receive(host) != nil && assigns && len(right) == 1 &&
		len(stmt.(*ast.AssignStmt).Lhs) == 2:
		a.after(host, targets, "Two")
	case results > 1:
		if results < len(tuples) {
			a.after(host, targets, tuples[results])
		} else if assigns {
			a.behind(stmt, targets)
		}
	case a.UntypedValue(host) || a.In.Info.Types[host].IsNil():
		if assigns {
			a.behind(stmt, targets)
		}
	default:
		a.wrap(host, targets, assigns && len(assignment.Lhs) == 1)
	}
}

// tuples are the functions that take several results, by how many these are.
var tuples = [...]string{2: "Two", 3: "Three", 4: "Four"}

// host returns the expression behind whose evaluation nothing waits any more.
func (a *accesses) host(list []ast.Expr) ast.Expr {
	for i := len(list) - 1; i >= 0; i-- {
		if a.mayWait(list[i : i+1]) {
			return ast.Unparen(list[i])
		}
	}
	return ast.Unparen(list[len(list)-1])
}

// isCommaOk reports whether e may have a second value that says whether there is a first.
func isCommaOk(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// wroteOf is the function that announces a write, or that of one of several.
func wroteOf(function string, last bool) string {
	if function == "Wrote" && !last {
		return "WroteOne"
	}
	return function
}

// wrap announces the writes when the one value of e is known. last: nothing else follows in the
// statement.
func (a *accesses) wrap(e ast.Expr, targets []target, last bool) {
	a.edit(e, func() {
		for i := len(targets) - 1; i >= 0; i-- {
			t := targets[i]
			a.Open(e, a.Hooked(wroteOf(wrotes[t.function], last)))
			a.Edits.Close(a.Offset(e.End()), a.announcement(t, true)...)
		}
	})
}

// after announces the writes when the several results of e are known.
func (a *accesses) after(e ast.Expr, targets []target, function string) {
	a.edit(e, func() {
		a.Open(e, a.Hooked(function))
		text := []edit.Piece{edit.Text(").After(")}
		for i, t := range targets {
			if i > 0 {
				text = append(text, edit.Text(", "))
			}
			text = append(text, a.announcement(t, false)...)
		}
		a.Edits.Close(a.Offset(e.End()), append(text, edit.Text(")"))...)
	})
}

// behind announces the writes behind a statement, if that is one of a list.
func (a *accesses) behind(s ast.Stmt, targets []target) {
	if !a.listed(s) {
		return
	}
	a.edit(s, func() {
		for i := len(targets) - 1; i >= 0; i-- {
			text := append([]edit.Piece{edit.Text("; ")}, a.announcement(targets[i], false)...)
			a.Edits.Close(a.Offset(s.End()), text...)
		}
	})
}

// listed reports whether s, the present node, is one of a list of statements.
func (a *accesses) listed(s ast.Stmt) bool {
	switch p := a.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != s
	}
	return false
}

// atStart announces, in front of the statements of a body or clause, that the variables have been
// written. at is where these begin.
func (a *accesses) atStart(n ast.Node, at token.Pos, list ...ast.Expr) {
	var text []edit.Piece
	for _, e := range list {
		t, ok := a.targetOf(e)
		if !ok {
			continue
		}
		text = append(text, edit.Text(" "))
		text = append(text, a.announcement(t, false)...)
		text = append(text, edit.Text(";"))
	}
	if text != nil {
		a.edit(n, func() { a.Edits.Open(a.Offset(at), text...) })
	}
}

// assignedLater returns e if it is assigned to when the value is there, and what follows must
// announce the write. Where something is called in e, that happens then, too, and e announces the
// write itself.
func (a *accesses) assignedLater(e ast.Expr, tok token.Token) []ast.Expr {
	e = ast.Unparen(e)
	a.place[e] = isLeft
	switch {
	case tok != token.ASSIGN || unit.IsBlank(e):
	case a.mayWait([]ast.Expr{e}):
		a.place[e] = isWritten
	default:
		return []ast.Expr{e}
	}
	return nil
}

// communication announces what a case of a select statement assigns to.
func (a *accesses) communication(c *ast.CommClause) {
	s, ok := c.Comm.(*ast.AssignStmt)
	if !ok {
		return
	}
	var list []ast.Expr
	for _, e := range s.Lhs {
		list = append(list, a.assignedLater(e, s.Tok)...)
	}
	a.atStart(c, c.Colon+1, list...)
}

// results announces that a return statement assigns to results that have names. The compiler leaves
// out "x = x": go.dev/issue/4014.
func (a *accesses) results(s *ast.ReturnStmt) {
	fields := a.functionType().Results
	if len(s.Results) == 0 || fields == nil || len(fields.List) == 0 || !a.listed(s) {
		return
	}
	var names []*ast.Ident
	k := -1
	for _, f := range fields.List {
		for _, id := range f.Names {
			k++
			v, ok := a.In.Info.Defs[id].(*types.Var)
			itself := k < len(s.Results) && a.Is(s.Results[k], v)
			if ok && id.Name != "_" && !itself && a.localShared(v) && a.means(id.Name, s.Pos(), v) {
				names = append(names, id)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	host := a.host(s.Results)
	tuple, several := a.In.Info.TypeOf(host).(*types.Tuple)
	wait := a.mayWait(s.Results)
	switch {
	case !wait:
		a.edit(s, func() {
			for _, id := range names {
				a.Open(s, a.written(id, s.Pos())+"; ")
			}
		})
	case several && tuple.Len() < len(tuples):
		a.edit(host, func() {
			a.Open(host, a.Hooked(tuples[tuple.Len()]))
			text := ").After("
			for _, id := range names {
				text += a.written(id, s.Pos()) + ","
			}
			a.Close(host, text+")")
		})
	case !several && !a.UntypedValue(host):
		a.edit(host, func() {
			for i := len(names) - 1; i >= 0; i-- {
				function := wroteOf("Wrote"+a.allOf(names[i]), len(s.Results) == 1)
				a.Open(host, a.Hooked(function))
				a.Close(host, ", &"+names[i].Name+", "+a.WhatText(names[i].Name, s.Pos())+")")
			}
		})
	}
}

// written is the call that announces the write of a variable.
func (a *accesses) written(id *ast.Ident, pos token.Pos) string {
	return a.Hooked("Write"+a.allOf(id)) + "&" + id.Name + ", " + a.WhatText(id.Name, pos) + ")"
}

func (a *accesses) allOf(id *ast.Ident) string {
	if t := a.In.Info.Defs[id].Type(); isComposite(t) || unit.IsTypeParam(t) {
		return "All"
	}
	return ""
}

// means reports whether a name stands for v at a position.
func (a *accesses) means(name string, pos token.Pos, v *types.Var) bool {
	scope := a.In.Types.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(name, pos)
	return obj == v
}

// functionType returns the type of the function that the present node is in.
func (a *accesses) functionType() *ast.FuncType {
	for i := len(a.path) - 1; i >= 0; i-- {
		switch n := a.path[i].(type) {
		case *ast.FuncDecl:
			return n.Type
		case *ast.FuncLit:
			return n.Type
		}
	}
	return &ast.FuncType{}
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
				found = found || !a.In.Info.Types[n.Fun].IsType() &&
					!a.In.Info.Types[n.Fun].IsBuiltin()
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return !found
		})
	}
	return found
}
