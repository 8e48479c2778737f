package timeafter

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
)

// afterOnce lets the time limit of a call of time.After begin once, before the endless loop of
// which the body is the select with it, if the case for it returns.
func (c check) afterOnce(call *ssa.Call) []analysis.SuggestedFix {
	loop, ok := discipline.NodeWhere(c.Pass, func(n *ast.ForStmt) bool {
		return n.Init == nil && n.Cond == nil && n.Post == nil && len(n.Body.List) == 1 &&
			returnsAfter(n.Body.List[0], call.Pos())
	})
	if _, named := discipline.NodeWhere(c.Pass,
		func(n *ast.Ident) bool { return n.Name == "limit" }); named || !ok {
		return nil
	}
	after, _ := discipline.NodeWhere(c.Pass,
		func(n *ast.CallExpr) bool { return n.Lparen == call.Pos() })
	start := loop.Pos()
	if label, ok := discipline.NodeWhere(c.Pass,
		func(n *ast.LabeledStmt) bool { return n.Stmt == loop }); ok {
		start = label.Pos()
	}
	return discipline.Fix("Begin the time limit before the loop",
		discipline.Insert(start, "limit := "+types.ExprString(after)+"\n"),
		analysis.TextEdit{Pos: after.Pos(), End: after.End(), NewText: []byte("limit")})
}

// returnsAfter reports whether s is a select of which the case that receives from the call at
// lparen ends with a return.
func returnsAfter(s ast.Stmt, lparen token.Pos) bool {
	sel, ok := s.(*ast.SelectStmt)
	if !ok {
		return false
	}
	for _, clause := range sel.Body.List {
		cc := clause.(*ast.CommClause)
		if cc.Comm != nil && cc.Comm.Pos() <= lparen && lparen < cc.Comm.End() && len(cc.Body) > 0 {
			_, returns := cc.Body[len(cc.Body)-1].(*ast.ReturnStmt)
			return returns
		}
	}
	return false
}
