package accesses

import (
	"go/ast"
	"go/token"
	"slices"
)

// path is where the search is.
type path struct {
	nodes []ast.Node // from the declaration down to the parent of the present node
}

func (p *path) parent() ast.Node {
	if len(p.nodes) == 0 {
		return nil
	}
	return p.nodes[len(p.nodes)-1]
}

// listed reports whether s, the present node, is one of a list of statements.
func (p *path) listed(s ast.Stmt) bool {
	switch above := p.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return above.Comm != s
	}
	return false
}

// statement returns the statement of a list that the present node is in, nil if there is none in
// the function.
func (p *path) statement() ast.Stmt {
	for i, n := range slices.Backward(p.nodes) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return nil
		}
		if s, is := n.(ast.Stmt); is && i > 0 && inList(s, p.nodes[i-1]) {
			return s
		}
	}
	return nil
}

// functionBody is that of the function that the present node is in.
func (p *path) functionBody() ast.Node {
	for _, n := range slices.Backward(p.nodes) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return &ast.BlockStmt{}
}

// functionType returns the type of the function that the present node is in.
func (p *path) functionType() *ast.FuncType {
	for i := len(p.nodes) - 1; i >= 0; i-- {
		switch n := p.nodes[i].(type) {
		case *ast.FuncDecl:
			return n.Type
		case *ast.FuncLit:
			return n.Type
		}
	}
	return &ast.FuncType{}
}

// jumps reports whether the function that the present node is in has a goto statement, which must
// not jump over the declaration of a variable.
func (p *path) jumps() bool {
	found := false
	ast.Inspect(p.functionBody(), func(n ast.Node) bool {
		b, is := n.(*ast.BranchStmt)
		found = found || is && b.Tok == token.GOTO
		return !found
	})
	return found
}

// isDeferred reports whether a function literal is that of a defer statement in the function that
// the present node is in.
func (p *path) isDeferred(lit *ast.FuncLit) bool {
	found := false
	ast.Inspect(p.functionBody(), func(n ast.Node) bool {
		d, is := n.(*ast.DeferStmt)
		found = found || is && ast.Unparen(d.Call.Fun) == lit
		return !found
	})
	return found
}

// deferOf returns the defer statement that calls c, nil if none does, and whether that is one of a
// list of statements.
func (p *path) deferOf(c *ast.CallExpr) (d *ast.DeferStmt, listed bool) {
	for i := len(p.nodes) - 1; i > 0 && i > len(p.nodes)-3; i-- {
		if d, is := p.nodes[i].(*ast.DeferStmt); is && d.Call == c {
			return d, inList(d, p.nodes[i-1])
		}
	}
	return nil, false
}

// isStarted reports whether c is the call of a go or defer statement.
func (p *path) isStarted(c *ast.CallExpr) bool {
	for i := len(p.nodes) - 1; i >= 0 && i > len(p.nodes)-3; i-- {
		switch s := p.nodes[i].(type) {
		case *ast.DeferStmt:
			return s.Call == c
		case *ast.GoStmt:
			return s.Call == c
		}
	}
	return false
}

// continues lists the statements that end an iteration of s, as far as they stand in lists of
// statements.
func (p *path) continues(s ast.Stmt) (list []*ast.BranchStmt) {
	label := ""
	if l, is := p.parent().(*ast.LabeledStmt); is {
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

// inList reports whether s is one of the list of statements that its parent has.
func inList(s ast.Stmt, parent ast.Node) bool {
	switch p := parent.(type) {
	case *ast.BlockStmt:
		return !isClause(s)
	case *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != s
	}
	return false
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}
