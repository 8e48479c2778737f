package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Loops that take tickets from a counter say so, and which variables they mention: see package
// runtime/model/sections, tickets.go.
//
//	for {                       _t := _rehearse.Tickets("next at f.go:8"); for {
//	i := next.Add(1) - 1        i := _rehearse.AtInt64(&next).Ticket(_t.Taking(_rehearse.Same(&next), _rehearse.Same(&n))).Add(1) - 1
//	if i >= n { return }        if _rehearse.Stops(_t, i >= n) { return }
//
// And likewise where the loop is for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1, or where its
// first ticket is taken in the statement before.
//
// The code tells V2: only the condition ends the loop, and what follows does not know the ticket.

// ticketLoop is such a loop.
type ticketLoop struct {
	*library
	first  ast.Stmt // the loop, or the statement before
	loop   *ast.ForStmt
	ticket types.Object
	calls  []*ast.CallExpr // of Add
	cond   ast.Expr
	hook   string // what the condition is for
	body   []ast.Stmt
}

// tickets tells of such loops among the statements of a block.
func (lib *library) tickets(list []ast.Stmt) {
	if !lib.Announces() || lib.In.InOrder || lib.In.Live || lib.In.PlainAtomics ||
		lib.decl == nil {
		return
	}
	for k := range list {
		d := &ticketLoop{library: lib}
		if d.header(list[k:]) && d.only() {
			d.tell()
		}
	}
}

// header reports whether a loop that takes tickets is the first of some statements, or the second
// one.
func (d *ticketLoop) header(list []ast.Stmt) bool {
	d.first = list[0]
	switch s := list[0].(type) {
	case *ast.AssignStmt:
		if len(list) == 1 {
			return false
		}
		loop, is := list[1].(*ast.ForStmt)
		return is && loop.Init == nil && d.clauses(s, loop) && !d.usedBehind()
	case *ast.ForStmt:
		if s.Init != nil {
			return d.clauses(s.Init, s)
		}
		return d.endless(s)
	}
	return false
}

// clauses reports whether loop takes a ticket in init and after each iteration.
func (d *ticketLoop) clauses(init ast.Stmt, loop *ast.ForStmt) bool {
	if loop.Cond == nil || loop.Post == nil || !d.takes(init, token.DEFINE) ||
		!d.takes(loop.Post, token.ASSIGN) {
		return false
	}
	d.loop, d.cond, d.hook, d.body = loop, loop.Cond, "Goes", loop.Body.List
	return !d.kept()
}

// endless reports whether s takes a ticket, and then may end, at the beginning of each iteration.
func (d *ticketLoop) endless(s *ast.ForStmt) bool {
	if s.Cond != nil || s.Post != nil || len(s.Body.List) < 2 ||
		!d.takes(s.Body.List[0], token.DEFINE) {
		return false
	}
	end, is := s.Body.List[1].(*ast.IfStmt)
	if !is || end.Init != nil || end.Else != nil || len(end.Body.List) != 1 {
		return false
	}
	switch s := end.Body.List[0].(type) {
	case *ast.BranchStmt:
		if s.Tok != token.BREAK || s.Label != nil {
			return false
		}
	case *ast.ReturnStmt:
		if slices.ContainsFunc(s.Results, func(x ast.Expr) bool {
			return d.In.Info.Types[x].Value == nil && !d.In.Info.Types[x].IsNil()
		}) {
			return false
		}
	default:
		return false
	}
	d.loop, d.cond, d.hook, d.body = s, end.Cond, "Stops", s.Body.List[2:]
	return true
}

// takes reports whether s does nothing but take a ticket.
func (d *ticketLoop) takes(s ast.Stmt, tok token.Token) bool {
	a, is := s.(*ast.AssignStmt)
	if !is || a.Tok != tok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	id, is := a.Lhs[0].(*ast.Ident)
	call := d.add(a.Rhs[0])
	if !is || call == nil {
		return false
	}
	d.calls = append(d.calls, call)
	if tok == token.DEFINE {
		d.ticket = d.In.Info.Defs[id]
		return d.ticket != nil
	}
	return d.In.Info.Uses[id] == d.ticket
}

// add returns the call of Add of which e is the result, perhaps converted and moved by a constant;
// nil if e is anything else.
func (d *ticketLoop) add(e ast.Expr) *ast.CallExpr {
	constant := func(e ast.Expr) bool { return d.In.Info.Types[e].Value != nil }
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch {
		case e.Op != token.ADD && e.Op != token.SUB:
		case constant(e.Y):
			return d.add(e.X)
		case constant(e.X):
			return d.add(e.Y)
		}
	case *ast.CallExpr:
		if d.In.Info.Types[e.Fun].IsType() {
			return d.add(e.Args[0])
		}
		if len(e.Args) > 0 && constant(e.Args[len(e.Args)-1]) && d.isAdd(e) {
			return e
		}
	}
	return nil
}

