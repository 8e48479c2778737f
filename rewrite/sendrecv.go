package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// channels rewrites sends, receives, and calls of make, close and len.
type channels struct {
	*pass
	served map[ast.Node]bool // receives, and selects, of services
	drops  map[ast.Expr]bool // receives whose value nobody uses
	// receives of v, ok = <-ch: the type of the variable for ok, nil if none
	okTypes map[ast.Expr]types.Type
}

// send rewrites ch <- v into Send(ch).V(v). The hook infers the element type from the channel
// alone, so v converts to it as it did: interface elements, untyped constants and nil need no help.
func (ch *channels) send(s *ast.SendStmt) {
	ch.Open(s.Chan, ch.Hooked("Send"))
	ch.Edits.Replace(ch.blanksBefore(s.Arrow), ch.blanksAfter(s.Arrow+2), edit.Text(").V("))
	ch.Close(s.Value, ")")
}

// blanksBefore returns the offset at which the blanks that end at pos begin.
func (ch *channels) blanksBefore(pos token.Pos) int {
	at := ch.Offset(pos)
	for at > 0 && blank(ch.Src[at-1]) {
		at--
	}
	return at
}

// blanksAfter returns the offset at which the blanks that begin at pos end.
func (ch *channels) blanksAfter(pos token.Pos) int {
	at := ch.Offset(pos)
	for at < len(ch.Src) && blank(ch.Src[at]) {
		at++
	}
	return at
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// recv rewrites <-ch into Recv(ch), or, where the second value is asked for, into Recv2(ch).
func (ch *channels) recv(e *ast.UnaryExpr) {
	if e.Op != token.ARROW {
		return
	}
	function := "Recv"
	if okType, two := ch.okTypes[e]; two {
		function = ch.recv2(e, okType)
	}
	end := ")"
	if ch.drops[e] {
		end = ch.dropped()
	}
	if ch.served[e] {
		function = strings.Replace(function, "Recv", "Served", 1)
		end = ", " + ch.Temp("l") + ", " + ch.What(e.X) + end
	}
	ch.Edits.Replace(ch.Offset(e.OpPos), ch.blanksAfter(e.OpPos+2), edit.Text(ch.Hooked(function)))
	ch.Close(e, end)
}

// dropped ends the call of a receive whose value nobody uses.
func (ch *channels) dropped() string {
	return ", " + strings.TrimSuffix(ch.Hooked("Drops"), "(") + ")"
}

// statement notes the receive of the statement <-ch, or _ = <-ch.
func (ch *channels) statement(e ast.Expr) {
	if r := unit.Receive(e); r != nil {
		ch.drops[r] = true
	}
}

// recv2 returns the function for a receive whose second value is assigned to a variable of type
// okType. The untyped boolean of <-ch converts to any boolean type, the result of Recv2 does not.
func (ch *channels) recv2(e *ast.UnaryExpr, okType types.Type) string {
	if !namedBool(okType) {
		return "Recv2"
	}
	text, ok := ch.TypeText(okType, e.Pos())
	if !ok {
		ch.Fail(e.Pos(), "the type of the second variable of this receive cannot be named here: "+
			okType.String())
		return "Recv2"
	}
	return "Recv2As[" + text + "]"
}

// namedBool reports whether t is a boolean type other than bool, or a type parameter that stands
// for one.
func namedBool(t types.Type) bool {
	if t == nil {
		return false
	}
	_, basic := types.Unalias(t).(*types.Basic)
	return !basic && (unit.IsTypeParam(t) || !types.IsInterface(t))
}

// assign notes the receive of v, ok = <-ch and v, ok := <-ch.
func (ch *channels) assign(s *ast.AssignStmt) {
	if len(s.Lhs) == 2 && len(s.Rhs) == 1 {
		ch.noteRecv2(s.Rhs[0], s.Lhs[1])
	}
	if len(s.Rhs) == 1 && unit.IsBlank(s.Lhs[0]) {
		ch.statement(s.Rhs[0])
	}
}

// valueSpec notes the receive of var v, ok = <-ch.
func (ch *channels) valueSpec(s *ast.ValueSpec) {
	if len(s.Names) == 2 && len(s.Values) == 1 {
		ch.noteRecv2(s.Values[0], s.Names[1])
	}
}

// noteRecv2 notes that the second value of e, if e is a receive, goes to ok.
func (ch *channels) noteRecv2(e, ok ast.Expr) {
	if r := unit.Receive(e); r != nil {
		ch.okTypes[r] = ch.typeOfTarget(ok)
	}
}

// typeOfTarget returns the type of what is assigned to, nil for the blank identifier.
func (ch *channels) typeOfTarget(e ast.Expr) types.Type {
	if unit.IsBlank(e) {
		return nil
	}
	return ch.In.Info.TypeOf(e)
}
