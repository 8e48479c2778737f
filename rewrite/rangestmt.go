package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// loops rewrites range statements, and for statements that go round for ever.
type loops struct{ *channels }

// rangeStmt rewrites a range over a channel into a loop of receives. A range over a function would
// be shorter, but older language versions lack it, and it would move the body into a function of
// its own.
func (lo *loops) rangeStmt(s *ast.RangeStmt) {
	typ := lo.In.Info.TypeOf(s.X)
	if lo.In.Maps && unit.IsMap(typ) && !lo.IsCgo() {
		lo.rangeMap(s)
	}
	if what, announced := lo.SliceReads[s]; announced {
		lo.rangeSlice(s, what)
	}
	if !unit.IsChan(typ) {
		if lo.isService(s) {
			lo.countedRange(s)
		}
		return
	}
	switch {
	case s.Key == nil || unit.IsBlank(s.Key):
		lo.rangeWithoutKey(s)
	case s.Tok == token.ASSIGN:
		lo.rangeAssign(s)
	case lo.PerIteration():
		lo.rangePerIteration(s)
	default:
		lo.rangePerLoop(s)
	}
}

// rangeWithoutKey rewrites for range ch.
func (lo *loops) rangeWithoutKey(s *ast.RangeStmt) {
	lo.rangeHeader(s, "")
	lo.rangeBody(s, edit.Text(fmt.Sprintf(lo.lap(s)+" if _, %s := %s; !%[1]s { break };",
		lo.Temp("ok"),
		lo.next(s))))
}

// rangeAssign rewrites for x = range ch. The operands of x are evaluated when there is a value, and
// each time.
func (lo *loops) rangeAssign(s *ast.RangeStmt) {
	lo.rangeHeader(s, "")
	lo.rangeBody(s,
		edit.Text(" "+lo.receiveOrBreak(s, lo.Temp("v"))+" "), lo.Source(s.Key), lo.At(s.For),
		edit.Text(" = "+lo.Temp("v")+";"))
}

// rangePerIteration rewrites for x := range ch where each iteration has its own x. The body gets a
// block of its own, in which it may declare another x.
func (lo *loops) rangePerIteration(s *ast.RangeStmt) {
	lo.rangeHeader(s, "")
	lo.rangeBody(s, edit.Text(" "), lo.Source(s.Key), lo.At(s.For),
		edit.Text(lo.receiveOrBreak(s, "")+" {"))
	lo.Edits.Open(lo.Offset(s.Body.Rbrace), edit.Text("}"))
}

// rangePerLoop rewrites for x := range ch where all iterations share x. The end of the channel
// leaves x as it was.
func (lo *loops) rangePerLoop(s *ast.RangeStmt) {
	lo.rangeHeader(s, name(s.Key))
	lo.rangeBody(s, edit.Text(fmt.Sprintf(" %s %s = %s;", lo.receiveOrBreak(s, lo.Temp("v")),
		name(s.Key),
		lo.Temp("v"))))
}

// rangeHeader makes the header one that evaluates the channel once, and declares key if it is not
// empty.
func (lo *loops) rangeHeader(s *ast.RangeStmt, key string) {
	vars, zero := lo.Temp("c"), []edit.Piece(nil)
	if key != "" {
		vars += ", " + key
		zero = lo.zeroElem(s)
	}
	if lo.isService(s) || lo.hasLaps(s) {
		vars += ", " + lo.Temp("l")
		zero = append(zero, edit.Text(", "+lo.Hooked("Loop")+")"))
	}
	lo.Replace(s.For+token.Pos(len("for")), s.X.Pos(), edit.Text(" "+vars+" := "))
	lo.Edits.Close(lo.Offset(s.X.End()),
		append(zero, edit.Text("; "+strings.Join(lo.heads[s], " && ")+";"))...)
}

// rangeBody puts text at the start of the body.
func (lo *loops) rangeBody(s *ast.RangeStmt, text ...edit.Piece) {
	lo.Replace(s.Body.Lbrace, s.Body.Lbrace+1, append([]edit.Piece{edit.Text("{")}, text...)...)
}

// receiveOrBreak is a statement that declares v with the next value, or leaves the loop.
func (lo *loops) receiveOrBreak(s *ast.RangeStmt, v string) string {
	return fmt.Sprintf("%s, %s := %s; if !%[2]s { break };", v, lo.Temp("ok"), lo.next(s))
}

// next is the receive of the next value.
func (lo *loops) next(s *ast.RangeStmt) string {
	end := ")"
	if s.Key == nil || unit.IsBlank(s.Key) {
		end = lo.dropped()
	}
	if lo.isService(s) {
		return lo.Hooked("Served2") + lo.Temp("c") + ", " + lo.Temp("l") + ", " + lo.What(s.X) + end
	}
	return lo.Hooked("Next") + lo.Temp("c") + end
}

// zeroElem is a comma and the zero value of the channel's element type. If the type cannot be
// named, the hook makes the value from the channel; that needs a channel expression that can be
// evaluated twice.
func (lo *loops) zeroElem(s *ast.RangeStmt) []edit.Piece {
	text, ok := lo.TypeText(unit.Elem(lo.In.Info.TypeOf(s.X)), s.X.Pos())
	switch {
	case ok && lo.Universe("new", s.X.Pos()):
		return []edit.Piece{edit.Text(", *new(" + text + ")")}
	case ok:
		return []edit.Piece{edit.Text(", func() (_ " + text + ") { return }()")}
	case !shared.IsVariable(s.X): // it is evaluated twice
		lo.Fail(s.X.Pos(),
			"the type of the loop variable cannot be named here; assign the channel to a variable first")
	}
	return []edit.Piece{edit.Text(", " + lo.Hooked("R") + types.ExprString(s.X) + ").V")}
}

// name returns the identifier that a range clause declares.
func name(key ast.Expr) string { return key.(*ast.Ident).Name }
