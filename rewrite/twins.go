package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Twins: the processes that one go statement starts in one run of a loop, if nobody can tell them
// apart before they move. So all must do the same, with the same variables. The process that starts
// them must do nothing in between that a data race could show: it would happen before the later
// twins, and be concurrent with the earlier ones.
//
// A loop starts twins only under three conditions. It does nothing but start processes, and call
// Add of a WaitGroup. Each turn evaluates the same values, and reads no variable that others may
// write. No process is given the loop's own variable. The text tells all this, so nothing has to be
// compared when the program runs. Package hook is told that such a loop begins (Twins), and which
// of its statements starts a process (Twin).
//
// A loop with a label is none of these: a goto may come back to it.

// twins tells of such loops among the statements of a block.
func (g *goroutines) twins(list []ast.Stmt) {
	if !g.In.Twins || g.decl == nil {
		return
	}
	for _, s := range list {
		l := &twinLoop{goroutines: g}
		if l.header(s) && l.body() {
			g.Open(s, g.Hooked("Twins")+"); ")
			for k, spawn := range l.spawns {
				g.Open(spawn, fmt.Sprintf("%s%d); ", g.Hooked("Twin"), k))
			}
		}
		g.noteSpawns(l)
	}
}

// twinLoop is a loop that may start twins.
type twinLoop struct {
	*goroutines
	loop   ast.Stmt
	block  *ast.BlockStmt
	spawns []ast.Stmt
	why    string // it starts none
}

// header reports whether s is a loop whose turns differ in its own variable at most.
func (l *twinLoop) header(s ast.Stmt) bool {
	l.loop = s
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return l.header(s.Stmt) && l.not("the loop has a label: a goto may come back to it")
	case *ast.RangeStmt:
		l.block = s.Body
		own := (s.Key == nil || s.Tok == token.DEFINE || unit.IsBlank(s.Key)) &&
			(s.Value == nil || unit.IsBlank(s.Value))
		return own && l.counts(s.X) ||
			l.not("the loop does more than count: it evaluates something at each turn")
	case *ast.ForStmt:
		l.block = s.Body
		return l.bounded(s) || l.not("the loop is none that counts up to what stays the same")
	}
	return false
}

// bounded reports whether s counts a variable of its own, up or down to a value that stays the
// same.
func (l *twinLoop) bounded(s *ast.ForStmt) bool {
	init, ok1 := s.Init.(*ast.AssignStmt)
	cond, ok2 := s.Cond.(*ast.BinaryExpr)
	post, ok3 := s.Post.(*ast.IncDecStmt)
	if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return false
	}
	v := l.In.Info.Defs[init.Lhs[0].(*ast.Ident)]
	return v != nil && l.Is(post.X, v) &&
		(l.Is(cond.X, v) && l.steady(cond.Y) || l.Is(cond.Y, v) && l.steady(cond.X))
}

// counts reports whether a range over x without values reads nothing from turn to turn.
func (l *twinLoop) counts(x ast.Expr) bool {
	switch t := l.In.Info.TypeOf(x).Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsInteger != 0
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

// body reports whether the loop does nothing but start processes that are twins, and says so of a
// WaitGroup.
func (l *twinLoop) body() bool {
	for _, s := range l.block.List {
		if call := l.spawning(s); call == nil {
			return l.not(
				"the loop does more than start goroutines and call WaitGroup.Add: see line %d",
				l.Tok.Line(s.Pos()))
		} else if !l.evaluates(call) {
			return false
		}
	}
	return len(l.spawns) > 0
}

// spawning returns the call of s, if that starts a process, or says how many more a WaitGroup is to
// wait for.
func (l *twinLoop) spawning(s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.GoStmt:
		l.spawns = append(l.spawns, s)
		return s.Call
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		switch {
		case !ok:
		case l.starts(call):
			l.spawns = append(l.spawns, s)
			return call
		case l.function(call) == "(*sync.WaitGroup).Add" &&
			l.In.Info.Types[call.Args[0]].Value != nil:
			return call
		}
	}
	return nil
}

// starts reports whether a call that is no go statement starts a process.
func (g *goroutines) starts(call *ast.CallExpr) bool {
	return g.function(call) == "(*sync.WaitGroup).Go"
}

// evaluates reports whether the function and the arguments of a call are the same at each turn.
func (l *twinLoop) evaluates(call *ast.CallExpr) bool {
	if l.Builtin(call) != "" || l.In.Info.Types[call.Fun].IsType() {
		return l.not("%s is no function that can be told from others", types.ExprString(call.Fun))
	}
	for _, e := range append([]ast.Expr{call.Fun}, call.Args...) {
		if !l.steady(e) {
			return l.not("%s", l.unsteady(e))
		}
	}
	return true
}

// steady reports whether e is the same at each turn of the loop, and is not read from a variable
// that may change.
func (l *twinLoop) steady(e ast.Expr) bool {
	e = ast.Unparen(e)
	if t := l.In.Info.Types[e]; t.Value != nil || t.IsNil() || l.Declared(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := l.In.Info.Uses[e].(*types.Var)
		return ok && l.outside(v) && !isPackageLevel(v) && !l.changes(v)
	case *ast.FuncLit:
		return l.own(e) == nil
	case *ast.UnaryExpr:
		return e.Op == token.AND && l.place(e.X)
	case *ast.SelectorExpr:
		return l.method(e)
	}
	return false
}

