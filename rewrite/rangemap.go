package rewrite

import (
	"go/ast"
	"go/token"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// rangeMap rewrites a range over a map into a loop over package hook's iterator. Variables that the
// range declares are declared by the loop's init statement: so they are per iteration or per loop
// as the language version says.
func (lo *loops) rangeMap(s *ast.RangeStmt) {
	function, vars, values := lo.mapVars(s)
	lo.Replace(s.For+token.Pos(len("for")), s.X.Pos(),
		edit.Text(" "+lo.Temp("i")+vars+" := "+lo.Hooked(function)))
	next := ".Next()"
	if what, announced := lo.MapReads[s]; announced {
		next = ".Announced(" + what + ")"
	}
	lo.Edits.Close(lo.Offset(s.X.End()), edit.Text("); "+lo.Temp("i")+next+";"))
	if values != "" {
		text := append([]edit.Piece{edit.Text(" ")}, lo.mapLeft(s)...)
		lo.rangeBody(s, append(text, edit.Text(" = "+values+";"))...)
	}
}

// mapVars returns the function that begins the iteration, the variables that it declares beside the
// iterator, and what is assigned in each iteration.
func (lo *loops) mapVars(s *ast.RangeStmt) (function, vars, values string) {
	k, v := lo.Temp("i")+".K", lo.Temp("i")+".V"
	hasKey, hasValue := s.Key != nil && !unit.IsBlank(s.Key), s.Value != nil &&
		!unit.IsBlank(s.Value)
	function = "Range"
	switch {
	case hasKey && hasValue:
		values = k + ", " + v
	case hasKey:
		values = k
	case hasValue:
		values = v
	}
	if s.Tok != token.DEFINE {
		return function, "", values
	}
	if hasKey {
		function, vars = function+"K", ", "+name(s.Key)
	}
	if hasValue {
		function, vars = function+"V", vars+", "+name(s.Value)
	}
	return function, vars, values
}

// mapLeft is the left side of the assignment in each iteration.
func (lo *loops) mapLeft(s *ast.RangeStmt) []edit.Piece {
	var left []edit.Piece
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e == nil || unit.IsBlank(e) {
			continue
		}
		if len(left) > 0 {
			left = append(left, edit.Text(", "))
		}
		left = append(left, lo.Source(e))
	}
	return append(left, lo.At(s.For))
}
