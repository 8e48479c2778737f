package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// rangeClause announces what the clause reads and assigns to.
func (a *accesses) rangeClause(s *ast.RangeStmt) {
	a.rangeLeft(s)
	x := ast.Unparen(s.X)
	if shared.IsTimes(a.In.Info.TypeOf(x)) && s.Key != nil && !unit.IsBlank(s.Key) {
		a.tellOpaque(s.X, func() {
			a.Edits.Open(a.Offset(s.Body.Lbrace+1), edit.Text(" "+a.Hooked("Unlike")+");"))
		})
	}
	switch t := a.In.Info.TypeOf(x); {
	case t == nil:
	case unit.IsArray(t) && (s.Value == nil || unit.IsBlank(s.Value)): // the array is not looked at
		a.place[x] = isLeft
	case unit.IsMapType(t) && a.mapShared(x):
		a.enclose(s, x, "ReadMap")
		a.MapReads[s] = a.What(x)
	case (unit.IsSlice(t) || unit.IsPointer(t)) && s.Value != nil && !unit.IsBlank(s.Value) &&
		a.elementShared(x) && !a.In.Live:
		a.SliceReads[s] = a.What(s.X)
		a.announced = true
	}
}

// rangeLeft announces the writes of the variables of the clause, where those are no new ones in
// each iteration.
func (a *accesses) rangeLeft(s *ast.RangeStmt) {
	var list []ast.Expr
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e == nil {
			continue
		}
		list = append(list, a.assignedLater(e, s.Tok)...)
		if id, is := e.(*ast.Ident); is && s.Tok == token.DEFINE && !unit.IsBlank(e) &&
			!a.PerIteration() {
			a.sharedByIterations(s, id)
		}
	}
	a.atStart(s, s.Body.Lbrace+1, list...)
	a.ahead(s)
}

// ahead makes the writes of variables that outlive an iteration steps of their own, where they are
// to be steps: between the end of an iteration and the next one, others may still read what the
// variables hold. A receive is a step in any case.
func (a *accesses) ahead(s *ast.RangeStmt) {
	if unit.IsChan(a.In.Info.TypeOf(s.X)) || s.Tok == token.DEFINE && a.PerIteration() {
		return
	}
	text := ""
	for _, e := range []ast.Expr{s.Key, s.Value} {
		id, is := e.(*ast.Ident)
		if !is || unit.IsBlank(id) {
			continue
		}
		v, _ := a.In.Info.ObjectOf(id).(*types.Var)
		if v != nil && a.localShared(v) && a.means(id.Name, s.Body.Rbrace, v) {
			text += a.Hooked("Ahead") + "&" + id.Name + ", " + a.WhatText(id.Name, id.Pos()) + "); "
		}
	}
	if text == "" {
		return
	}
	if s.Tok == token.ASSIGN && a.listed(s) {
		a.edit(s, func() { a.Open(s, text) })
	}
	a.atEnds(s, s.Body, text)
}

// atEnds puts text where an iteration of s ends.
func (a *accesses) atEnds(s ast.Stmt, body *ast.BlockStmt, text string) {
	a.edit(s, func() { a.Edits.Open(a.Offset(body.Rbrace), edit.Text("; "+text)) })
	for _, b := range a.continues(s) {
		a.edit(b, func() { a.Open(b, text) })
	}
}

// sharedByIterations announces the write of a variable that all iterations of s have in common.
func (a *accesses) sharedByIterations(s *ast.RangeStmt, id *ast.Ident) {
	v, is := a.In.Info.Defs[id].(*types.Var)
	if is && a.localShared(v) {
		a.edit(s, func() {
			a.Edits.Open(a.Offset(s.Body.Lbrace+1), edit.Text(" "+a.written(id, id.Pos())+";"))
		})
	}
}

// copies announces that the variables of a for statement are read where an iteration ends: the next
// one begins with copies.
func (a *accesses) copies(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || !a.PerIteration() {
		return
	}
	text := ""
	for _, e := range init.Lhs {
		id, is := e.(*ast.Ident)
		if !is {
			continue
		}
		v, is := a.In.Info.Defs[id].(*types.Var)
		if is && id.Name != "_" && a.localShared(v) && a.means(id.Name, s.Body.Rbrace, v) &&
			a.escapes(v, s.Body) {
			text += a.Hooked("Read"+a.allOf(id)) + "&" + id.Name + ", " +
				a.WhatText(id.Name, s.Pos()) +
				"); "
		}
	}
	if text != "" {
		a.atEnds(s, s.Body, text)
	}
}

// escapes reports whether the address of v is taken in n, or a function literal there has v.
func (a *accesses) escapes(v *types.Var, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			ast.Inspect(m.Body, func(k ast.Node) bool {
				id, is := k.(*ast.Ident)
				found = found || is && a.In.Info.Uses[id] == v
				return !found
			})
		case *ast.UnaryExpr:
			found = found || m.Op == token.AND && shared.Root(a.In.Info, m.X) == v
		}
		return !found
	})
	return found
}

// continues lists the statements that end an iteration of s, as far as they stand in lists of
// statements.
func (a *accesses) continues(s ast.Stmt) (list []*ast.BranchStmt) {
	label := ""
	if l, is := a.parent().(*ast.LabeledStmt); is {
		label = l.Label.Name
	}
	var visit func(n ast.Node, nested bool)
	visit = func(n ast.Node, nested bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.LabeledStmt:
				_, jumps := m.Stmt.(*ast.BranchStmt)
				return !jumps
			case *ast.ForStmt:
				if m != n {
					visit(m, true)
					return false
				}
			case *ast.RangeStmt:
				if m != n {
					visit(m, true)
					return false
				}
			case *ast.BranchStmt:
				if m.Tok == token.CONTINUE &&
					(m.Label == nil && !nested || m.Label != nil && m.Label.Name == label) {
					list = append(list, m)
				}
			}
			return true
		})
	}
	visit(s, false)
	return list
}
