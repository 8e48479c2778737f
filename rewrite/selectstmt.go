package rewrite

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// selectStmt rewrites a select into a switch over the index of the chosen case. The bodies stay
// where they are, and so do labels, break, continue, goto and return.
func (f *file) selectStmt(s *ast.SelectStmt) {
	cases, hasDefault := communications(s)
	switch {
	case len(cases) == 0 && hasDefault: // nothing happens
	case len(cases) == 0:
		f.selectForever(s)
	default:
		f.selectHeader(s, cases, hasDefault)
		for i, c := range cases {
			f.selectCase(c, i)
		}
		if !hasDefault {
			f.selectEnd(s)
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
func (f *file) selectForever(s *ast.SelectStmt) {
	text := "{ " + f.Hooked("Select") + f.BoolText(false, s.Select) + "); " +
		f.Unreachable(s.Select) +
		" }"
	f.Replace(s.Select, s.Body.Rbrace+1, edit.Text(text))
}

// selectHeader writes the switch, in whose header the operands are evaluated in source order.
func (f *file) selectHeader(s *ast.SelectStmt, cases []*ast.CommClause, hasDefault bool) {
	vars := f.caseVars(cases)
	text := []edit.Piece{edit.Text("switch " + vars + " := ")}
	for i, c := range cases {
		if i > 0 {
			text = append(text, edit.Text(", "))
		}
		text = append(text, f.declareCase(c)...)
	}
	choice := "; " + f.Hooked("Select") + f.BoolText(hasDefault, s.Select) + ", " + vars + ") {"
	f.Replace(s.Select, s.Body.Lbrace+1, append(text, f.At(s.Select), edit.Text(choice))...)
}

// caseVars lists the temporaries of the cases.
func (f *file) caseVars(cases []*ast.CommClause) string {
	vars := make([]string, len(cases))
	for i, c := range cases {
		vars[i] = f.caseVar(c, i)
	}
	return strings.Join(vars, ", ")
}

// caseVar returns the temporary of the i-th case.
func (f *file) caseVar(c *ast.CommClause, i int) string {
	if _, ok := c.Comm.(*ast.SendStmt); ok {
		return f.TempN("s", i)
	}
	return f.TempN("r", i)
}

// declareCase is the expression that evaluates the operands of a case.
func (f *file) declareCase(c *ast.CommClause) []edit.Piece {
	if s, ok := c.Comm.(*ast.SendStmt); ok {
		f.done[s] = true
		return []edit.Piece{
			edit.Text(f.Hooked("S")), f.Source(s.Chan), edit.Text(").Case("), f.Source(s.Value),
			edit.Text(")"),
		}
	}
	r := unit.Receive(received(c.Comm))
	f.done[r] = true
	return []edit.Piece{edit.Text(f.Hooked("R")), f.Source(r.X), edit.Text(")")}
}

// received returns the receive expression of a case that receives.
func received(comm ast.Stmt) ast.Expr {
	if s, ok := comm.(*ast.AssignStmt); ok {
		return s.Rhs[0]
	}
	return comm.(*ast.ExprStmt).X
}

// selectCase rewrites the head of the i-th case. What a receive assigns to is evaluated here, after
// the choice.
func (f *file) selectCase(c *ast.CommClause, i int) {
	text := []edit.Piece{edit.Text("case " + strconv.Itoa(i) + ":")}
	if s, ok := c.Comm.(*ast.AssignStmt); ok {
		f.done[s] = true
		text = append(text, edit.Text(" "), f.Between(s.Lhs[0].Pos(), s.Lhs[len(s.Lhs)-1].End()),
			edit.Text(" "+s.Tok.String()+" "+f.values(s, f.caseVar(c, i))+";"))
	}
	f.Replace(c.Case, c.Colon+1, text...)
}

// values lists what the case v has received, as far as s assigns it.
func (f *file) values(s *ast.AssignStmt, v string) string {
	if len(s.Lhs) == 1 {
		return v + ".V"
	}
	return v + ".V, " + v + ".OK" + f.untyped(s)
}

// untyped makes a boolean one that converts to the type of the second variable of s, if that is not
// bool.
func (f *file) untyped(s *ast.AssignStmt) string {
	if s.Tok == token.DEFINE || !namedBool(f.typeOfTarget(s.Lhs[1])) {
		return ""
	}
	return " == " + f.BoolText(true, s.Pos())
}

// selectEnd adds a default clause, without which the switch would not be a terminating statement
// where the select was one. It is never reached.
func (f *file) selectEnd(s *ast.SelectStmt) {
	text := "default: " + f.Unreachable(s.Body.Rbrace)
	if !f.startsLine(s.Body.Rbrace) {
		text = "; " + text
	}
	f.Edits.Open(f.Offset(s.Body.Rbrace), edit.Text(text+" "))
}

// startsLine reports whether only blanks stand in front of pos on its line.
func (f *file) startsLine(pos token.Pos) bool {
	at := f.blanksBefore(pos)
	return at == 0 || f.Src[at-1] == '\n'
}
