package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/rounds"
)

// Services, loops that receive from a channel, say so: see package runtime/model/sections.
//
//	for v := range c {         for _c, _l := c, _rehearse.Loop(); ; { v, _ok := _rehearse.Served2(_c, _l, "c at f.go:7"); ...
//	for { v := <-c             for _l := _rehearse.Loop(); ; { v := _rehearse.Served(c, _l, "c at f.go:7")
//	for range n { v := <-c     for _n, _l := n, _rehearse.Loop(); _rehearse.More(_l, _n > 0); _n-- { v := _rehearse.Served(c, _l, "c at f.go:7")
//	for i := 0; i < n; i++ {   for i, _l := 0, _rehearse.Loop(); _rehearse.More(_l, i < n); i++ {
//	for { select { case <-c:   for _l := _rehearse.Loop(); ; { switch _r0 := _rehearse.R(c); _rehearse.ServedSelect(_l, "c at f.go:7", _r0) { case 0:
//	case <-time.After(d):      _r1 := _rehearse.After(_rehearse.Again(_l, 1, time.After, d))

// Loops that wait for a ticker tell where an iteration begins: see package runtime/model/clock,
// laps.go.
//
//	for { select {             for _l := _rehearse.Loop(); ; { _rehearse.Lap(_l); select {
//	t := <-ticker.C            _rehearse.Unlike(); t := <-ticker.C      and likewise in a case

// forStmt notes the receive of a service, where laps begin, and loops that only look.
func (lo *loops) forStmt(s *ast.ForStmt) {
	isService := lo.isService(s)
	marks, name := !lo.IsCgo() && !lo.In.PlainAtomics, "Loop"
	switch {
	case !marks:
	case !isService:
		if still := rounds.Mark(lo.File, s, lo.labels[s], lo.hasLaps(s)); still {
			return
		}
	case rounds.MarkRounds(lo.File, s, lo.labels[s], lo.hasLaps(s)):
		name = "LookingLoop"
	}
	if !isService && !lo.hasLaps(s) {
		return
	}
	if isService {
		_, receive := shared.Service(lo.In.Info, s)
		lo.served[receive] = true
	}
	if isService && s.Cond != nil {
		lo.countedFor(s)
		return
	}
	lo.Edits.Close(lo.Offset(s.For+token.Pos(len("for"))),
		edit.Text(" "+lo.Temp("l")+" := "+lo.Hooked(name)+"); ;"))
	if text := lo.lap(s); text != "" {
		lo.Edits.Open(lo.Offset(s.Body.Lbrace+1), edit.Text(text))
	}
}

// countedFor makes s, a service that ends after so many values, say when it ends.
func (lo *loops) countedFor(s *ast.ForStmt) {
	init := s.Init.(*ast.AssignStmt)
	lo.Edits.Close(lo.Offset(init.Lhs[0].End()), edit.Text(", "+lo.Temp("l")))
	lo.Edits.Close(lo.Offset(init.Rhs[0].End()), edit.Text(", "+lo.Hooked("Loop")+")"))
	lo.Edits.Open(lo.Offset(s.Cond.Pos()), edit.Text(lo.Hooked("More")+lo.Temp("l")+", "))
	lo.Edits.Close(lo.Offset(s.Cond.End()), edit.Text(")"))
}

// countedRange makes a loop with a condition of s, which ranges over an integer, or has as many
// iterations as a slice has elements.
func (lo *loops) countedRange(s *ast.RangeStmt) {
	_, receive := shared.Service(lo.In.Info, s)
	lo.served[receive] = true
	left, open, end := lo.Temp("n"), "", ""
	if _, is := lo.In.Info.TypeOf(s.X).Underlying().(*types.Slice); is {
		open, end = lo.Hooked("Length"), ")"
	}
	lo.Replace(s.For+token.Pos(len("for")), s.X.Pos(),
		edit.Text(" "+left+", "+lo.Temp("l")+" := "+open))
	lo.Edits.Close(lo.Offset(s.X.End()), edit.Text(end+", "+lo.Hooked("Loop")+"); "+
		lo.Hooked("More")+lo.Temp("l")+", "+left+" > 0); "+left+"--"))
}

// isService reports whether s is a service, where accesses are announced.
func (lo *loops) isService(s ast.Stmt) bool {
	if !lo.Announces() || lo.In.InOrder {
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
	return lo.Announces() && !lo.In.InOrder && shared.Laps(lo.In.Info, s) != nil
}
