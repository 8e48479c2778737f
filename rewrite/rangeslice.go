package rewrite

import (
	"go/ast"
	"go/token"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// rangeSlice rewrites a range over a slice, or over the array that a pointer leads to, whose
// elements several processes may touch: each is read where its iteration begins. As in Go, the
// slice is looked at once.
//
//	for k, v := range x {       for _i := _rehearse.Slice(x, "x at f.go:7"); _i.Next(); { k, v := _i.K, *_i.V(); { ... }}
//	for k, v = range x {        for _i := _rehearse.Slice(x, "x at f.go:7"); _i.Next(); { k, v = _i.K, *_i.V(); ... }
//
// The loop's init statement declares variables that all iterations share.
func (lo *loops) rangeSlice(s *ast.RangeStmt, what string) {
	i := lo.Temp("i")
	hasKey := s.Key != nil && !unit.IsBlank(s.Key)
	values, function, vars := "*"+i+".V()", "Slice", ""
	if hasKey {
		values = i + ".K, " + values
	}
	if s.Tok == token.DEFINE && !lo.PerIteration() {
		function, vars = "SliceV", ", "+name(s.Value)
		if hasKey {
			function, vars = "SliceKV", ", "+name(s.Key)+vars
		}
	}
	open, close := "", ""
	if unit.IsPointer(lo.In.Info.TypeOf(s.X)) {
		open, close = "(", ")[:]"
	}
	lo.Replace(s.For+token.Pos(len("for")), s.X.Pos(),
		edit.Text(" "+i+vars+" := "+lo.Hooked(function)+open))
	lo.Edits.Close(lo.Offset(s.X.End()), edit.Text(close+", "+what+"); "+i+".Next();"))
	text := append([]edit.Piece{edit.Text(" ")}, lo.mapLeft(s)...)
	if s.Tok == token.DEFINE && lo.PerIteration() {
		lo.rangeBody(s, append(text, edit.Text(" := "+values+"; {"))...)
		lo.Edits.Open(lo.Offset(s.Body.Rbrace), edit.Text("}"))
		return
	}
	lo.rangeBody(s, append(text, edit.Text(" = "+values+";"))...)
}
