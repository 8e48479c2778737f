package rounds

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// A question is a function, of this package or another one that is rewritten, that only looks, and
// returns what it has seen:
//
//	func (s *server) ready() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.conns > 0 }

// mostNested is how deep questions may ask others.
const mostNested = 3

// isQuestion reports whether a function is a question. If it looks, so does the loop that asks it.
func (l *looks) isQuestion(fn *types.Func) bool {
	in := l.In
	if fn.Pkg().Path() != in.Types.Path() {
		in = l.others(fn.Pkg().Path())
	}
	decl := declaration(in, fn)
	if decl == nil || decl.Body == nil || len(l.asked) == mostNested ||
		slices.Contains(l.asked, decl) {
		return false
	}
	q := &looks{File: &unit.File{In: in}, others: l.others, asked: slices.Concat(l.asked,
		[]*ast.FuncDecl{decl})}
	if q.copiesSync(decl) || !q.ask(decl.Body.List) {
		return false
	}
	l.any = l.any || q.any
	return true
}

// copiesSync reports whether n declares a variable in which a mutex, or another value of sync or
// sync/atomic, lies. Such a copy is not what others change: a copy of a locked mutex stays locked.
func (l *looks) copiesSync(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			v, is := l.In.Info.Defs[id].(*types.Var)
			found = found || is && holdsSync(v.Type())
		}
		return !found
	})
	return found
}

func holdsSync(t types.Type) bool {
	if named, is := types.Unalias(t).(*types.Named); is && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() {
		case "sync", unit.AtomicPath:
			return !types.IsInterface(t)
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return holdsSync(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if holdsSync(f.Type()) {
				return true
			}
		}
	}
	return false
}

// declaration returns the declaration of a function in a package, which may have been type-checked
// twice, with its test files and without; nil if the package is nil or has none.
func declaration(in *unit.Input, fn *types.Func) *ast.FuncDecl {
	if in == nil {
		return nil
	}
	for _, f := range in.Files {
		for _, d := range f.Decls {
			d, is := d.(*ast.FuncDecl)
			if !is || d.Name.Name != fn.Name() {
				continue
			}
			if f, is := in.Info.Defs[d.Name].(*types.Func); is && f.FullName() == fn.FullName() {
				return d
			}
		}
	}
	return nil
}

func (l *looks) ask(list []ast.Stmt) bool {
	return !slices.ContainsFunc(list, func(s ast.Stmt) bool { return !l.asksBy(s) })
}

// asksBy reports whether a statement of a question changes nothing but the question's own
// variables.
func (l *looks) asksBy(s ast.Stmt) bool {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return true
	case *ast.BlockStmt:
		return l.ask(s.List)
	case *ast.ExprStmt:
		return l.pure(s.X)
	case *ast.DeferStmt:
		fn := called(l.In.Info, s.Call)
		return fn != nil && isOfMutex(fn) && l.pure(s.Call)
	case *ast.DeclStmt:
		d, is := s.Decl.(*ast.GenDecl)
		return is && !slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
			v, is := s.(*ast.ValueSpec)
			return is && !l.allPure(v.Values)
		})
	case *ast.AssignStmt:
		return l.allPure(s.Rhs) && (s.Tok == token.DEFINE || l.allOwn(s.Lhs))
	case *ast.IncDecStmt:
		return l.allOwn([]ast.Expr{s.X})
	case *ast.ReturnStmt:
		return l.allPure(s.Results)
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.IfStmt:
		return l.asksBy(s.Init) && l.pure(s.Cond) && l.asksBy(s.Body) && l.asksBy(s.Else)
	case *ast.SwitchStmt:
		return l.asksBy(s.Init) && (s.Tag == nil || l.pure(s.Tag)) && l.ask(s.Body.List)
	case *ast.CaseClause:
		return l.allPure(s.List) && l.ask(s.Body)
	case *ast.RangeStmt:
		return l.rangesOver(s) && l.asksBy(s.Body)
	case *ast.SelectStmt:
		return l.asksBySelect(s)
	}
	return false
}

// asksBySelect reports whether a select has a default branch, and its branches change nothing but
// the question's own variables. A receive or send is a step, and no look; a receive from a closed
// channel changes nothing.
func (l *looks) asksBySelect(s *ast.SelectStmt) (ok bool) {
	l.any = true
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		ok = ok || c.Comm == nil
		if !l.tries(c.Comm) || !l.ask(c.Body) {
			return false
		}
	}
	return ok
}

// rangesOver reports whether the head of a loop over a slice, a map, a string or a number changes
// nothing but the question's own variables.
func (l *looks) rangesOver(s *ast.RangeStmt) bool {
	switch l.In.Info.TypeOf(s.X).Underlying().(type) {
	case *types.Map:
		if !l.anyOrder(s) {
			return false
		}
	case *types.Slice, *types.Array, *types.Basic:
	default:
		return false
	}
	return l.pure(s.X) && (s.Tok != token.ASSIGN || l.allOwn([]ast.Expr{s.Key, s.Value}))
}

// allOwn reports whether all expressions, some of which may be nil, are variables of the question
// that is being asked.
func (l *looks) allOwn(list []ast.Expr) bool {
	decl := l.asked[len(l.asked)-1]
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		id, is := e.(*ast.Ident)
		if e == nil || is && id.Name == "_" {
			return false
		}
		v := l.In.Info.ObjectOf(id)
		return !is || v == nil || v.Pos() < decl.Pos() || v.Pos() >= decl.End()
	})
}
