package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// rangeClause announces the reads and writes of the clause.
func (as *assignments) rangeClause(s *ast.RangeStmt) {
	as.rangeLeft(s)
	x := ast.Unparen(s.X)
	if as.lists[x] == "Each" && (as.isShared(x) || as.given.uses[x]) {
		for _, c := range s.Body.List {
			if c, is := c.(*ast.IfStmt); is {
				text := " " + as.Hooked("Show") + "&" + x.(*ast.Ident).Name +
					", " + as.What(x) + ");"
				as.edit(c.Body, func() {
					as.Edits.Open(as.Offset(c.Body.Lbrace+1), edit.Text(text))
				})
			}
		}
	}
	if shared.IsTimes(as.In.Info.TypeOf(x)) && s.Key != nil && !unit.IsBlank(s.Key) {
		as.tellOpaque(s.X, func() {
			as.Edits.Open(as.Offset(s.Body.Lbrace+1), edit.Text(" "+as.Hooked("Unlike")+");"))
		})
	}
	switch t := as.In.Info.TypeOf(x); {
	case t == nil:
	case unit.IsArray(t) && (s.Value == nil || unit.IsBlank(s.Value)): // the array is not looked at
		as.place[x] = isLeft
	case unit.IsMapType(t) && as.mapShared(x):
		as.enclose(s, x, "ReadMap")
		as.MapReads[s] = as.What(x)
	case (unit.IsSlice(t) || unit.IsPointer(t)) && s.Value != nil && !unit.IsBlank(s.Value) &&
		as.elementShared(x) && !as.In.Live:
		as.SliceReads[s] = as.What(s.X)
		as.announced = true
	}
}

// rangeLeft announces the writes of the variables of the clause, unless each iteration has new
// ones.
func (as *assignments) rangeLeft(s *ast.RangeStmt) {
	var list []ast.Expr
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e == nil {
			continue
		}
		list = append(list, as.assignedLater(e, s.Tok)...)
		if id, is := e.(*ast.Ident); is && s.Tok == token.DEFINE && !unit.IsBlank(e) &&
			!as.PerIteration() {
			as.sharedByIterations(s, id)
		}
	}
	as.atStart(s, s.Body.Lbrace+1, list...)
	as.ahead(s)
}

// ahead makes a write of a variable that outlives an iteration a step of its own, if accesses to
// the variable are steps: between two iterations, others may still read the old value. A receive is
// a step in any case.
func (as *assignments) ahead(s *ast.RangeStmt) {
	if unit.IsChan(as.In.Info.TypeOf(s.X)) || s.Tok == token.DEFINE && as.PerIteration() {
		return
	}
	text := ""
	for _, e := range []ast.Expr{s.Key, s.Value} {
		id, is := e.(*ast.Ident)
		if !is || unit.IsBlank(id) {
			continue
		}
		v, _ := as.In.Info.ObjectOf(id).(*types.Var)
		if v != nil && as.localShared(v) && as.means(id.Name, s.Body.Rbrace, v) {
			text += as.Hooked("Ahead") + "&" + id.Name + ", " + as.WhatText(id.Name, id.Pos()) + "); "
		}
	}
	if text == "" {
		return
	}
	if s.Tok == token.ASSIGN && as.listed(s) {
		as.edit(s, func() { as.Open(s, text) })
	}
	as.atEnds(s, s.Body, text)
}

// atEnds puts text where an iteration of s ends.
func (as *assignments) atEnds(s ast.Stmt, body *ast.BlockStmt, text string) {
	as.edit(s, func() { as.Edits.Open(as.Offset(body.Rbrace), edit.Text("; "+text)) })
	for _, b := range as.continues(s) {
		as.edit(b, func() { as.Open(b, text) })
	}
}

// sharedByIterations announces the write of a variable that all iterations of s share.
func (as *assignments) sharedByIterations(s *ast.RangeStmt, id *ast.Ident) {
	v, is := as.In.Info.Defs[id].(*types.Var)
	if is && as.localShared(v) {
		as.edit(s, func() {
			as.Edits.Open(as.Offset(s.Body.Lbrace+1), edit.Text(" "+as.written(id, id.Pos())+";"))
		})
	}
}

// copies announces that the variables of a for statement are read where an iteration ends: the next
// one begins with copies.
func (as *assignments) copies(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || !as.PerIteration() {
		return
	}
	text := ""
	for _, e := range init.Lhs {
		id, is := e.(*ast.Ident)
		if !is {
			continue
		}
		v, is := as.In.Info.Defs[id].(*types.Var)
		if is && id.Name != "_" && as.localShared(v) && as.means(id.Name, s.Body.Rbrace, v) &&
			as.escapes(v, s.Body) {
			text += as.Hooked("Read"+as.allOf(id)) + "&" + id.Name + ", " +
				as.WhatText(id.Name, s.Pos()) +
				"); "
		}
	}
	if text != "" {
		as.atEnds(s, s.Body, text)
	}
}
