package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// rangeStmt rewrites a range over a channel into a loop of receives. A range over a function would
// be shorter, but older language versions lack it, and it would move the body into a function of
// its own.
func (f *file) rangeStmt(s *ast.RangeStmt) {
	typ := f.In.Info.TypeOf(s.X)
	if f.In.Maps && unit.IsMap(typ) && !f.IsCgo() {
		f.rangeMap(s)
	}
	if what, announced := f.SliceReads[s]; announced {
		f.rangeSlice(s, what)
	}
	if !unit.IsChan(typ) {
		return
	}
	switch {
	case s.Key == nil || unit.IsBlank(s.Key):
		f.rangeWithoutKey(s)
	case s.Tok == token.ASSIGN:
		f.rangeAssign(s)
	case f.PerIteration():
		f.rangePerIteration(s)
	default:
		f.rangePerLoop(s)
	}
}

// rangeWithoutKey rewrites for range ch.
func (f *file) rangeWithoutKey(s *ast.RangeStmt) {
	f.rangeHeader(s, "")
	f.rangeBody(s, edit.Text(fmt.Sprintf(f.lap(s)+" if _, %s := %s; !%[1]s { break };",
		f.Temp("ok"),
		f.next(s))))
}

// rangeAssign rewrites for x = range ch. The operands of x are evaluated when there is a value, and
// each time.
func (f *file) rangeAssign(s *ast.RangeStmt) {
	f.rangeHeader(s, "")
	f.rangeBody(s,
		edit.Text(" "+f.receiveOrBreak(s, f.Temp("v"))+" "), f.Source(s.Key), f.At(s.For),
		edit.Text(" = "+f.Temp("v")+";"))
}

// rangePerIteration rewrites for x := range ch where each iteration has its own x. The body gets a
// block of its own, in which it may declare another x.
func (f *file) rangePerIteration(s *ast.RangeStmt) {
	f.rangeHeader(s, "")
	f.rangeBody(s, edit.Text(" "), f.Source(s.Key), f.At(s.For),
		edit.Text(f.receiveOrBreak(s, "")+" {"))
	f.Edits.Open(f.Offset(s.Body.Rbrace), edit.Text("}"))
}

// rangePerLoop rewrites for x := range ch where all iterations share x. The end of the channel
// leaves x as it was.
func (f *file) rangePerLoop(s *ast.RangeStmt) {
	f.rangeHeader(s, name(s.Key))
	f.rangeBody(s, edit.Text(fmt.Sprintf(" %s %s = %s;", f.receiveOrBreak(s, f.Temp("v")),
		name(s.Key),
		f.Temp("v"))))
}

// rangeHeader makes the header one that evaluates the channel once, and declares key if it is not
// empty.
func (f *file) rangeHeader(s *ast.RangeStmt, key string) {
	vars, zero := f.Temp("c"), []edit.Piece(nil)
	if key != "" {
		vars += ", " + key
		zero = f.zeroElem(s)
	}
	if f.isService(s) || f.hasLaps(s) {
		vars += ", " + f.Temp("l")
		zero = append(zero, edit.Text(", "+f.Hooked("Loop")+")"))
	}
	f.Replace(s.For+token.Pos(len("for")), s.X.Pos(), edit.Text(" "+vars+" := "))
	f.Edits.Close(f.Offset(s.X.End()),
		append(zero, edit.Text("; "+strings.Join(f.heads[s], " && ")+";"))...)
}

// rangeBody puts text at the start of the body.
func (f *file) rangeBody(s *ast.RangeStmt, text ...edit.Piece) {
	f.Replace(s.Body.Lbrace, s.Body.Lbrace+1, append([]edit.Piece{edit.Text("{")}, text...)...)
}

// receiveOrBreak is a statement that declares v with the next value, or leaves the loop.
func (f *file) receiveOrBreak(s *ast.RangeStmt, v string) string {
	return fmt.Sprintf("%s, %s := %s; if !%[2]s { break };", v, f.Temp("ok"), f.next(s))
}

// next is the receive of the next value.
func (f *file) next(s *ast.RangeStmt) string {
	if f.isService(s) {
		return f.Hooked("Served2") + f.Temp("c") + ", " + f.Temp("l") + ", " + f.What(s.X) + ")"
	}
	return f.Hooked("Recv2") + f.Temp("c") + ")"
}

// zeroElem is a comma and the zero value of the channel's element type. Where the type cannot be
// named, the hook makes one out of the channel, if evaluating that twice is the same as evaluating
// it once.
func (f *file) zeroElem(s *ast.RangeStmt) []edit.Piece {
	text, ok := f.TypeText(unit.Elem(f.In.Info.TypeOf(s.X)), s.X.Pos())
	switch {
	case ok && f.Universe("new", s.X.Pos()):
		return []edit.Piece{edit.Text(", *new(" + text + ")")}
	case ok:
		return []edit.Piece{edit.Text(", func() (_ " + text + ") { return }()")}
	case !constant(s.X):
		f.Fail(s.X.Pos(),
			"the type of the loop variable cannot be named here; assign the channel to a variable first")
	}
	return []edit.Piece{edit.Text(", " + f.Hooked("R") + types.ExprString(s.X) + ").V")}
}

// constant reports whether e is a variable, or a field of one: evaluating it twice does nothing
// that evaluating it once does not.
func constant(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return constant(e.X)
	}
	return false
}

// name returns the identifier that a range clause declares.
func name(key ast.Expr) string { return key.(*ast.Ident).Name }
