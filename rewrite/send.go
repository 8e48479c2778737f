package rewrite

import (
	"go/ast"
	"go/token"

	"github.com/rehearse-go/rehearse/rewrite/edit"
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
