package shared

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A service is a loop that receives from a channel: for v := range c, or for { v := <-c; ... }. In
// an exploration, the iterations of one may come in another order (see package
// runtime/model/sections), as if each were a process. So the body of a service counts as a function
// that is started again and again: what it touches of what there is around it is shared.

// Service returns the body of s, and the receive with which each iteration begins if that is not
// the range clause, if s is a service.
func Service(info *types.Info, s ast.Stmt) (body *ast.BlockStmt, receive *ast.UnaryExpr) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		if t := info.TypeOf(s.X); t != nil && isChan(t) && s.Tok != token.ASSIGN {
			body = s.Body
		}
	case *ast.ForStmt:
		if s.Init == nil && s.Cond == nil && s.Post == nil {
			body, receive = s.Body, onlyReceive(info, s.Body)
		}
		if receive == nil {
			return nil, nil
		}
	}
	if body == nil || defers(body) {
		return nil, nil
	}
	return body, receive
}

func isChan(t types.Type) bool {
	_, is := t.Underlying().(*types.Chan)
	return is
}

// onlyReceive returns the receive of the only statement of a block that does nothing but to
// receive, and to assign what it has received; nil if there is none, or several.
func onlyReceive(info *types.Info, b *ast.BlockStmt) (only *ast.UnaryExpr) {
	for _, s := range b.List {
		e := receiveIn(info, s)
		if e == nil {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}

// receiveIn returns the receive that s does.
func receiveIn(info *types.Info, s ast.Stmt) *ast.UnaryExpr {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if _, is := l.(*ast.Ident); !is {
				return nil
			}
		}
		if len(s.Lhs) == 2 && !isBool(info, s.Lhs[1].(*ast.Ident)) {
			return nil
		}
		if len(s.Rhs) == 1 {
			x = s.Rhs[0]
		}
	}
	e, is := ast.Unparen(x).(*ast.UnaryExpr)
	if !is || e.Op != token.ARROW || !simple(e.X) {
		return nil
	}
	return e
}

// isBool reports whether a variable, which may be blank, is of type bool itself.
func isBool(info *types.Info, id *ast.Ident) bool {
	t := info.TypeOf(id)
	return id.Name == "_" || t != nil && types.Identical(t, types.Typ[types.Bool])
}

// simple reports whether e names a variable, or a field of one.
func simple(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return simple(e.X)
	}
	return false
}

// defers reports whether a block has defer statements: what they defer is kept for after the loop.
func defers(b *ast.BlockStmt) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// isService reports whether b, the present node, is the body of a service.
func (r *reader) isService(b *ast.BlockStmt) bool {
	s, is := r.parent().(ast.Stmt)
	if !is || r.inOrder {
		return false
	}
	body, _ := Service(r.info, s)
	return body == b
}
