package exec

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// places says how an execution names the places of a program: by lines, without columns; the cases of a select by the line
// where that begins and a number; a deferred call by the lines where its function returns.
type places struct {
	special map[facts.Pos][]string
}

func findPlaces(l *load.Result) *places {
	p := &places{special: map[facts.Pos][]string{}}
	for _, pkg := range l.Packages {
		for _, f := range pkg.Syntax {
			p.file(l, f)
		}
	}
	return p
}

func (p *places) file(l *load.Result, f *ast.File) {
	var in []ast.Node // from the file inwards
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			in = in[:len(in)-1]
			return true
		case *ast.SelectStmt:
			p.cases(l, n)
		case *ast.DeferStmt:
			p.special[factsAt(l, n.Pos())] = returns(l, body(in))
		}
		in = append(in, n)
		return true
	})
}

func factsAt(l *load.Result, pos token.Pos) facts.Pos {
	p := l.Place(pos)
	return facts.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

func lineAt(l *load.Result, pos token.Pos) string {
	p := l.Fset.Position(pos)
	return line(p.Filename, p.Line)
}

// cases names the cases of a select, by the positions of their arrows.
func (p *places) cases(l *load.Result, s *ast.SelectStmt) {
	n := int32(0)
	for _, clause := range s.Body.List {
		comm := clause.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		p.special[factsAt(l, arrow(comm))] = []string{happened(trace.Select, n, lineAt(l, s.Pos()))}
		n++
	}
}

// arrow is the position of the arrow of a communication: of a receive, the first, for the operand of another comes after it.
func arrow(comm ast.Stmt) token.Pos {
	if s, ok := comm.(*ast.SendStmt); ok {
		return s.Arrow
	}
	var x ast.Expr
	switch s := comm.(type) {
	case *ast.AssignStmt:
		x = s.Rhs[0]
	case *ast.ExprStmt:
		x = s.X
	}
	return ast.Unparen(x).(*ast.UnaryExpr).OpPos
}

// body is that of the innermost function.
func body(in []ast.Node) *ast.BlockStmt {
	for i := len(in) - 1; ; i-- {
		switch f := in[i].(type) {
		case *ast.FuncDecl:
			return f.Body
		case *ast.FuncLit:
			return f.Body
		}
	}
}

// returns are the lines where a function may return: those of its return statements, and its end.
func returns(l *load.Result, b *ast.BlockStmt) []string {
	out := []string{lineAt(l, b.Rbrace)}
	ast.Inspect(b, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			out = append(out, lineAt(l, r.Pos()), lineAt(l, r.End()))
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return out
}

// happened is the name of the place where a process did something that it had declared as a kind of operation.
func happened(declared trace.Kind, taken int32, at string) string {
	if declared == trace.Select && taken >= 0 {
		return fmt.Sprintf("%s case %d", at, taken)
	}
	return at
}
