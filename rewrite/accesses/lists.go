package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Lists. Package runtime/model/sections says what a list is for, and condition S15 there why only
// one element is appended at a time:
//
//	l = append(l, x)    *_rehearse.Grow(&l, "l at f.go:7") =
//	                        append((*_rehearse.Peek(&l, "l at f.go:7")), x)
//	sort.Ints(l)        sort.Ints((*_rehearse.Sorted(&l, "l at f.go:7")))
//	l                   (*_rehearse.Show(&l, "l at f.go:7"))      but for len(l)
//	for _, v := range l { if v == 0 { ...
//	                    for _, v := range l { if v == 0 { _rehearse.Show(&l, "l at f.go:7"); ...
//
// A list is a variable that a statement of a function declares, so that all its uses are there. It
// is assigned nil, a new slice, or itself with one more element, and nothing takes its address. So
// only an expression with its name leads to its elements. A function may return a list: see
// given.go.

// lists is the search for lists in a declaration.
type lists struct {
	facts
	decl *ast.FuncDecl       // the declaration; nil: it is that of no function
	is   map[*types.Var]bool // lists, and variables that are none after all
	uses map[*types.Var][]listUse
	from map[*types.Var]taking // lists that a call may give
}

// listUse is an expression that names a list, and the hook's function for that: "" for Read, or
// Write.
type listUse struct {
	id       *ast.Ident
	function string
}

// findLists returns which function of the hook announces each use of a list in d, unless that is
// Read or Write, and which lists are given.
func findLists(f *unit.File, d ast.Decl) (map[ast.Expr]string, given) {
	if f.In.Live {
		return nil, given{}
	}
	l := &lists{facts: facts{File: f, path: &path{}}, is: map[*types.Var]bool{},
		uses: map[*types.Var][]listUse{}, from: map[*types.Var]taking{}}
	l.decl, _ = d.(*ast.FuncDecl)
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			l.nodes = l.nodes[:len(l.nodes)-1]
			return false
		}
		if id, is := n.(*ast.Ident); is {
			l.ident(id)
		}
		l.nodes = append(l.nodes, n)
		return true
	})
	functions := map[ast.Expr]string{}
	for v, uses := range l.uses {
		for _, u := range uses {
			if l.is[v] && u.function != "" {
				functions[u.id] = u.function
			}
		}
	}
	return functions, l.given()
}

// ident looks at id, the present node.
func (l *lists) ident(id *ast.Ident) {
	if v, is := l.In.Info.Defs[id].(*types.Var); is {
		_, slice := types.Unalias(v.Type()).(*types.Slice) // without methods
		l.is[v] = slice && l.declared(id)
		return
	}
	v, is := l.In.Info.Uses[id].(*types.Var)
	if !is || !l.is[v] {
		return
	}
	function, ok := l.use(id, v)
	l.is[v] = ok && (!l.isTaken(v) || l.isSeldom(function, v))
	l.uses[v] = append(l.uses[v], listUse{id, function})
}

// declared reports whether a statement of a list declares id, with a slice that nobody else has.
func (l *lists) declared(id *ast.Ident) bool {
	var stmt ast.Stmt
	n := len(l.nodes) - 1
	switch s := l.parent().(type) {
	case *ast.AssignStmt:
		if (len(s.Lhs) != 1 || !l.isNew(s.Rhs[0])) && !l.takes(s, id) {
			return false
		}
		stmt = s
	case *ast.ValueSpec:
		if n < 2 || len(s.Values) > 0 && (len(s.Names) != 1 || !l.isNew(s.Values[0])) {
			return false
		}
		n -= 2
		stmt, _ = l.nodes[n].(*ast.DeclStmt)
	}
	return stmt != nil && n > 0 && inList(stmt, l.nodes[n-1])
}

// isNew reports whether e is nil, or a slice of which nobody else has a part.
func (l *lists) isNew(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return l.Builtin(e) == "make"
	default:
		return l.In.Info.Types[e].IsNil()
	}
}

// use returns the function that announces a use of v, the present node. It reports false if v is
// no list after all.
func (l *lists) use(id *ast.Ident, v *types.Var) (function string, ok bool) {
	var child ast.Node = id
	for i := len(l.nodes) - 1; i >= 0; i-- {
		switch n := l.nodes[i].(type) {
		case *ast.FuncLit, *ast.BlockStmt, *ast.CaseClause:
			return "Show", true
		case *ast.CommClause:
			return "Show", n.Comm != child
		case *ast.ReturnStmt:
			if l.returns(n, id) {
				return "Give", true
			}
		case *ast.IncDecStmt, *ast.GoStmt, *ast.DeferStmt:
			return "", false
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if x == child {
					return l.assigned(id, n, v)
				}
			}
		case *ast.RangeStmt:
			switch child {
			case n.Key, n.Value:
				return "", false
			case n.X:
				if child == id && l.asks(n, v) {
					return "Each", true
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && ast.Unparen(n.X) == id {
				return "", false
			}
		case *ast.CallExpr:
			if child == id && len(n.Args) > 0 && n.Args[0] == id {
				if function, is := l.argument(n, v); is {
					return function, true
				}
			}
		}
		child = l.nodes[i]
	}
	return "", false
}

// asks reports whether s, a range over v, only asks something of each element, or counts, or sets a
// key of a map for each. If no answer is yes, nobody can tell in which order the elements are.
// Otherwise, the list is shown where the body of an if statement begins, which must know v by its
// name:
//
//	for _, r := range results { if r.err != nil { t.Fatal(r.err) }; sum += r.n }
func (l *lists) asks(s *ast.RangeStmt, v *types.Var) bool {
	if s.Tok == token.ASSIGN || s.Key != nil && !unit.IsBlank(s.Key) {
		return false
	}
	var questions []ast.Expr
	changed := map[types.Object]bool{}
	for _, one := range s.Body.List {
		switch one := one.(type) {
		case *ast.IfStmt:
			if one.Init != nil || one.Else != nil || !l.means(v.Name(), one.Body.Lbrace+1, v) {
				return false
			}
			questions = append(questions, one.Cond)
		case *ast.IncDecStmt:
			changed[l.counter(one.X)] = true
		case *ast.AssignStmt:
			if one.Tok == token.ASSIGN {
				return len(s.Body.List) == 1 && l.sets(one)
			}
			if one.Tok != token.ADD_ASSIGN && one.Tok != token.SUB_ASSIGN {
				return false
			}
			changed[l.counter(one.Lhs[0])] = true
			questions = append(questions, one.Rhs[0])
		default:
			return false
		}
	}
	for _, e := range questions {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && changed[l.In.Info.Uses[id]] {
				changed[nil] = true
			}
			return true
		})
		changed[nil] = changed[nil] || !l.question(e)
	}
	return !changed[nil]
}

