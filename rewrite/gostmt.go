package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// goroutines rewrites go statements, and says which of their processes are twins.
type goroutines struct {
	*pass
	// local variables of the function that are not what they were made; nil: not known yet
	altered map[*types.Var]bool
	spawns  []Spawn // see Output
}

// goStmt rewrites a go statement. The function value and the arguments are evaluated where the
// statement stands, into temporaries that the function given to the hook uses. If there is nothing
// to evaluate, no temporaries are needed:
//
//	go work()            _rehearse.Go("work", work)
//	go work(1, "x")      _rehearse.Go("work", func() { work(1, "x") })
//	go work(<-c, "x")    { _a0 := _rehearse.Recv(c); _rehearse.Go("work", func() { work(_a0, "x") }) }
func (g *goroutines) goStmt(s *ast.GoStmt) {
	if g.plainFunc(s.Call) {
		g.goPlain(s)
		return
	}
	sp := &spawn{goroutines: g, stmt: s, call: s.Call}
	sp.plan()
	sp.write()
}

// plainFunc reports whether c calls a func() that can itself be given to the hook.
func (g *goroutines) plainFunc(c *ast.CallExpr) bool {
	if len(c.Args) > 0 || g.Builtin(c) != "" {
		return false
	}
	for _, t := range unit.Terms(g.In.Info.TypeOf(c.Fun)) {
		sig, ok := t.Underlying().(*types.Signature)
		if !ok || sig.Params().Len() > 0 || sig.Results().Len() > 0 {
			return false
		}
	}
	return true
}

// goPlain rewrites go f() into Go("f", f).
func (g *goroutines) goPlain(s *ast.GoStmt) {
	g.Replace(s.Go, s.Call.Fun.Pos(), edit.Text(g.Hooked("Go")+g.spawnName(s.Call)+", "))
	g.Replace(s.Call.Fun.End(), s.Call.Rparen+1, edit.Text(")"))
}

// spawn is the rewriting of one go statement that needs temporaries.
type spawn struct {
	*goroutines
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
	switch b := g.Builtin(g.call); {
	case b == "close":
		g.add(edit.Text(g.Hook + ".Close"))
	case b != "":
		g.add(edit.Text(b))
	case g.Declared(fun):
		g.add(g.Source(fun))
	default:
		g.keep(fun, g.Temp("f"))
	}
}

// argument plans the i-th argument.
func (g *spawn) argument(i int, arg ast.Expr) {
	switch t := g.In.Info.Types[arg]; {
	case t.Value != nil || t.IsNil() || g.Declared(arg):
		g.add(g.Source(arg))
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
		return []string{g.TempN("a", i)}
	}
	temps := make([]string, tuple.Len())
	for k := range temps {
		temps[k] = g.TempN("a", k)
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
	if !g.UntypedValue(arg) || types.Identical(t, types.Typ[types.Bool]) ||
		types.Identical(t, types.Typ[types.Int]) {
		return
	}
	text, ok := g.TypeText(t, arg.Pos())
	if !ok {
		g.Fail(arg.Pos(), fmt.Sprintf(
			"the type %s of this argument cannot be named here; assign it to a variable first", t))
		return
	}
	g.Open(arg, text+"(")
	g.Close(arg, ")")
}

// write edits the statement. Operands stay where they are, so that literals in them keep their
// lines; a call with several results is assigned by a statement of its own.
func (g *spawn) write() {
	if len(g.kept) == 0 {
		g.Replace(g.stmt.Go, g.call.Rparen+1, g.spawnCall()...)
		return
	}
	from, sep := g.stmt.Go, "{ "
	for _, group := range g.groups() {
		for i, o := range group {
			lead := ", "
			if i == 0 {
				lead = sep + tempsOf(group) + " := "
			}
			g.Replace(from, o.expr.Pos(), edit.Text(lead))
			from, sep = o.expr.End(), "; "
		}
	}
	text := append([]edit.Piece{edit.Text("; "), g.At(g.stmt.Go)}, g.spawnCall()...)
	g.Replace(from, g.call.Rparen+1, append(text, edit.Text(" }"))...)
}

// spawnCall is the call of the hook.
func (g *spawn) spawnCall() []edit.Piece {
	function := "Go"
	if g.In.Live {
		function = "GoCall"
	}
	text := append([]edit.Piece{edit.Text(g.Hooked(function) + g.spawnName(g.call) +
		", func() { ")},
		g.text...)
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

// spawnName is the literal that tells people what a process runs.
func (g *goroutines) spawnName(c *ast.CallExpr) string { return strconv.Quote(g.readableName(c)) }
