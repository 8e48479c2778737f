package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// target is a variable that is announced as written when its value is known.
type target struct {
	expr     ast.Expr // the variable, or the map
	function string   // Write, WriteAll or WriteMap
}

// targetOf returns the target for the write of e; false if nothing is announced, or if it cannot be
// announced later.
func (w *announcer) targetOf(e ast.Expr) (target, bool) {
	if _, lifted := w.lifted[e]; !lifted && w.mayWait([]ast.Expr{e}) {
		return target{}, false
	}
	return w.targetFor(e)
}

// targetFor is targetOf, even if there are calls in e.
func (w *announcer) targetFor(e ast.Expr) (target, bool) {
	if index, ok := e.(*ast.IndexExpr); ok && unit.IsMapType(w.In.Info.TypeOf(index.X)) {
		x := ast.Unparen(index.X)
		return target{x, "WriteMap"}, w.mapShared(x)
	}
	_, name := e.(*ast.Ident) // that of a variable that := finds has no entry
	return target{e, "Write" + w.all(e)}, (name || w.In.Info.Types[e].Addressable()) &&
		w.isShared(e)
}

// announcement is the call that announces the write. wrote: as the end of a call that has the value
// as its first argument.
func (w *announcer) announcement(t target, wrote bool) []edit.Piece {
	moved := []edit.Piece{w.Source(t.expr)}
	if w.In.Live { // text in front of the statement must not be moved along
		moved = []edit.Piece{edit.Text(types.ExprString(t.expr))}
	} else if l, lifted := w.lifted[t.expr]; lifted {
		moved = l.place
	}
	head, address := w.Hooked(t.function), "&"
	if t.function == "WriteMap" {
		address = ""
	}
	if wrote {
		head = ", "
	}
	return append(append([]edit.Piece{edit.Text(head + address)}, moved...),
		edit.Text(", "+w.What(t.expr)+")"))
}

// written is the call that announces the write of a variable.
func (w *announcer) written(id *ast.Ident, pos token.Pos) string {
	return w.Hooked("Write"+w.allOf(id)) + "&" + id.Name + ", " + w.WhatText(id.Name, pos) + ")"
}

// wrotes are the functions that announce a write when its value is known.
var wrotes = map[string]string{"Write": "Wrote", "WriteAll": "WroteAll", "WriteMap": "WroteMap"}

// wroteOf is the function that announces a write, or that of one of several.
func wroteOf(function string, last bool) string {
	if function == "Wrote" && !last {
		return "WroteOne"
	}
	return function
}

// wrap announces the writes when the one value of e is known. last: nothing else follows in the
// statement.
func (w *announcer) wrap(e ast.Expr, targets []target, last bool) {
	w.edit(e, func() {
		for i := len(targets) - 1; i >= 0; i-- {
			t := targets[i]
			w.Open(e, w.Hooked(wroteOf(wrotes[t.function], last)))
			w.Edits.Close(w.Offset(e.End()), w.announcement(t, true)...)
		}
	})
}

// after announces the writes when the several results of e are known.
func (w *announcer) after(e ast.Expr, targets []target, function string) {
	w.edit(e, func() {
		w.Open(e, w.Hooked(function))
		text := []edit.Piece{edit.Text(").After(")}
		for i, t := range targets {
			if i > 0 {
				text = append(text, edit.Text(", "))
			}
			text = append(text, w.announcement(t, false)...)
		}
		w.Edits.Close(w.Offset(e.End()), append(text, edit.Text(")"))...)
	})
}

// behind announces the writes behind a statement, if that is one of a list.
func (w *announcer) behind(s ast.Stmt, targets []target) {
	if !w.listed(s) {
		return
	}
	w.edit(s, func() {
		for i := len(targets) - 1; i >= 0; i-- {
			text := append([]edit.Piece{edit.Text("; ")}, w.announcement(targets[i], false)...)
			w.Edits.Close(w.Offset(s.End()), text...)
		}
	})
}

// atStart announces, in front of the statements of a body or clause, that the variables have been
// written. at is where these begin.
func (w *announcer) atStart(n ast.Node, at token.Pos, list ...ast.Expr) {
	var text []edit.Piece
	for _, e := range list {
		t, ok := w.targetOf(e)
		if !ok {
			continue
		}
		text = append(text, edit.Text(" "))
		text = append(text, w.announcement(t, false)...)
		text = append(text, edit.Text(";"))
	}
	if text != nil {
		w.edit(n, func() { w.Edits.Open(w.Offset(at), text...) })
	}
}
