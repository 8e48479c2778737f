package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// selects rewrites select statements.
type selects struct{ *channels }

// selectStmt rewrites a select into a switch over the index of the chosen case. The bodies stay
// where they are, and so do labels, break, continue, goto and return. The select
//
//	select {
//	case v := <-a:
//		f(v)
//	case b <- g():
//	}
//
// becomes, but for comments with the lines of the operands:
//
//	switch _r0, _s1 := _rehearse.R(a), _rehearse.S(b).Case(g()); _rehearse.Select(false, _r0, _s1) {
//	case 0: v := _r0.V;
//		f(v)
//	case 1:
//	default: panic("unreachable") }
func (ss *selects) selectStmt(s *ast.SelectStmt) {
	cases, hasDefault := communications(s)
	switch {
	case len(cases) == 0 && hasDefault: // nothing happens
	case len(cases) == 0:
		ss.selectForever(s)
	default:
		ss.selectHeader(s, cases, hasDefault)
		for i, c := range cases {
			ss.selectCase(c, i)
		}
		if !hasDefault {
			ss.selectEnd(s)
		}
	}
}

// communications returns the clauses of s that send or receive, and whether there is a default
// clause.
func communications(s *ast.SelectStmt) (cases []*ast.CommClause, hasDefault bool) {
	for _, c := range s.Body.List {
		if c := c.(*ast.CommClause); c.Comm == nil {
			hasDefault = true
		} else {
			cases = append(cases, c)
		}
	}
	return cases, hasDefault
}

// selectForever rewrites select{}, which must stay a terminating statement.
func (ss *selects) selectForever(s *ast.SelectStmt) {
	text := "{ " + ss.Hooked("Select") + ss.BoolText(false, s.Select) + "); " +
		ss.Unreachable(s.Select) +
		" }"
	ss.Replace(s.Select, s.Body.Rbrace+1, edit.Text(text))
}

// selectHeader writes the switch, in whose header the operands are evaluated in source order.
func (ss *selects) selectHeader(s *ast.SelectStmt, cases []*ast.CommClause, hasDefault bool) {
	vars := ss.caseVars(cases)
	text := []edit.Piece{edit.Text("switch " + vars + " := ")}
	for i, c := range cases {
		if i > 0 {
			text = append(text, edit.Text(", "))
		}
		text = append(text, ss.declareCase(c, i, ss.served[s])...)
	}
	choice := "; " + ss.Hooked("Select") + ss.BoolText(hasDefault, s.Select)
	if ss.served[s] {
		choice = "; " + ss.Hooked("ServedSelect") + ss.Temp("l") + ", " + ss.places(cases)
	}
	choice += ", " + vars + ") {"
	ss.Replace(s.Select, s.Body.Lbrace+1, append(text, ss.At(s.Select), edit.Text(choice))...)
}

// places is what the cases, all of them receives, receive from, a line for each.
func (ss *selects) places(cases []*ast.CommClause) string {
	text := make([]string, len(cases))
	for i, c := range cases {
		text[i] = ss.What(unit.Receive(received(c.Comm)).X)
	}
	return strings.Join(text, ` + "\n" + `)
}

// caseVars lists the temporaries of the cases.
func (ss *selects) caseVars(cases []*ast.CommClause) string {
	vars := make([]string, len(cases))
	for i, c := range cases {
		vars[i] = ss.caseVar(c, i)
	}
	return strings.Join(vars, ", ")
}

// caseVar returns the temporary of the i-th case.
func (ss *selects) caseVar(c *ast.CommClause, i int) string {
	if _, ok := c.Comm.(*ast.SendStmt); ok {
		return ss.TempN("s", i)
	}
	return ss.TempN("r", i)
}

// declareCase is the expression that evaluates the operands of the i-th case, of a select of a
// service if served is true.
func (ss *selects) declareCase(c *ast.CommClause, i int, served bool) []edit.Piece {
	if s, ok := c.Comm.(*ast.SendStmt); ok {
		ss.done[s] = true
		return []edit.Piece{
			edit.Text(ss.Hooked("S")), ss.Source(s.Chan), edit.Text(").Case("), ss.Source(s.Value),
			edit.Text(")"),
		}
	}
	r := unit.Receive(received(c.Comm))
	ss.done[r] = true
	call := shared.After(ss.In.Info, r.X)
	switch hook := ss.Hooked("After"); {
	case call == nil:
		return []edit.Piece{edit.Text(ss.Hooked("R")), ss.Source(r.X), edit.Text(")")}
	case served:
		again := hook + ss.Hooked("Again") + ss.Temp("l") + ", " + strconv.Itoa(i) + ", "
		return []edit.Piece{edit.Text(again), ss.Source(call.Fun), edit.Text(", "),
			ss.Source(call.Args[0]), edit.Text("))")}
	default:
		return []edit.Piece{edit.Text(hook), ss.Source(r.X), edit.Text(")")}
	}
}

// received returns the receive expression of a case that receives.
func received(comm ast.Stmt) ast.Expr {
	if s, ok := comm.(*ast.AssignStmt); ok {
		return s.Rhs[0]
	}
	return comm.(*ast.ExprStmt).X
}

// selectCase rewrites the head of the i-th case. The left side of a receive is evaluated here,
// after the choice.
func (ss *selects) selectCase(c *ast.CommClause, i int) {
	text := []edit.Piece{edit.Text("case " + strconv.Itoa(i) + ":")}
	if s, ok := c.Comm.(*ast.AssignStmt); ok {
		ss.done[s] = true
		text = append(text, edit.Text(" "), ss.Between(s.Lhs[0].Pos(), s.Lhs[len(s.Lhs)-1].End()),
			edit.Text(" "+s.Tok.String()+" "+ss.values(s, ss.caseVar(c, i))+";"))
	}
	ss.Replace(c.Case, c.Colon+1, text...)
}

// values lists what the case v has received, as far as s assigns it.
func (ss *selects) values(s *ast.AssignStmt, v string) string {
	if len(s.Lhs) == 1 {
		return v + ".V"
	}
	return v + ".V, " + v + ".OK" + ss.untyped(s)
}

// untyped makes a boolean one that converts to the type of the second variable of s, if that is not
// bool.
func (ss *selects) untyped(s *ast.AssignStmt) string {
	if s.Tok == token.DEFINE || !namedBool(ss.typeOfTarget(s.Lhs[1])) {
		return ""
	}
	return " == " + ss.BoolText(true, s.Pos())
}

// selectEnd adds a default clause, without which the switch would not be a terminating statement
// where the select was one. It is never reached.
func (ss *selects) selectEnd(s *ast.SelectStmt) {
	text := "default: " + ss.Unreachable(s.Body.Rbrace)
	if !ss.startsLine(s.Body.Rbrace) {
		text = "; " + text
	}
	ss.Edits.Open(ss.Offset(s.Body.Rbrace), edit.Text(text+" "))
}

// startsLine reports whether only blanks stand in front of pos on its line.
func (ss *selects) startsLine(pos token.Pos) bool {
	at := ss.blanksBefore(pos)
	return at == 0 || ss.Src[at-1] == '\n'
}
