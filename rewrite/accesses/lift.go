package accesses

import (
	"go/ast"
	"maps"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// lifted is a variable whose operands are evaluated before the statement that assigns to it. So the
// right side may follow a call among the operands, and the announcement can name the variable once
// more.
type lifted struct {
	// the last pointer, slice or map on the way to the variable, and the index there
	operands []ast.Expr
	names    []string     // of the operands
	place    []edit.Piece // the variable, by these names
}

// lift evaluates the operands of the left side before s, in a block, if a call among them keeps the
// write from being announced otherwise. Go, too, evaluates them first, and follows pointers to the
// variable last.
func (as *assignments) lift(s *ast.AssignStmt, left []ast.Expr) {
	if as.In.Live || !as.listed(s) {
		return
	}
	found, names := map[ast.Expr]lifted{}, 0
	for _, e := range left {
		t, is := as.targetFor(e)
		if !is || !as.mayWait([]ast.Expr{e}) {
			continue
		}
		l, ok := as.operandsOf(e, &names)
		if !ok {
			return
		}
		found[e] = l
		if t.expr != e { // the map that e is an element of
			found[t.expr] = lifted{place: []edit.Piece{edit.Text(l.names[0])}}
		}
	}
	first := ast.Unparen(s.Lhs[0])
	name, simple := first.(*ast.Ident)
	if l := found[first]; len(found) == 0 || !simple && l.operands == nil {
		return
	}
	if simple { // the text where the block begins is written anew
		found[first] = lifted{place: []edit.Piece{edit.Text(name.Name)}}
	}
	maps.Copy(as.lifted, found)
	as.edit(s, func() { as.inBlock(s) })
}

// inBlock makes s a block that begins with the operands. The first of them stays where it is if it
// is that of the first variable.
func (as *assignments) inBlock(s *ast.AssignStmt) {
	text, from := "{ ", s.Pos()
	var list []edit.Piece
	declare := func(name string, x ast.Expr) {
		list = append(list, edit.Text(name+" := "), as.Source(x), edit.Text("; "))
	}
	for i, e := range s.Lhs {
		l := as.lifted[ast.Unparen(e)]
		for k, x := range l.operands {
			if i == 0 && k == 0 {
				from = x.End()
				as.Edits.Open(as.Offset(s.Pos()), edit.Text(text+l.names[0]+" := "))
				if s.Pos() < x.Pos() { // the star in front of a pointer
					as.Replace(s.Pos(), x.Pos())
				}
				list = append(list, edit.Text("; "))
				continue
			}
			declare(l.names[k], x)
		}
	}
	if from == s.Pos() {
		list = append([]edit.Piece{edit.Text(text)}, list...)
	}
	for i, e := range s.Lhs {
		if i > 0 {
			list = append(list, edit.Text(", "))
		}
		list = append(list, as.placeOf(e)...)
	}
	right := s.Rhs[0].Pos()
	as.Replace(from, right, append(list, edit.Text(" "+s.Tok.String()+" "), as.At(right))...)
	as.Edits.Close(as.Offset(s.End()), edit.Text(" }"))
}

// placeOf is a variable that a lifted statement assigns to.
func (as *assignments) placeOf(e ast.Expr) []edit.Piece {
	if l, is := as.lifted[ast.Unparen(e)]; is {
		return l.place
	}
	return []edit.Piece{as.Source(e)}
}

// operandsOf finds the operands of e, and gives names to them, which n counts; false if there is no
// simple way.
func (as *assignments) operandsOf(e ast.Expr, n *int) (l lifted, ok bool) {
	name := func(x ast.Expr) edit.Piece {
		l.operands, l.names = append(l.operands, x), append(l.names, as.TempN("l", *n))
		*n++
		return edit.Text(l.names[len(l.names)-1])
	}
	for x := e; ; {
		switch y := x.(type) {
		case *ast.StarExpr:
			l.place = []edit.Piece{edit.Text("(*"), name(y.X), edit.Text(")")}
			return l, true
		case *ast.SelectorExpr:
			if unit.IsPointer(as.In.Info.TypeOf(y.X)) {
				l.place = []edit.Piece{name(y.X), edit.Text("."), as.Between(y.Sel.Pos(), e.End())}
				return l, true
			}
			x = y.X
		case *ast.IndexExpr:
			if unit.IsArray(as.In.Info.TypeOf(y.X)) {
				if as.mayWait([]ast.Expr{y.Index}) {
					return l, false
				}
				x = y.X
				continue
			}
			l.place = []edit.Piece{name(y.X), edit.Text("["), as.Source(y.Index), edit.Text("]"),
				as.Between(y.End(), e.End())}
			if t := as.In.Info.Types[y.Index]; t.Value != nil || t.IsNil() {
				return l, true
			}
			l.place[2] = name(y.Index)
			return l, !as.UntypedValue(ast.Unparen(y.Index)) // a name would give it another type
		default:
			return l, false
		}
	}
}
