package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Lists that functions return. Package runtime/model/sections has the conditions, S16:
//
//	func keys() []int { ...; return l }
//	    func keys() []int { _rehearse_gives := _rehearse.Gives("p.keys"); _ = _rehearse_gives; ...
//	        return (*_rehearse.Give(_rehearse_gives, &l, "l at f.go:7")) }
//	v := keys()
//	    _rehearse.Expect("v at f.go:9", "p.keys"); v := keys(); _rehearse.Took(&v, "v at f.go:9")
//
// The caller's variable is a list from there on.

// given returns the lists that are given.
func (l *lists) given() given {
	g := given{map[ast.Expr]bool{}, map[*ast.AssignStmt]taking{}, false}
	for v, uses := range l.uses {
		for _, u := range uses {
			if l.is[v] {
				g.uses[u.id] = l.isTaken(v)
				g.gives = g.gives || u.function == "Give" && (l.isTaken(v) || l.isShared(u.id))
			}
		}
	}
	for v, t := range l.from {
		if l.is[v] {
			g.takes[t.stmt] = t
		}
	}
	return g
}

// isTaken reports whether v is declared with the result of a call.
func (l *lists) isTaken(v *types.Var) bool { return l.from[v].stmt != nil }

// takes reports whether s declares id with a slice that a call may give as a list: s calls a
// function of the program by its name, and the function has one slice among its results.
func (l *lists) takes(s *ast.AssignStmt, id *ast.Ident) bool {
	if s.Tok != token.DEFINE || len(s.Rhs) != 1 || unit.IsBlank(id) {
		return false
	}
	c, is := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !is {
		return false
	}
	name := unit.LastIdent(ast.Unparen(c.Fun))
	if name == nil {
		return false
	}
	fn, is := l.In.Info.Uses[name].(*types.Func)
	if !is || fn.Pkg() == nil ||
		l.In.Library != nil && l.In.Library(fn.Pkg().Path()) {
		return false
	}
	sig := fn.Signature()
	i := sliceOf(sig)
	if r := sig.Recv(); r != nil && types.IsInterface(r.Type()) || i < 0 || s.Lhs[i] != id {
		return false
	}
	l.from[l.In.Info.Defs[id].(*types.Var)] = taking{s, id, fn.Origin()}
	return true
}

// calls reports whether an evaluation of e may call something.
func calls(e ast.Expr) (may bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			may = true
		}
		return !may
	})
	return may
}

// sliceOf returns the index of the only result that is a slice; -1 if there is none, or several.
func sliceOf(sig *types.Signature) int {
	found := -1
	for i := range sig.Results().Len() {
		if _, is := sig.Results().At(i).Type().Underlying().(*types.Slice); is {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// returns reports whether s, a return statement, returns the list id as the only slice of the
// function that the declaration is of, and nobody can see the result before the caller.
func (l *lists) returns(s *ast.ReturnStmt, id *ast.Ident) bool {
	if l.decl == nil || l.functionBody() != l.decl.Body {
		return false
	}
	fn, is := l.In.Info.Defs[l.decl.Name].(*types.Func)
	if !is {
		return false
	}
	results := fn.Signature().Results()
	i := sliceOf(fn.Signature())
	if i < 0 || len(s.Results) != results.Len() || s.Results[i] != id ||
		results.At(i).Name() != "" {
		return false
	}
	for _, e := range s.Results {
		if calls(e) {
			return false
		}
	}
	return true
}

// isSeldom reports whether the function that announces the present use of v, a variable that takes
// a list, may do so: nothing is appended, and a use in a loop or in a closure would slow it down.
func (l *lists) isSeldom(function string, v *types.Var) bool {
	if function == "Grow" || function == "Peek" {
		return false
	}
	if function != "Show" {
		return true
	}
	for i, n := range l.nodes {
		if n.Pos() < v.Pos() {
			continue
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt:
			return false
		case *ast.RangeStmt:
			if i+1 < len(l.nodes) && l.nodes[i+1] != n.X {
				return false
			}
		}
	}
	return true
}

// take announces that s takes a list that a call may give.
func (as *assignments) take(s *ast.AssignStmt) {
	t, is := as.given.takes[s]
	if !is {
		return
	}
	site := as.WhatText(t.id.Name, t.id.Pos())
	as.edit(s, func() {
		as.Open(s, as.Hooked("Expect")+site+", "+strconv.Quote(t.fn.FullName())+"); ")
		as.Edits.Close(as.Offset(s.End()),
			edit.Text("; "+as.Hooked("Took")+"&"+t.id.Name+", "+site+")"))
	})
}

// give asks, where function d begins, whether its caller expects a list.
func (as *assignments) give(d *ast.FuncDecl) {
	if !as.given.gives {
		return
	}
	name := as.In.Info.Defs[d.Name].(*types.Func).FullName()
	gives := as.gives()
	as.edit(d, func() {
		as.Edits.Open(as.Offset(d.Body.Lbrace+1), edit.Text(" "+gives+" := "+as.Hooked("Gives")+
			strconv.Quote(name)+"); _ = "+gives+";"))
	})
}

// gives is the variable that says whether the caller of a function expects a list.
func (w *announcer) gives() string { return w.Hook + "_gives" }
