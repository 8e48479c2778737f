package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// send rewrites ch <- v into Send(ch).V(v). The hook infers the element type from the channel
// alone, so v converts to it as it did: interface elements, untyped constants and nil need no help.
func (f *file) send(s *ast.SendStmt) {
	f.Open(s.Chan, f.Hooked("Send"))
	f.Edits.Replace(f.blanksBefore(s.Arrow), f.blanksAfter(s.Arrow+2), edit.Text(").V("))
	f.Close(s.Value, ")")
}

// blanksBefore returns the offset at which the blanks that end at pos begin.
func (f *file) blanksBefore(pos token.Pos) int {
	at := f.Offset(pos)
	for at > 0 && blank(f.Src[at-1]) {
		at--
	}
	return at
}

// blanksAfter returns the offset at which the blanks that begin at pos end.
func (f *file) blanksAfter(pos token.Pos) int {
	at := f.Offset(pos)
	for at < len(f.Src) && blank(f.Src[at]) {
		at++
	}
	return at
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// recv rewrites <-ch into Recv(ch), or, where the second value is asked for, into Recv2(ch).
func (f *file) recv(e *ast.UnaryExpr) {
	if e.Op != token.ARROW {
		return
	}
	function := "Recv"
	if okType, two := f.okTypes[e]; two {
		function = f.recv2(e, okType)
	}
	end := ")"
	if f.served[e] {
		function = strings.Replace(function, "Recv", "Served", 1)
		end = ", " + f.Temp("l") + ", " + f.What(e.X) + ")"
	}
	f.Edits.Replace(f.Offset(e.OpPos), f.blanksAfter(e.OpPos+2), edit.Text(f.Hooked(function)))
	f.Close(e, end)
}

// recv2 returns the function for a receive whose second value is assigned to something of type
// okType: the operator's untyped boolean converts to any boolean type, the result of Recv2 does
// not.
func (f *file) recv2(e *ast.UnaryExpr, okType types.Type) string {
	if !namedBool(okType) {
		return "Recv2"
	}
	text, ok := f.TypeText(okType, e.Pos())
	if !ok {
		f.Fail(e.Pos(), "the type of the second variable of this receive cannot be named here: "+
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
func (f *file) assign(s *ast.AssignStmt) {
	if len(s.Lhs) == 2 && len(s.Rhs) == 1 {
		f.noteRecv2(s.Rhs[0], s.Lhs[1])
	}
}

// valueSpec notes the receive of var v, ok = <-ch.
func (f *file) valueSpec(s *ast.ValueSpec) {
	if len(s.Names) == 2 && len(s.Values) == 1 {
		f.noteRecv2(s.Values[0], s.Names[1])
	}
}

// noteRecv2 notes that the second value of e, if e is a receive, goes to ok.
func (f *file) noteRecv2(e, ok ast.Expr) {
	if r := unit.Receive(e); r != nil {
		f.okTypes[r] = f.typeOfTarget(ok)
	}
}

// typeOfTarget returns the type of what is assigned to, nil for the blank identifier.
func (f *file) typeOfTarget(e ast.Expr) types.Type {
	if unit.IsBlank(e) {
		return nil
	}
	return f.In.Info.TypeOf(e)
}
