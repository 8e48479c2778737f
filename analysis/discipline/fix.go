package discipline

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// nodeWhere returns the first node of type N in the package for which is holds; ok is false if
// there is none.
func nodeWhere[N ast.Node](c *code, is func(N) bool) (out N, ok bool) {
	for _, f := range c.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, match := n.(N); match && !ok && is(x) {
				out, ok = x, true
			}
			return !ok
		})
	}
	return out, ok
}

func fix(message string, edits ...analysis.TextEdit) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}

func insert(pos token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: pos, End: pos, NewText: []byte(text)}
}

// bufferOfOne gives the channel that m makes, without a buffer, room for one message.
func (c *code) bufferOfOne(m *ssa.MakeChan) []analysis.SuggestedFix {
	call, ok := nodeWhere(c, func(n *ast.CallExpr) bool { return n.Lparen == m.Pos() })
	if !ok || len(call.Args) != 1 {
		return nil
	}
	return fix("Give the channel room for the answer", insert(call.Args[0].End(), ", 1"))
}

// sendCopy lets o send a copy of a slice of plain values.
func (c *code) sendCopy(o *op) []analysis.SuggestedFix {
	send, ok := nodeWhere(c, func(n *ast.SendStmt) bool { return n.Arrow == o.pos })
	if !ok {
		return nil
	}
	s, ok := c.pass.TypesInfo.TypeOf(send.Value).(*types.Slice)
	if !ok {
		return nil
	}
	if _, plain := s.Elem().(*types.Basic); !plain {
		return nil
	}
	return fix("Send a copy", insert(send.Value.Pos(), "append("+s.String()+"(nil), "), insert(send.Value.End(), "...)"))
}

// afterOnce lets the time limit of a call of time.After begin once, before the endless loop of
// which the body is the select with it, if the case for it returns.
func (c *code) afterOnce(call *ssa.Call) []analysis.SuggestedFix {
	loop, ok := nodeWhere(c, func(n *ast.ForStmt) bool {
		return n.Init == nil && n.Cond == nil && n.Post == nil && len(n.Body.List) == 1 && returnsAfter(n.Body.List[0], call.Pos())
	})
	if _, named := nodeWhere(c, func(n *ast.Ident) bool { return n.Name == "limit" }); named || !ok {
		return nil
	}
	after, _ := nodeWhere(c, func(n *ast.CallExpr) bool { return n.Lparen == call.Pos() })
	start := loop.Pos()
	if label, ok := nodeWhere(c, func(n *ast.LabeledStmt) bool { return n.Stmt == loop }); ok {
		start = label.Pos()
	}
	return fix("Begin the time limit before the loop", insert(start, "limit := "+types.ExprString(after)+"\n"),
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
