package exec

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// cutPlaces is how many places of one effect the analysis lists at most.
const cutPlaces = 100

// statementLines says at which lines a running program may be for a position of a program.
type statementLines struct {
	loaded *load.Result
	// by file and line: the first and the last one of the statement, if that has several
	spans     map[string]map[int][2]int
	elsewhere map[facts.Pos][]facts.Pos // cases of a select, by their arrows, and deferred calls
}

// linesOf reads the statements of the program.
func linesOf(r *load.Result) *statementLines {
	l := &statementLines{loaded: r, spans: map[string]map[int][2]int{},
		elsewhere: map[facts.Pos][]facts.Pos{}}
	for _, p := range r.Packages {
		for _, f := range p.Syntax {
			l.file(f)
		}
	}
	return l
}

func (l *statementLines) file(f *ast.File) {
	var in []ast.Node // from the file inwards
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			in = in[:len(in)-1]
			return true
		case *ast.SelectStmt:
			eachCase(n, func(_ int32, arrow token.Pos) { l.move(arrow, n.Pos()) })
		case *ast.DeferStmt:
			l.span(n)
			l.move(n.Pos(), returns(body(in))...)
		case *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.ReturnStmt, *ast.IncDecStmt,
			*ast.DeclStmt, *ast.GoStmt:
			l.span(n)
		}
		in = append(in, n)
		return true
	})
}

// move notes that the operation at pos also happens elsewhere.
func (l *statementLines) move(pos token.Pos, to ...token.Pos) {
	for _, p := range to {
		l.elsewhere[l.at(pos)] = append(l.elsewhere[l.at(pos)], l.at(p))
	}
}

func (l *statementLines) at(pos token.Pos) facts.Pos {
	p := l.loaded.Place(pos)
	return facts.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// span notes a statement, if it has several lines. Those inside of others come later, and count.
func (l *statementLines) span(n ast.Node) {
	file, first, last := l.at(n.Pos()).File, l.at(n.Pos()).Line, l.at(n.End()).Line
	if first == last {
		return
	}
	if l.spans[file] == nil {
		l.spans[file] = map[int][2]int{}
	}
	for n := first; n <= last; n++ {
		l.spans[file][n] = [2]int{first, last}
	}
}

// of returns the lines of the statement at p.
func (l *statementLines) of(p facts.Pos) (out []facts.Pos) {
	span, several := l.spans[p.File][p.Line]
	if !several {
		span = [2]int{p.Line, p.Line}
	}
	for n := span[0]; n <= span[1]; n++ {
		out = append(out, facts.Pos{File: p.File, Line: n, Col: 1})
	}
	for _, q := range l.elsewhere[p] {
		out = append(out, facts.Pos{File: q.File, Line: q.Line, Col: 1})
	}
	return out
}

// places returns the places of a task; all has the accesses to new objects, too.
func (l *statementLines) places(t, all *facts.Task) *facts.Places {
	p := &facts.Places{}
	for _, s := range t.Sends {
		p.Sends = l.extend(p.Sends, s.At)
	}
	for _, a := range t.Accesses {
		p.Any = p.Any || len(a.At) >= cutPlaces
		p.Reads = l.extend(p.Reads, a.At...)
		if a.Mode != facts.Reads {
			p.Writes = l.extend(p.Writes, a.At...)
		}
	}
	for _, a := range all.Accesses {
		p.Any = p.Any || len(a.At) >= cutPlaces
		p.New = l.extend(p.New, a.At...)
	}
	for _, o := range t.Operations {
		p.Any = p.Any || o.Kind == facts.Unknown || len(o.At) >= cutPlaces
		p.Operations = l.extend(p.Operations, o.At...)
	}
	for _, o := range all.Operations {
		p.NewOperations = l.extend(p.NewOperations, o.At...)
	}
	return p
}

// extend adds the lines of statements to a list.
func (l *statementLines) extend(list []facts.Pos, at ...facts.Pos) []facts.Pos {
	for _, p := range at {
		for _, x := range l.of(p) {
			if p.IsValid() && !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	return list
}

// eachCase calls f with the number and the arrow of each case that communicates.
func eachCase(s *ast.SelectStmt, f func(n int32, arrow token.Pos)) {
	n := int32(0)
	for _, clause := range s.Body.List {
		if comm := clause.(*ast.CommClause).Comm; comm != nil {
			f(n, arrow(comm))
			n++
		}
	}
}

// arrow is the position of the arrow of a communication: of a receive, the first, for the operand
// of another comes after it.
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

// returns are the places where a function may return: its return statements, and its end.
func returns(b *ast.BlockStmt) []token.Pos {
	out := []token.Pos{b.Rbrace}
	ast.Inspect(b, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			out = append(out, r.Pos(), r.End())
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return out
}
