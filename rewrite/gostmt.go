package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// goStmt rewrites a go statement. The function value and the arguments are evaluated where the
// statement stands, into temporaries that the function given to the hook uses.
func (f *file) goStmt(s *ast.GoStmt) {
	if f.plainFunc(s.Call) {
		f.goPlain(s)
		return
	}
	g := &spawn{file: f, stmt: s, call: s.Call}
	g.plan()
	g.write()
}

// plainFunc reports whether c calls a func() that can itself be given to the hook.
func (f *file) plainFunc(c *ast.CallExpr) bool {
	if len(c.Args) > 0 || f.builtin(c) != "" {
		return false
	}
	for _, t := range terms(f.in.Info.TypeOf(c.Fun)) {
		sig, ok := t.Underlying().(*types.Signature)
		if !ok || sig.Params().Len() > 0 || sig.Results().Len() > 0 {
			return false
		}
	}
	return true
}

// goPlain rewrites go f() into Go("f", f).
func (f *file) goPlain(s *ast.GoStmt) {
	f.replace(s.Go, s.Call.Fun.Pos(), edit.Text(f.hooked("Go")+f.spawnName(s.Call)+", "))
	f.replace(s.Call.Fun.End(), s.Call.Rparen+1, edit.Text(")"))
}

// spawn is the rewriting of one go statement that needs temporaries.
type spawn struct {
	*file
	stmt *ast.GoStmt
	call *ast.CallExpr
	kept []operand    // evaluated at the statement, in source order
	text []edit.Piece // the call as the new process makes it
}

// operand is an expression that stays where it is, and the temporaries that its values go to.
type operand struct {
	expr  ast.Expr
	temps []string
}

// plan sorts the operands into those that are evaluated and those that mean the same wherever they
// stand, and composes the call.
func (g *spawn) plan() {
	g.function()
	g.add(edit.Text("("))
	for i, arg := range g.call.Args {
		if i > 0 {
			g.add(edit.Text(", "))
		}
		g.argument(i, arg)
	}
	if g.call.Ellipsis.IsValid() {
		g.add(edit.Text("..."))
	}
	g.add(edit.Text(")"))
}

func (g *spawn) add(p edit.Piece) { g.text = append(g.text, p) }

// function plans the called function. Declared functions stay as they are, which keeps the
// inference of their type arguments; everything else is a value.
func (g *spawn) function() {
	fun := g.call.Fun
	switch b := g.builtin(g.call); {
	case b == "close":
		g.add(edit.Text(g.hook + ".Close"))
	case b != "":
		g.add(edit.Text(b))
	case g.declared(fun):
		g.add(g.source(fun))
	default:
		g.keep(fun, g.temp("f"))
	}
}

// argument plans the i-th argument.
func (g *spawn) argument(i int, arg ast.Expr) {
	switch t := g.in.Info.Types[arg]; {
	case t.Value != nil || t.IsNil() || g.declared(arg):
		g.add(g.source(arg))
	default:
		g.convert(arg, t.Type)
		g.keep(arg, g.argTemps(i, t.Type)...)
	}
}

// argTemps returns the temporaries of the i-th argument: several if it is a call with several
// results.
func (g *spawn) argTemps(i int, t types.Type) []string {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return []string{g.tempN("a", i)}
	}
	temps := make([]string, tuple.Len())
	for k := range temps {
		temps[k] = g.tempN("a", k)
	}
	return temps
}

// keep makes an operand one that is evaluated at the statement.
func (g *spawn) keep(e ast.Expr, temps ...string) {
	g.kept = append(g.kept, operand{e, temps})
	g.add(edit.Text(strings.Join(temps, ", ")))
}

// convert gives an untyped argument that is not constant the type that the function gives it.
func (g *spawn) convert(arg ast.Expr, t types.Type) {
	if !g.untypedValue(arg) || types.Identical(t, types.Typ[types.Bool]) || types.Identical(t, types.Typ[types.Int]) {
		return
	}
	text, ok := g.typeText(t, arg.Pos())
	if !ok {
		g.fail(arg.Pos(), fmt.Sprintf("the type %s of this argument cannot be named here; assign it to a variable first", t))
		return
	}
	g.open(arg, text+"(")
	g.close(arg, ")")
}

// write edits the statement. Operands stay where they are, so that what they hold keeps its lines;
// a call with several results is assigned by a statement of its own.
func (g *spawn) write() {
	if len(g.kept) == 0 {
		g.replace(g.stmt.Go, g.call.Rparen+1, g.spawnCall()...)
		return
	}
	from, sep := g.stmt.Go, "{ "
	for _, group := range g.groups() {
		for i, o := range group {
			lead := ", "
			if i == 0 {
				lead = sep + tempsOf(group) + " := "
			}
			g.replace(from, o.expr.Pos(), edit.Text(lead))
			from, sep = o.expr.End(), "; "
		}
	}
	text := append([]edit.Piece{edit.Text("; "), g.at(g.stmt.Go)}, g.spawnCall()...)
	g.replace(from, g.call.Rparen+1, append(text, edit.Text(" }"))...)
}

// spawnCall is the call of the hook.
func (g *spawn) spawnCall() []edit.Piece {
	function := "Go"
	if g.in.Live {
		function = "GoCall"
	}
	text := append([]edit.Piece{edit.Text(g.hooked(function) + g.spawnName(g.call) + ", func() { ")}, g.text...)
	return append(text, edit.Text(" })"))
}

// groups splits the operands into those that one statement assigns.
func (g *spawn) groups() [][]operand {
	last := len(g.kept) - 1
	if last > 0 && len(g.kept[last].temps) != 1 {
		return [][]operand{g.kept[:last], g.kept[last:]}
	}
	return [][]operand{g.kept}
}

// tempsOf lists the temporaries of a group.
func tempsOf(group []operand) string {
	var all []string
	for _, o := range group {
		all = append(all, o.temps...)
	}
	return strings.Join(all, ", ")
}

// declared reports whether e denotes a declared function, perhaps instantiated: nothing has to be
// evaluated.
func (f *file) declared(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.declared(e.X)
	case *ast.IndexListExpr:
		return f.declared(e.X)
	case *ast.SelectorExpr:
		return f.in.Info.Selections[e] == nil && f.declared(e.Sel)
	case *ast.Ident:
		_, ok := f.in.Info.Uses[e].(*types.Func)
		return ok
	}
	return false
}

// untypedValue reports whether e is an untyped expression, given that it is not constant or part of
// one that is not: comparisons, and shifts of untyped constants.
func (f *file) untypedValue(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && f.untypedValue(e.X)
	case *ast.BinaryExpr:
		return f.untypedBinary(e)
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return untypedConst(f.in.Info.Uses[e])
	case *ast.SelectorExpr:
		return untypedConst(f.in.Info.Uses[e.Sel])
	}
	return false
}

func (f *file) untypedBinary(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	case token.SHL, token.SHR:
		return f.untypedValue(e.X)
	}
	return f.untypedValue(e.X) && f.untypedValue(e.Y)
}

func untypedConst(obj types.Object) bool {
	c, ok := obj.(*types.Const)
	if !ok {
		return false
	}
	b, ok := c.Type().(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// spawnName is the literal that tells people what a process runs.
func (f *file) spawnName(c *ast.CallExpr) string { return strconv.Quote(f.readableName(c)) }
