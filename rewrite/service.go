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

// Loops that wait for a ticker tell where an iteration begins: see package runtime/model/clock,
// laps.go.
//
//	for { select {             for _l := _rehearse.Loop(); ; { _rehearse.Lap(_l); select {
//	t := <-ticker.C            _rehearse.Unlike(); t := <-ticker.C      and likewise in a case

// hasLaps reports whether the iterations of s are laps, where accesses are announced.
func (f *file) hasLaps(s ast.Stmt) bool {
	return f.In.Shared != nil && !f.In.InOrder && !f.IsCgo() && shared.Laps(f.In.Info, s) != nil
}

// lap is what an iteration of s begins with.
func (f *file) lap(s ast.Stmt) string {
	if !f.hasLaps(s) {
		return ""
	}
	return " " + f.Hooked("Lap") + f.Temp("l") + ");"
}

// isService reports whether s is a service, where accesses are announced.
func (f *file) isService(s ast.Stmt) bool {
	if f.In.Shared == nil || f.In.InOrder || f.IsCgo() {
		return false
	}
	body, _ := shared.Service(f.In.Info, s)
	return body != nil
}

// forStmt notes the receive of a service, and where laps begin.
func (f *file) forStmt(s *ast.ForStmt) {
	isService := f.isService(s)
	if !isService && !f.hasLaps(s) {
		return
	}
	if isService {
		_, receive := shared.Service(f.In.Info, s)
		f.served[receive] = true
	}
	f.Edits.Close(f.Offset(s.For+token.Pos(len("for"))),
		edit.Text(" "+f.Temp("l")+" := "+f.Hooked("Loop")+"); ;"))
	if text := f.lap(s); text != "" {
		f.Edits.Open(f.Offset(s.Body.Lbrace+1), edit.Text(text))
	}
}
