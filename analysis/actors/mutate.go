package actors

import (
	"go/ast"
	"go/token"
	"go/types"
)

// writesTo reports whether t writes to its message or a part of it.
func (p *tasks) writesTo(t task) bool {
	found := false
	for _, s := range t.body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					found = found || t.isPart(e)
				}
			case *ast.IncDecStmt:
				found = found || t.isPart(n.X)
			case *ast.UnaryExpr:
				found = found || n.Op == token.AND && t.isPart(n.X)
			case *ast.CallExpr:
				found = found || p.callWrites(t, n)
			}
			return !found
		})
	}
	return found
}

// callWrites reports whether a builtin or a method writes to a part of the message. Locks are no
// state.
func (p *tasks) callWrites(t task, n *ast.CallExpr) bool {
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		return (f.Name == "delete" || f.Name == "clear" || f.Name == "copy") && len(n.Args) > 0 &&
			t.isMessage(n.Args[0])
	case *ast.SelectorExpr:
		sel := t.info.Selections[f]
		return sel != nil && sel.Kind() == types.MethodVal && t.isMessage(f.X) &&
			isState(t.info.TypeOf(f.X)) &&
			p.mutates(sel.Obj().(*types.Func))
	}
	return false
}

// isPart reports whether e is an element or a field of the message, not the variable itself.
func (t task) isPart(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return t.isMessage(x.X) || t.isPart(x.X)
	case *ast.SelectorExpr, *ast.StarExpr:
		return t.isMessage(e) || t.isPart(inner(x))
	}
	return false
}

// inner returns the operand of a selector or a star.
func inner(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	}
	return e
}

// mutates reports whether the method writes to what its receiver points to or holds, itself or by
// way of methods of it or of its parts. A method without syntax does if its receiver is a pointer.
func (p *tasks) mutates(m *types.Func) bool {
	m = m.Origin()
	if known, ok := p.writers[m.Pos()]; ok {
		return known
	}
	p.writers[m.Pos()] = false // of a recursive call
	f, ok := p.syntax[m.Pos()]
	decl, _ := f.node.(*ast.FuncDecl)
	if !ok || decl == nil || f.body == nil {
		_, ptr := m.Signature().Recv().Type().(*types.Pointer)
		p.writers[m.Pos()] = ptr
		return ptr
	}
	recv := names(f.info, decl.Recv)
	found := len(recv) > 0 && recv[0] != nil &&
		p.writesTo(task{info: f.info, body: f.body.List, msg: recv})
	p.writers[m.Pos()] = found
	return found
}
