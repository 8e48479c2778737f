package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// assignments announces the writes of statements that assign, and of loops.
type assignments struct{ *announcer }

// assignment announces the writes of the left side. If the right side may wait, they are announced
// after it.
func (as *assignments) assignment(s *ast.AssignStmt) {
	if c, is := as.parent().(*ast.CommClause); is && c.Comm == s {
		return // see communication
	}
	wait := as.mayWait(s.Rhs)
	if op, is := strings.CutSuffix(s.Tok.String(), "="); is && op != "" && op != ":" {
		switch x := ast.Unparen(s.Lhs[0]); {
		case !wait:
			as.place[x] = isWritten
			as.update(s, s.Lhs[0], op, s.Rhs[0])
			return
		case as.received(s, x, op):
			return
		}
	}
	var late []ast.Expr
	for _, e := range s.Lhs {
		e = ast.Unparen(e)
		if _, known := as.place[e]; known || unit.IsBlank(e) {
			continue
		}
		as.place[e] = isLeft
		switch {
		case s.Tok == token.DEFINE && as.named(e) == nil: // it is new
		case wait || s.Tok == token.DEFINE:
			late = append(late, e)
		default:
			as.place[e] = isWritten
		}
	}
	if wait {
		as.lift(s, late)
	}
	as.afterwards(late, s.Rhs, s)
}

// received splits s, such as x += <-c, in two: the receive comes first, and then the update of
// variable x, as in compiled code. It reports whether s is such an update.
func (as *assignments) received(s *ast.AssignStmt, x ast.Expr, op string) bool {
	y, is := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
	_, named := x.(*ast.Ident)
	if !is || y.Op != token.ARROW || !named || as.In.Live {
		return false
	}
	t, ok := as.targetOf(x)
	update := as.updateOf(x, op)
	if _, known := as.place[x]; known || !ok || t.function != "Write" ||
		!strings.HasPrefix(update, "Update(") || as.mayWait([]ast.Expr{y.X}) {
		return false
	}
	as.place[x] = isLeft
	begin := "("
	if op == "-" { // the value comes first here: x - v is -v + x
		begin, op = "-(", "+"
	}
	as.edit(s, func() {
		as.Replace(s.Lhs[0].End(), s.Rhs[0].Pos(), edit.Text(" = "+as.Hooked(wrotes[t.function])),
			as.At(s.Rhs[0].Pos()), edit.Text(begin))
		text := []edit.Piece{edit.Text(") " + op + " (*" + as.Hook + "." + update + "&"),
			as.Source(x), edit.Text(", " + as.What(x) + "))")}
		as.Edits.Close(as.Offset(s.Rhs[0].End()), append(text, as.announcement(t, true)...)...)
	})
	return true
}

// update makes an update of x, s, a read and a write: another process may come in between. y is the
// second operand of op; nil: 1.
func (as *assignments) update(s ast.Stmt, x ast.Expr, op string, y ast.Expr) {
	end := x.End()
	x = ast.Unparen(x)
	t, ok := as.targetOf(x)
	as.adds[x] = ok && strings.HasPrefix(as.updateOf(x, op), "Update(") && updates[op] == "Adds"
	if !ok || t.function == "WriteMap" || as.place[x] != isWritten || as.In.Live {
		return
	}
	as.place[x] = isLeft
	read := append([]edit.Piece{edit.Text(" = " + as.Hooked(wrotes[t.function]) + "(*" + as.Hook +
		"." +
		as.updateOf(x, op) + "&"), as.Source(x)},
		edit.Text(", "+as.What(x)+")) "+op+" "))
	as.edit(s, func() {
		if y == nil {
			as.Replace(end, s.End(),
				append(append(read, edit.Text("1")), as.announcement(t, true)...)...)
			return
		}
		as.Replace(end, y.Pos(), append(read, as.At(y.Pos()), edit.Text("("))...)
		as.Edits.Close(as.Offset(y.End()),
			append([]edit.Piece{edit.Text(")")}, as.announcement(t, true)...)...)
	})
}

