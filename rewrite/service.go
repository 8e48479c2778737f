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
//	for { select { case <-c:   for _l := _rehearse.Loop(); ; { switch _r0 := _rehearse.R(c); _rehearse.ServedSelect(_l, "c at f.go:7", _r0) { case 0:

// Loops that wait for a ticker tell where an iteration begins: see package runtime/model/clock,
// laps.go.
//
//	for { select {             for _l := _rehearse.Loop(); ; { _rehearse.Lap(_l); select {
//	t := <-ticker.C            _rehearse.Unlike(); t := <-ticker.C      and likewise in a case

// forStmt notes the receive of a service, and where laps begin.
func (lo *loops) forStmt(s *ast.ForStmt) {
	isService := lo.isService(s)
	if !isService && !lo.hasLaps(s) {
		return
	}
	if isService {
		_, receive := shared.Service(lo.In.Info, s)
		lo.served[receive] = true
	}
	lo.Edits.Close(lo.Offset(s.For+token.Pos(len("for"))),
		edit.Text(" "+lo.Temp("l")+" := "+lo.Hooked("Loop")+"); ;"))
	if text := lo.lap(s); text != "" {
		lo.Edits.Open(lo.Offset(s.Body.Lbrace+1), edit.Text(text))
	}
}

// isService reports whether s is a service, where accesses are announced.
func (lo *loops) isService(s ast.Stmt) bool {
	if lo.In.Shared == nil || lo.In.InOrder || lo.IsCgo() {
		return false
	}
	body, _ := shared.Service(lo.In.Info, s)
	return body != nil
}

// lap is what an iteration of s begins with.
func (lo *loops) lap(s ast.Stmt) string {
	if !lo.hasLaps(s) {
		return ""
	}
	return " " + lo.Hooked("Lap") + lo.Temp("l") + ");"
}

// hasLaps reports whether the iterations of s are laps, where accesses are announced.
func (lo *loops) hasLaps(s ast.Stmt) bool {
	return lo.In.Shared != nil && !lo.In.InOrder && !lo.IsCgo() && shared.Laps(lo.In.Info, s) != nil
}
