package exec

import (
	"go/ast"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/analysis/independence"
)

// cutPlaces is how many places of one effect the analysis lists at most.
const cutPlaces = 100

// addPlaces adds to the tasks of p where they may do what their effects say, as a running program names places: a statement of
// several lines may be at any of them.
func (b *builder) addPlaces(p *facts.Program) {
	all := independence.With(b.loaded, independence.Options{KeepNew: true})
	lines := b.statementLines()
	for i := range p.Behaviours {
		for k := range p.Behaviours[i].Tasks {
			p.Behaviours[i].Tasks[k].Places = lines.places(&p.Behaviours[i].Tasks[k], &all.Behaviours[i].Tasks[k])
		}
	}
}

// statementLines has, for each line of a file on which a statement of several lines stands, all of its lines.
type statementLines map[string]map[int][2]int

// statementLines reads the statements of the program.
func (b *builder) statementLines() statementLines {
	out := statementLines{}
	for _, p := range b.loaded.Packages {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.ReturnStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.GoStmt, *ast.DeferStmt:
					out.add(b.loaded.Place(n.Pos()).Filename, b.loaded.Place(n.Pos()).Line, b.loaded.Place(n.End()).Line)
				}
				return true
			})
		}
	}
	return out
}

// add notes a statement. Those inside of others come later, and count.
func (l statementLines) add(file string, first, last int) {
	if first == last {
		return
	}
	if l[file] == nil {
		l[file] = map[int][2]int{}
	}
	for n := first; n <= last; n++ {
		l[file][n] = [2]int{first, last}
	}
}

// of returns the lines of the statement at p.
func (l statementLines) of(p facts.Pos) []facts.Pos {
	span, several := l[p.File][p.Line]
	if !several {
		return []facts.Pos{{File: p.File, Line: p.Line, Col: 1}}
	}
	var out []facts.Pos
	for n := span[0]; n <= span[1]; n++ {
		out = append(out, facts.Pos{File: p.File, Line: n, Col: 1})
	}
	return out
}

// places returns the places of a task; all has the accesses to new objects, too.
func (l statementLines) places(t, all *facts.Task) *facts.Places {
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
	p.Any = p.Any || slices.ContainsFunc(t.Operations, func(o facts.Operation) bool { return o.Kind == facts.Unknown })
	return p
}

// extend adds the lines of statements to a list.
func (l statementLines) extend(list []facts.Pos, at ...facts.Pos) []facts.Pos {
	for _, p := range at {
		for _, x := range l.of(p) {
			if p.IsValid() && !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	return list
}
