package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Spawn is a go statement of a loop, or a call there that starts a goroutine.
type Spawn struct {
	Pos token.Position
	Why string // why the goroutines that it starts are no twins; empty: they are
}

// not says why the loop starts no twins. The first reason counts.
func (l *twinLoop) not(format string, args ...any) bool {
	if l.why == "" {
		l.why = fmt.Sprintf(format, args...)
	}
	return false
}

// noteSpawns takes down the goroutines that l starts, without those of loops and functions in it.
func (g *goroutines) noteSpawns(l *twinLoop) {
	if l.block == nil {
		return
	}
	ast.Inspect(l.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.GoStmt:
			g.spawns = append(g.spawns, Spawn{g.In.Fset.Position(n.Pos()), l.why})
		case *ast.CallExpr:
			if g.starts(n) {
				g.spawns = append(g.spawns, Spawn{g.In.Fset.Position(n.Pos()), l.why})
			}
		}
		return true
	})
}

// unsteady says why e may be something else at each turn.
func (l *twinLoop) unsteady(e ast.Expr) string {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.FuncLit); ok {
		return fmt.Sprintf("each has a variable %s of its own", l.own(lit).Name())
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return fmt.Sprintf("%s is evaluated at each turn", types.ExprString(e))
	}
	switch v, ok := l.In.Info.Uses[id].(*types.Var); {
	case ok && !l.outside(v):
		return fmt.Sprintf("%s is another one at each turn", id.Name)
	case ok && isPackageLevel(v):
		return fmt.Sprintf("%s is a package-level variable, and others may change it", id.Name)
	}
	return fmt.Sprintf("%s changes, or its address is taken", id.Name)
}

// own returns the first variable of the loop that function literal e uses, and does not make; nil
// if there is none.
func (l *twinLoop) own(e *ast.FuncLit) (own *types.Var) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && own == nil {
			v, isVar := l.In.Info.Uses[id].(*types.Var)
			if isVar && !v.IsField() && !l.outside(v) && (v.Pos() < e.Pos() || v.Pos() >= e.End()) {
				own = v
			}
		}
		return own == nil
	})
	return own
}