// afterwards announces that the variables are written when the values are known. stmt is the
// statement around both.
func (as *assignments) afterwards(left, right []ast.Expr, stmt ast.Stmt) {
	var targets []target
	for _, e := range left {
		if t, ok := as.targetOf(e); ok {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return
	}
	host := as.host(right)
	results := 1
	if tuple, is := as.In.Info.TypeOf(host).(*types.Tuple); is {
		results = tuple.Len()
	}
	assignment, assigns := stmt.(*ast.AssignStmt)
	switch {
	case isCommaOk(host) && (len(right) == 1 && assigns && len(stmt.(*ast.AssignStmt).Lhs) == 2) &&
		unit.Receive(host) == nil:
		as.behind(stmt, targets)
	case unit.Receive(host) != nil && assigns && len(right) == 1 &&
		len(stmt.(*ast.AssignStmt).Lhs) == 2:
		as.after(host, targets, "Two")
	case results > 1:
		if results < len(tuples) {
			as.after(host, targets, tuples[results])
		} else if assigns {
			as.behind(stmt, targets)
		}
	case as.UntypedValue(host) || as.In.Info.Types[host].IsNil():
		if assigns {
			as.behind(stmt, targets)
		}
	default:
		as.wrap(host, targets, assigns && len(assignment.Lhs) == 1)
	}
}

// assignedLater returns e if the caller must announce the write to e after the value is there. If e
// itself may wait, e announces the write.
func (as *assignments) assignedLater(e ast.Expr, tok token.Token) []ast.Expr {
	e = ast.Unparen(e)
	as.place[e] = isLeft
	switch {
	case tok != token.ASSIGN || unit.IsBlank(e):
	case as.mayWait([]ast.Expr{e}):
		as.place[e] = isWritten
	default:
		return []ast.Expr{e}
	}
	return nil
}

// communication announces the variables that a case of a select statement assigns to.
func (as *assignments) communication(c *ast.CommClause) {
	s, ok := c.Comm.(*ast.AssignStmt)
	if !ok {
		return
	}
	var list []ast.Expr
	for _, e := range s.Lhs {
		list = append(list, as.assignedLater(e, s.Tok)...)
	}
	as.atStart(c, c.Colon+1, list...)
}

// results announces that a return statement assigns to results that have names. The compiler leaves
// out "x = x": go.dev/issue/4014.
func (as *assignments) results(s *ast.ReturnStmt) {
	fields := as.functionType().Results
	if len(s.Results) == 0 || fields == nil || len(fields.List) == 0 || !as.listed(s) {
		return
	}
	var names []*ast.Ident
	k := -1
	for _, f := range fields.List {
		for _, id := range f.Names {
			k++
			v, ok := as.In.Info.Defs[id].(*types.Var)
			itself := k < len(s.Results) && as.Is(s.Results[k], v)
			if ok && id.Name != "_" && !itself && as.localShared(v) &&
				as.means(id.Name, s.Pos(), v) {
				names = append(names, id)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	host := as.host(s.Results)
	tuple, several := as.In.Info.TypeOf(host).(*types.Tuple)
	wait := as.mayWait(s.Results)
	switch {
	case !wait:
		as.edit(s, func() {
			for _, id := range names {
				as.Open(s, as.written(id, s.Pos())+"; ")
			}
		})
	case several && tuple.Len() < len(tuples):
		as.edit(host, func() {
			as.Open(host, as.Hooked(tuples[tuple.Len()]))
			text := ").After("
			for _, id := range names {
				text += as.written(id, s.Pos()) + ","
			}
			as.Close(host, text+")")
		})
	case !several && !as.UntypedValue(host):
		as.edit(host, func() {
			for i := len(names) - 1; i >= 0; i-- {
				function := wroteOf("Wrote"+as.allOf(names[i]), len(s.Results) == 1)
				as.Open(host, as.Hooked(function))
				as.Close(host, ", &"+names[i].Name+", "+as.WhatText(names[i].Name, s.Pos())+")")
			}
		})
	}
}
