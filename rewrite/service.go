package rewrite

import (
	"go/ast"
	"go/token"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// Services, loops that receive from a channel, say so: see package runtime/model/sections.
//
//	for v := range c {         for _c, _l := c, _rehearse.Loop(); ; { v, _ok := _rehearse.Served2(_c, _l, "c at f.go:7"); ...
//	for { v := <-c             for _l := _rehearse.Loop(); ; { v := _rehearse.Served(c, _l, "c at f.go:7")

// isService reports whether s is a service, where accesses are announced.
func (f *file) isService(s ast.Stmt) bool {
	if f.in.Shared == nil || f.in.InOrder || f.isCgo() {
		return false
	}
	body, _ := shared.Service(f.in.Info, s)
	return body != nil
}

// forStmt notes the receive of a service.
func (f *file) forStmt(s *ast.ForStmt) {
	if !f.isService(s) {
		return
	}
	_, receive := shared.Service(f.in.Info, s)
	f.served[receive] = true
	f.edits.Close(f.offset(s.For+token.Pos(len("for"))), edit.Text(" "+f.temp("l")+" := "+f.hooked("Loop")+"); ;"))
}
