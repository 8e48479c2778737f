package exec

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// places says how an execution names the places of a program: by lines, without columns. A case of
// a select is the line where the select begins, and a number; a deferred call is the lines where
// its function returns.
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
			eachCase(n, func(i int32, arrow token.Pos) {
				p.special[factsAt(l, arrow)] = []string{happened(trace.Select, i,
					lineAt(l, n.Pos()))}
			})
		case *ast.DeferStmt:
			for _, at := range returns(body(in)) {
				p.special[factsAt(l, n.Pos())] = append(p.special[factsAt(l, n.Pos())],
					lineAt(l, at))
			}
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

// happened is the name of the place where a process did something that it had declared as a kind of
// operation.
func happened(declared trace.Kind, taken int32, at string) string {
	if declared == trace.Select && taken >= 0 {
		return fmt.Sprintf("%s case %d", at, taken)
	}
	return at
}
