package rounds

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The order of a map is another one in each range, but not under control. So a question that
// depends on that order may have another answer in the next round:
//
//	for k := range s.m { return k }                                depends on the order
//	for _, x := range s.m { if !x.Load() { return false } }        does not
//	for _, x := range s.m { if x.Load() { n++ } }                  does not
//	for _, x := range s.m { if n++; n == 2 { last = x; break } }   depends on the order

// ranged is what the iterations of a range over a map do beyond themselves.
type ranged struct {
	*looks
	body    *ast.BlockStmt
	changes map[types.Object]string // what is done to a variable that is not of the iteration
	targets map[*ast.Ident]bool     // where it is done
	ends    map[string]bool         // what is done where the range ends before its last iteration
	depends bool                    // it depends on the order, as far as is known
}

// anyOrder reports whether a range over a map does the same in each order. It does if its
// iterations only add to integers and give constants to variables, each variable always the same
// one; none of them reads such a variable; and if one ends the range, it does not matter which.
func (l *looks) anyOrder(s *ast.RangeStmt) bool {
	r := &ranged{looks: l, body: s.Body, changes: map[types.Object]string{},
		targets: map[*ast.Ident]bool{}, ends: map[string]bool{}, depends: s.Tok == token.ASSIGN}
	r.list(s.Body.List, true)
	ast.Inspect(s.Body, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		r.depends = r.depends || is && !r.targets[id] && r.changes[l.In.Info.Uses[id]] != ""
		return !r.depends
	})
	return !r.depends && len(r.ends) <= 1 && (len(r.changes) <= 1 || !r.ends["break"])
}

// list reads statements. own: a break there ends the range.
func (r *ranged) list(list []ast.Stmt, own bool) {
	for i, s := range list {
		switch s := s.(type) {
		case *ast.BlockStmt:
			r.list(s.List, own)
		case *ast.IfStmt:
			r.list([]ast.Stmt{s.Init, s.Body, s.Else}, own)
		case *ast.SwitchStmt:
			r.list([]ast.Stmt{s.Init}, own)
			r.list(s.Body.List, false)
		case *ast.SelectStmt:
			r.list(s.Body.List, false)
		case *ast.CaseClause:
			r.list(s.Body, own)
		case *ast.CommClause:
			r.list(s.Body, own)
		case *ast.RangeStmt:
			if s.Tok == token.ASSIGN {
				r.change(s.Key, "range")
				r.change(s.Value, "range")
			}
			r.list(s.Body.List, false)
		case *ast.IncDecStmt:
			r.adds(s.X, token.ADD_ASSIGN)
		case *ast.AssignStmt:
			r.assign(s)
		case *ast.ReturnStmt:
			r.ends["return "+r.constants(s.Results)] = true
			r.depends = r.depends || len(s.Results) == 0
		case *ast.BranchStmt:
			if s.Tok == token.BREAK && own {
				r.ends["break"] = true
				r.depends = r.depends || i == 0 || !r.gives(list[i-1])
			}
		}
	}
}

func (r *ranged) assign(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
	case s.Tok != token.ASSIGN:
		r.adds(s.Lhs[0], s.Tok)
	case len(s.Lhs) != len(s.Rhs):
		r.depends = true
	default:
		for i, e := range s.Lhs {
			r.change(e, "= "+r.constants(s.Rhs[i:i+1]))
		}
	}
}

// adds takes down that x is combined with a value.
func (r *ranged) adds(x ast.Expr, by token.Token) {
	if by == token.SUB_ASSIGN {
		by = token.ADD_ASSIGN
	}
	basic, is := r.In.Info.TypeOf(x).Underlying().(*types.Basic)
	if !is || basic.Info()&types.IsInteger == 0 || by == token.QUO_ASSIGN ||
		by == token.REM_ASSIGN || by == token.SHL_ASSIGN || by == token.SHR_ASSIGN {
		r.depends = true
		return
	}
	r.change(x, by.String())
}

// change takes down what is done to x, which may be nil, unless it is a variable of the iteration.
func (r *ranged) change(x ast.Expr, how string) {
	id, is := x.(*ast.Ident)
	if x == nil || is && id.Name == "_" {
		return
	}
	v := r.In.Info.ObjectOf(id)
	if v != nil && r.body.Pos() <= v.Pos() && v.Pos() < r.body.End() {
		return
	}
	before := r.changes[v]
	r.depends = r.depends || how == "range" || before != "" && before != how
	r.changes[v], r.targets[id] = how, true
}

// gives reports whether s gives a constant to a variable that is not of the iteration.
func (r *ranged) gives(s ast.Stmt) bool {
	a, is := s.(*ast.AssignStmt)
	if !is || a.Tok != token.ASSIGN {
		return false
	}
	id, is := a.Lhs[0].(*ast.Ident)
	return is && r.targets[id]
}

// constants is the text of values, which must be constants or nil.
func (r *ranged) constants(list []ast.Expr) string {
	var text strings.Builder
	for _, e := range list {
		switch v := r.In.Info.Types[e]; {
		case v.Value != nil:
			text.WriteString(v.Value.ExactString())
		case !v.IsNil():
			r.depends = true
		}
		text.WriteString(", ")
	}
	return text.String()
}