// method reports whether e is a method whose receiver is the same at each turn.
func (l *twinLoop) method(e *ast.SelectorExpr) bool {
	s := l.In.Info.Selections[e]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return false
	}
	_, isPointer := s.Recv().Underlying().(*types.Pointer)
	if byPointer(s) && !isPointer {
		return l.place(e.X)
	}
	return byPointer(s) == isPointer && l.steady(e.X)
}

func byPointer(s *types.Selection) bool {
	_, ok := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return ok
}

// place reports whether e is a variable from outside the loop, or a field of one, whose address can
// be taken without reading a variable that may change.
func (l *twinLoop) place(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := l.In.Info.Uses[e].(*types.Var)
		return ok && l.outside(v)
	case *ast.SelectorExpr:
		s := l.In.Info.Selections[e]
		if s == nil {
			_, isVar := l.In.Info.Uses[e.Sel].(*types.Var)
			return isVar // of another package
		}
		if s.Kind() != types.FieldVal || len(s.Index()) != 1 {
			return false
		}
		if _, isPointer := s.Recv().Underlying().(*types.Pointer); isPointer {
			return l.steady(e.X)
		}
		return l.place(e.X)
	}
	return false
}

func isPackageLevel(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// outside reports whether v is not made in the loop, nor by it.
func (l *twinLoop) outside(v *types.Var) bool {
	return v.Pos() < l.loop.Pos() || v.Pos() >= l.loop.End()
}

// changes reports whether local variable v of the function may be something else than what it was
// made: it is assigned to, or something has its address.
func (g *goroutines) changes(v *types.Var) bool {
	if g.altered == nil {
		g.altered = map[*types.Var]bool{}
		ast.Inspect(g.decl, func(n ast.Node) bool {
			g.noteChange(n)
			return true
		})
	}
	return g.altered[v]
}

// noteChange takes down the variables that n itself changes, or takes the address of.
func (g *goroutines) noteChange(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			g.noteVar(e)
		}
	case *ast.IncDecStmt:
		g.noteVar(n.X)
	case *ast.RangeStmt:
		g.noteVar(n.Key)
		g.noteVar(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			g.noteVar(n.X)
		}
	case *ast.SliceExpr:
		g.noteVar(n.X)
	case *ast.SelectorExpr:
		if s := g.In.Info.Selections[n]; s != nil && s.Kind() == types.MethodVal && byPointer(s) {
			g.noteVar(n) // the method may have its address
		}
	}
}

// noteVar takes down the variable that e is, or is a part of.
func (g *goroutines) noteVar(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		g.noteVar(e.X)
	case *ast.SelectorExpr:
		g.notePart(e.X)
	case *ast.IndexExpr:
		g.notePart(e.X)
	case *ast.Ident:
		if v, ok := g.In.Info.Uses[e].(*types.Var); ok {
			g.altered[v] = true
		}
	}
}

// notePart takes down the variable of which x is a part, unless x leads to another one.
func (g *goroutines) notePart(x ast.Expr) {
	t := g.In.Info.TypeOf(x)
	if t == nil {
		return // a package
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
	default:
		g.noteVar(x)
	}
}

// Spawn is a go statement of a loop, or a call there that starts a goroutine.
type Spawn struct {
	Pos token.Position
	Why string // why the goroutines that it starts are no twins; empty: they are
}

// not says why the loop starts no twins. The first reason counts.
func (l *twinLoop) not(format string, args ...any) bool {
	if l.why == "" {
		l.why = fmt.Sprintf(format, args...)
	}
	return false
}

// noteSpawns takes down the goroutines that l starts, without those of loops and functions in it.
func (g *goroutines) noteSpawns(l *twinLoop) {
	if l.block == nil {
		return
	}
	ast.Inspect(l.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.GoStmt:
			g.spawns = append(g.spawns, Spawn{g.In.Fset.Position(n.Pos()), l.why})
		case *ast.CallExpr:
			if g.starts(n) {
				g.spawns = append(g.spawns, Spawn{g.In.Fset.Position(n.Pos()), l.why})
			}
		}
		return true
	})
}

// unsteady says why e may be something else at each turn.
func (l *twinLoop) unsteady(e ast.Expr) string {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.FuncLit); ok {
		return fmt.Sprintf("each has a variable %s of its own", l.own(lit).Name())
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return fmt.Sprintf("%s is evaluated at each turn", types.ExprString(e))
	}
	switch v, ok := l.In.Info.Uses[id].(*types.Var); {
	case ok && !l.outside(v):
		return fmt.Sprintf("%s is another one at each turn", id.Name)
	case ok && isPackageLevel(v):
		return fmt.Sprintf("%s is a package-level variable, and others may change it", id.Name)
	}
	return fmt.Sprintf("%s changes, or its address is taken", id.Name)
}

// own returns the first variable of the loop that function literal e uses, and does not make; nil
// if there is none.
func (l *twinLoop) own(e *ast.FuncLit) (own *types.Var) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && own == nil {
			v, isVar := l.In.Info.Uses[id].(*types.Var)
			if isVar && !v.IsField() && !l.outside(v) && (v.Pos() < e.Pos() || v.Pos() >= e.End()) {
				own = v
			}
		}
		return own == nil
	})
	return own
}