// isAdd reports whether c calls Add of a variable that names alone lead to.
func (d *ticketLoop) isAdd(c *ast.CallExpr) bool {
	sel, is := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !is {
		return false
	}
	if s := d.In.Info.Selections[sel]; s != nil {
		return s.Kind() == types.MethodVal && unit.AtomicType(s.Obj()) != "" &&
			sel.Sel.Name == "Add" && isPath(sel.X)
	}
	fn, is := d.In.Info.Uses[sel.Sel].(*types.Func)
	if !is || fn.Pkg() == nil || fn.Pkg().Path() != unit.AtomicPath ||
		!strings.HasPrefix(fn.Name(), "Add") {
		return false
	}
	x, is := ast.Unparen(c.Args[0]).(*ast.UnaryExpr)
	return is && x.Op == token.AND && isPath(x.X) || isPath(c.Args[0])
}

// isPath reports whether e is a variable, or a field of one.
func isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	case *ast.StarExpr:
		return isPath(e.X)
	}
	return false
}

// usedBehind reports whether the ticket is mentioned behind the loop.
func (d *ticketLoop) usedBehind() bool {
	found := false
	ast.Inspect(d.decl, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		found = found || is && d.In.Info.Uses[id] == d.ticket && id.Pos() >= d.loop.End()
		return !found
	})
	return found
}

// kept reports whether something may keep the variable that has the ticket, which is one for all
// iterations.
func (d *ticketLoop) kept() bool {
	found := false
	ast.Inspect(d.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ast.Inspect(n, func(n ast.Node) bool {
				id, is := n.(*ast.Ident)
				found = found || is && d.In.Info.Uses[id] == d.ticket
				return !found
			})
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && d.Is(n.X, d.ticket)
		}
		return !found
	})
	return found
}

// only reports whether only the condition ends the loop, and a block leaves nothing to be done
// later. A goto might pass the variable that names the loop.
func (d *ticketLoop) only() bool {
	ok := d.In.Info.Types[d.cond].Value == nil
	ast.Inspect(d.decl, func(n ast.Node) bool {
		s, is := n.(*ast.BranchStmt)
		ok = ok && !(is && s.Tok == token.GOTO)
		return ok
	})
	for _, s := range d.body {
		ok = ok && stays(s, true)
	}
	return ok
}

// stays reports whether control cannot leave n but at its end. outer: a break would leave it.
func stays(n ast.Node, outer bool) bool {
	ok := true
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt, *ast.LabeledStmt:
			ok = false
		case *ast.BranchStmt:
			ok = ok && m.Label == nil && (m.Tok != token.BREAK || !outer)
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if outer && m != n {
				ok = ok && stays(m, false)
				return false
			}
			outer = false
		}
		return ok
	})
	return ok
}

// mentioned lists the variables from outside that the loop mentions. ok: each can be named where a
// ticket is taken.
func (d *ticketLoop) mentioned() (list []*types.Var, ok bool) {
	from, to := d.first.Pos(), d.loop.End()
	ok = true
	see := func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		v, is := d.In.Info.Uses[id].(*types.Var)
		if !is || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() ||
			v.Pos() >= from && v.Pos() < to || slices.Contains(list, v) {
			return true
		}
		list = append(list, v)
		for _, c := range d.calls {
			inner := d.In.Types.Scope().Innermost(c.Pos())
			if inner == nil {
				ok = false
				return false
			}
			_, named := inner.LookupParent(v.Name(), c.Pos())
			ok = ok && named == v
		}
		return true
	}
	ast.Inspect(d.first, see)
	ast.Inspect(d.loop, see)
	return list, ok
}

// typeArgs lists calls that say what the type parameters of the function are. A loop depends on
// them even if it does not mention them, as the variables have types. ok: each can be named where a
// ticket is taken.
func (d *ticketLoop) typeArgs() (list []string, ok bool) {
	sig := d.In.Info.Defs[d.decl.Name].(*types.Func).Signature()
	for _, params := range []*types.TypeParamList{sig.TypeParams(), sig.RecvTypeParams()} {
		for t := range params.TypeParams() {
			for _, c := range d.calls {
				inner := d.In.Types.Scope().Innermost(c.Pos())
				if inner == nil {
					return nil, false
				}
				_, named := inner.LookupParent(t.Obj().Name(), c.Pos())
				if named != t.Obj() {
					return nil, false
				}
			}
			list = append(list, d.Hook+".SameType["+t.Obj().Name()+"]()")
		}
	}
	return list, true
}

// tell makes the loop tell what it does.
func (d *ticketLoop) tell() {
	vars, ok := d.mentioned()
	args, named := d.typeArgs()
	if !ok || !named {
		return
	}
	name := d.TempN("t", d.Offset(d.first.Pos()))
	for _, v := range vars {
		args = append(args, d.Hooked("Same")+"&"+v.Name()+")")
	}
	taking := name + ".Taking(" + strings.Join(args, ", ") + ")"
	for _, c := range d.calls {
		d.taking[ast.Unparen(c.Fun).(*ast.SelectorExpr)] = taking
	}
	what := d.WhatText("the counter", d.loop.Pos())
	d.Open(d.first, name+" := "+d.Hooked("Tickets")+what+"); ")
	d.Open(d.cond, d.Hooked(d.hook)+name+", ")
	d.Edits.Close(d.Offset(d.cond.End()), edit.Text(")"))
}
