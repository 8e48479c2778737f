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
func (f *file) rangeSlice(s *ast.RangeStmt, what string) {
	i := f.Temp("i")
	hasKey := s.Key != nil && !unit.IsBlank(s.Key)
	values, function, vars := "*"+i+".V()", "Slice", ""
	if hasKey {
		values = i + ".K, " + values
	}
	if s.Tok == token.DEFINE && !f.PerIteration() {
		function, vars = "SliceV", ", "+name(s.Value)
		if hasKey {
			function, vars = "SliceKV", ", "+name(s.Key)+vars
		}
	}
	open, close := "", ""
	if unit.IsPointer(f.In.Info.TypeOf(s.X)) {
		open, close = "(", ")[:]"
	}
	f.Replace(s.For+token.Pos(len("for")), s.X.Pos(),
		edit.Text(" "+i+vars+" := "+f.Hooked(function)+open))
	f.Edits.Close(f.Offset(s.X.End()), edit.Text(close+", "+what+"); "+i+".Next();"))
	text := append([]edit.Piece{edit.Text(" ")}, f.mapLeft(s)...)
	if s.Tok == token.DEFINE && f.PerIteration() {
		f.rangeBody(s, append(text, edit.Text(" := "+values+"; {"))...)
		f.Edits.Open(f.Offset(s.Body.Rbrace), edit.Text("}"))
		return
	}
	f.rangeBody(s, append(text, edit.Text(" = "+values+";"))...)
}
