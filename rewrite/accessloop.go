package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// rangeClause announces what the clause reads and assigns to.
func (a *accesses) rangeClause(s *ast.RangeStmt) {
	a.rangeLeft(s)
	x := ast.Unparen(s.X)
	if shared.IsTimes(a.in.Info.TypeOf(x)) && s.Key != nil && !isBlank(s.Key) {
		a.tellOpaque(s.X, func() { a.edits.Open(a.offset(s.Body.Lbrace+1), edit.Text(" "+a.hooked("Unlike")+");")) })
	}
	switch t := a.in.Info.TypeOf(x); {
	case t == nil:
	case isArray(t) && (s.Value == nil || isBlank(s.Value)): // the array is not looked at
		a.place[x] = isLeft
	case isMapType(t) && a.mapShared(x):
		a.enclose(s, x, "ReadMap")
		a.mapReads[s] = a.what(x)
	case (isSlice(t) || isPointer(t)) && s.Value != nil && !isBlank(s.Value) && a.elementShared(x) && !a.in.Live:
		a.sliceReads[s] = a.what(s.X)
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
		if id, is := e.(*ast.Ident); is && s.Tok == token.DEFINE && !isBlank(e) && !a.perIteration() {
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
	if isChan(a.in.Info.TypeOf(s.X)) || s.Tok == token.DEFINE && a.perIteration() {
		return
	}
	text := ""
	for _, e := range []ast.Expr{s.Key, s.Value} {
		id, is := e.(*ast.Ident)
		if !is || isBlank(id) {
			continue
		}
		v, _ := a.in.Info.ObjectOf(id).(*types.Var)
		if v != nil && a.localShared(v) && a.means(id.Name, s.Body.Rbrace, v) {
			text += a.hooked("Ahead") + "&" + id.Name + ", " + a.whatText(id.Name, id.Pos()) + "); "
		}
	}
	if text == "" {
		return
	}
	if s.Tok == token.ASSIGN && a.listed(s) {
		a.edit(s, func() { a.open(s, text) })
	}
	a.atEnds(s, s.Body, text)
}

// atEnds puts text where an iteration of s ends.
func (a *accesses) atEnds(s ast.Stmt, body *ast.BlockStmt, text string) {
	a.edit(s, func() { a.edits.Open(a.offset(body.Rbrace), edit.Text("; "+text)) })
	for _, b := range a.continues(s) {
		a.edit(b, func() { a.open(b, text) })
	}
}

// sharedByIterations announces the write of a variable that all iterations of s have in common.
func (a *accesses) sharedByIterations(s *ast.RangeStmt, id *ast.Ident) {
	v, is := a.in.Info.Defs[id].(*types.Var)
	if is && a.localShared(v) {
		a.edit(s, func() {
			a.edits.Open(a.offset(s.Body.Lbrace+1), edit.Text(" "+a.written(id, id.Pos())+";"))
		})
	}
}

// copies announces that the variables of a for statement are read where an iteration ends: the next
// one begins with copies.
func (a *accesses) copies(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || !a.perIteration() {
		return
	}
	text := ""
	for _, e := range init.Lhs {
		id, is := e.(*ast.Ident)
		if !is {
			continue
		}
		v, is := a.in.Info.Defs[id].(*types.Var)
		if is && id.Name != "_" && a.localShared(v) && a.means(id.Name, s.Body.Rbrace, v) && a.escapes(v, s.Body) {
			text += a.hooked("Read"+a.allOf(id)) + "&" + id.Name + ", " + a.whatText(id.Name, s.Pos()) + "); "
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
				found = found || is && a.in.Info.Uses[id] == v
				return !found
			})
		case *ast.UnaryExpr:
			found = found || m.Op == token.AND && shared.Root(a.in.Info, m.X) == v
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
				if m.Tok == token.CONTINUE && (m.Label == nil && !nested || m.Label != nil && m.Label.Name == label) {
					list = append(list, m)
				}
			}
			return true
		})
	}
	visit(s, false)
	return list
}