// counter returns the variable that e names, if it is an integer; else nil.
func (l *lists) counter(e ast.Expr) types.Object {
	id, is := ast.Unparen(e).(*ast.Ident)
	if !is || isNoInteger(l.In.Info.TypeOf(id)) {
		return nil
	}
	return l.In.Info.Uses[id]
}

// sets reports whether s, the only statement of a loop, sets keys of a map to one value. If there
// is no map, it panics at once. Equal keys must not be told apart: of 0.0 and -0.0, the map keeps
// the one that came last.
func (l *lists) sets(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 1 || l.In.Info.Types[s.Rhs[0]].Value == nil {
		return false
	}
	x, is := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !is {
		return false
	}
	_, named := ast.Unparen(x.X).(*ast.Ident)
	key, basic := l.In.Info.TypeOf(x.Index).Underlying().(*types.Basic)
	return named && basic && key.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0 &&
		unit.IsMapType(l.In.Info.TypeOf(x.X)) && l.question(x.Index)
}

// question reports whether e compares variables and constants, without calls and panics.
func (l *lists) question(e ast.Expr) bool {
	if t := l.In.Info.Types[e]; t.Value != nil || t.IsNil() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr: // of a struct, not of what a pointer leads to
		field := l.In.Info.Selections[e]
		return field != nil && field.Kind() == types.FieldVal && !field.Indirect() &&
			l.question(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && l.question(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ:
			return (l.compares(e.X) || l.compares(e.Y)) && l.question(e.X) && l.question(e.Y)
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return l.question(e.X) && l.question(e.Y)
		}
	}
	return false
}

// compares reports whether a comparison with e never panics, as that of two interfaces may.
func (l *lists) compares(e ast.Expr) bool {
	t := l.In.Info.TypeOf(e)
	if t == nil || l.In.Info.Types[e].IsNil() {
		return t != nil
	}
	_, is := t.Underlying().(*types.Basic)
	return is
}

// assigned is use for the left side of s.
func (l *lists) assigned(
	id *ast.Ident, s *ast.AssignStmt, v *types.Var,
) (function string, ok bool) {
	if len(s.Lhs) != 1 || s.Lhs[0] != id || s.Tok != token.ASSIGN {
		return "", false
	}
	if c, is := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); is && l.appends(c, v) {
		return "Grow", true
	}
	return "", l.isNew(s.Rhs[0])
}

// appends reports whether c appends one element to v.
func (l *lists) appends(c *ast.CallExpr, v *types.Var) bool {
	if l.Builtin(c) != "append" || len(c.Args) != 2 || c.Ellipsis.IsValid() {
		return false
	}
	return l.names(c.Args[0], v)
}

// names reports whether e is a name that stands for v.
func (l *lists) names(e ast.Expr, v *types.Var) bool {
	id, is := e.(*ast.Ident)
	return is && l.In.Info.Uses[id] == v
}

// argument is use for the first argument of c, the parent of the present node. It reports false if
// c does nothing special with that.
func (l *lists) argument(c *ast.CallExpr, v *types.Var) (function string, is bool) {
	switch l.Builtin(c) {
	case "len":
		return "", true
	case "append":
		s, is := l.nodes[len(l.nodes)-2].(*ast.AssignStmt)
		return "Peek", is && len(s.Lhs) == 1 && l.names(s.Lhs[0], v) && l.appends(c, v)
	case "":
		_, alone := l.nodes[len(l.nodes)-2].(*ast.ExprStmt)
		return "Sorted", alone && l.sorts(c, v)
	}
	return "", false
}

// sorts reports whether c sorts v, whose equal elements nobody can tell apart.
func (l *lists) sorts(c *ast.CallExpr, v *types.Var) bool {
	id := unit.LastIdent(ast.Unparen(c.Fun))
	if id == nil || len(c.Args) != 1 {
		return false
	}
	fn, is := l.In.Info.Uses[id].(*types.Func)
	if !is || fn.Pkg() == nil {
		return false
	}
	switch fn.FullName() {
	case "sort.Ints", "sort.Strings":
		return true
	case "slices.Sort":
		t, _ := types.Unalias(v.Type()).(*types.Slice)
		b, is := t.Elem().Underlying().(*types.Basic)
		return is && b.Info()&(types.IsInteger|types.IsString) != 0
	}
	return false
}
