package accesses

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// target is a variable that is announced as written when its value is known.
type target struct {
	expr     ast.Expr // the variable, or the map
	function string   // Write, WriteAll or WriteMap
	key      ast.Expr // of the map, if it is known to be the same when the value is; else nil
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
		t := target{expr: x, function: "WriteMap"}
		if !w.In.Live && w.settles(index.Index, w.In.Info.TypeOf(x)) {
			t.key = index.Index
		}
		return t, w.mapShared(x)
	}
	_, name := e.(*ast.Ident) // that of a variable that := finds has no entry
	return target{expr: e, function: cmp.Or(w.lists[e], "Write"+w.all(e))},
		(name || w.In.Info.Types[e].Addressable()) && w.isShared(e)
}

// settles reports whether key, of a map of type m, is the same whenever it is evaluated: it is a
// literal, or a variable of a function to which nothing is assigned after its declaration. Its type
// has no methods, which might be called for its address.
func (w *announcer) settles(key ast.Expr, m types.Type) bool {
	key = ast.Unparen(key)
	t := types.Unalias(w.In.Info.TypeOf(key))
	if _, is := t.(*types.Basic); !is || !types.Identical(t, m.Underlying().(*types.Map).Key()) {
		return false
	}
	if _, is := key.(*ast.BasicLit); is {
		return true
	}
	id, is := key.(*ast.Ident)
	if !is {
		return false
	}
	v := w.objectOf(id)
	return v != nil && !v.IsField() && v.Parent() != v.Pkg().Scope() && w.PerIteration() &&
		!w.reassigned(v)
}

// reassigned reports whether the present declaration, which has v, a variable of a function,
// assigns to v behind the declaration of v, or takes its address.
func (w *announcer) reassigned(v *types.Var) (found bool) {
	is := func(e ast.Expr) {
		found = found || e != nil && shared.Root(w.In.Info, e) == v
	}
	ast.Inspect(w.nodes[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				is(e)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.RangeStmt:
			is(n.Key)
			is(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		}
		return !found
	})
	return found
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
	if t.key != nil {
		head = w.Hooked("WriteAt")
		moved = append(moved, edit.Text(", "+types.ExprString(t.key)))
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
var wrotes = map[string]string{"Write": "Wrote", "WriteAll": "WroteAll", "WriteMap": "WroteMap",
	"Grow": "Grown"}

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
			function := wroteOf(wrotes[t.function], last)
			if t.key != nil {
				function = "WroteAt"
			}
			w.Open(e, w.Hooked(function))
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
