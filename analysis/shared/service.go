package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// A service is a loop that receives from a channel:
//
//	for v := range c            for { select { case v := <-c: ...; case <-quit: return } }
//	for { v := <-c; ... }       for range n { select { case v := <-c: ...; case <-timeout: return } }
//	for range n { v := <-c; ... }
//
// In an exploration, the iterations of a service may come in another order (see package
// runtime/model/sections), as if each were a process. So the body of a service counts as a function
// that is started again and again: variables outside of the body that it touches are shared.

// Service returns the body of s, and the receive with which each iteration begins if that is not
// the range clause, if s is a service: an expression, or a select.
func Service(info *types.Info, s ast.Stmt) (body *ast.BlockStmt, receive ast.Node) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		if t := info.TypeOf(s.X); t != nil && kernel.Is[*types.Chan](t) && s.Tok != token.ASSIGN {
			body = s.Body
		} else if e := gathers(info, s, s.Body); e != nil {
			body, receive = s.Body, e
		}
	case *ast.ForStmt:
		if s.Init == nil && s.Cond == nil && s.Post == nil {
			body, receive = s.Body, receives(info, s.Body, false)
		} else if e := gathers(info, s, s.Body); e != nil {
			body, receive = s.Body, e
		}
		if receive == nil {
			return nil, nil
		}
	}
	if body == nil || defers(body) {
		return nil, nil
	}
	return body, receive
}

// gathers returns the receive of s, a loop with body b that ends after a number of values; nil if
// s is none. Such a loop may give up after some time.
func gathers(info *types.Info, s ast.Stmt, b *ast.BlockStmt) ast.Node {
	if !isCounted(info, s) {
		return nil
	}
	return receives(info, b, true)
}

// receives returns the receive of the iterations of a loop with block b; nil if there is none, or
// several. It may be a select, among whose cases may be that of a timer if timed is true.
func receives(info *types.Info, b *ast.BlockStmt, timed bool) ast.Node {
	if e := onlyReceive(info, b); e != nil {
		return e
	}
	var only *ast.SelectStmt
	for _, s := range b.List {
		switch s, is := s.(*ast.SelectStmt); {
		case is && (only != nil || !awaits(info, s, timed)):
			return nil
		case is:
			only = s
		case receiveIn(info, b.List[0]) != nil:
			return nil
		}
	}
	if only == nil {
		return nil
	}
	return only
}

// awaits reports whether select s waits for one of several values, none of them a time, unless
// timed is true.
func awaits(info *types.Info, s *ast.SelectStmt, timed bool) bool {
	for _, c := range s.Body.List {
		var x ast.Expr
		switch s := c.(*ast.CommClause).Comm.(type) {
		case *ast.ExprStmt:
			x = s.X
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				x = s.Rhs[0]
			}
		}
		e, is := ast.Unparen(x).(*ast.UnaryExpr)
		if x == nil || !is || !timed && IsTimes(info.TypeOf(e.X)) {
			return false
		}
	}
	return len(s.Body.List) > 1
}

// onlyReceive returns the receive of the only statement of a block that just receives, and perhaps
// assigns the value; nil if there is none, or several.
func onlyReceive(info *types.Info, b *ast.BlockStmt) (only *ast.UnaryExpr) {
	for _, s := range b.List {
		e := receiveIn(info, s)
		if e == nil {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}

// receiveIn returns the receive that s does.
func receiveIn(info *types.Info, s ast.Stmt) *ast.UnaryExpr {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.IfStmt:
		if s.Init != nil {
			return receiveIn(info, s.Init)
		}
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if _, is := l.(*ast.Ident); !is {
				return nil
			}
		}
		if len(s.Lhs) == 2 && !isBool(info, s.Lhs[1].(*ast.Ident)) {
			return nil
		}
		if len(s.Rhs) == 1 {
			x = s.Rhs[0]
		}
	}
	e, is := ast.Unparen(x).(*ast.UnaryExpr)
	if !is || e.Op != token.ARROW || !IsVariable(e.X) {
		return nil
	}
	return e
}

// isBool reports whether a variable, which may be blank, is of type bool itself.
func isBool(info *types.Info, id *ast.Ident) bool {
	t := info.TypeOf(id)
	return id.Name == "_" || t != nil && types.Identical(t, types.Typ[types.Bool])
}

// defers reports whether a block has defer statements: deferred calls run after the loop.
func defers(b *ast.BlockStmt) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// Laps returns the body of s if s is a loop whose iterations each wait for a ticker, and do not
// look at the time that the ticker sends:
//
//	for { select { case <-ticker.C: ...; case ... } }    for { <-ticker.C; ... }    for range ticker.C { ... }
//
// Its iterations are laps (see package runtime/model/clock). Accesses of a lap to variables outside
// of it are announced, as if each lap were a process.
func Laps(info *types.Info, s ast.Stmt) *ast.BlockStmt {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.RangeStmt:
		if IsTimes(info.TypeOf(s.X)) && (s.Key == nil || isBlank(s.Key)) {
			body = s.Body
		}
	case *ast.ForStmt:
		if s.Init == nil && s.Cond == nil && s.Post == nil &&
			slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool { return awaitsTime(info, s) }) {
			body = s.Body
		}
	}
	if body == nil || defers(body) {
		return nil
	}
	return body
}

// awaitsTime reports whether s, or a case of s, receives a time that nobody looks at. With
// time.After, each iteration arms a timer of its own, so no two of them are alike.
func awaitsTime(info *types.Info, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		e, is := ast.Unparen(s.X).(*ast.UnaryExpr)
		return is && e.Op == token.ARROW && IsTimes(info.TypeOf(e.X)) && After(info, e.X) == nil
	case *ast.SelectStmt:
		return slices.ContainsFunc(s.Body.List,
			func(c ast.Stmt) bool { return awaitsTime(info, c.(*ast.CommClause).Comm) })
	}
	return false
}

// After returns e if it is a call of time.After, and nil if it is not.
func After(info *types.Info, e ast.Expr) *ast.CallExpr {
	call, is := ast.Unparen(e).(*ast.CallExpr)
	if !is {
		return nil
	}
	if fn := typeutil.StaticCallee(info, call); fn == nil || fn.FullName() != "time.After" {
		return nil
	}
	return call
}

// IsTimes reports whether t is a channel of times, as that of a timer is.
func IsTimes(t types.Type) bool {
	if t == nil || !kernel.Is[*types.Chan](t) {
		return false
	}
	named, is := types.Unalias(t.Underlying().(*types.Chan).Elem()).(*types.Named)
	return is && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" &&
		named.Obj().Name() == "Time"
}

func isBlank(e ast.Expr) bool {
	id, is := e.(*ast.Ident)
	return is && id.Name == "_"
}
