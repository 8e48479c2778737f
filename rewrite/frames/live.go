// Package frames makes functions tell package hook, statement by statement, which of their
// variables they may still use: package runtime/states compares the states of programs by these
// variables.
//
// Vocabulary: a frame is an activation of a function, as in package states. A site is a statement
// that may come to an operation.
package frames

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Find makes the functions in a declaration tell about their activations. It returns the edits to
// be made at the nodes, before all others:
//
//	func f(x int) {               func f(x int) { _f := _rehearse.Enter(false); defer _f.Leave();
//	f(x)                          _f.At(0, &x, &y); f(x)                 the variables that may still be used
//	mu.Lock(); n.Add(x)           _f.At(0, &x); _f.Args(x); n.Add(x)
//	if f() {                      if _f.At(0, &x) && (f()) {             for, too
//	for i := range list {         _f.Loop(0, list); for i := range list { _f.Turn(0);
//	for v := range ch {           _f.Loop(0, ch); for _c := ch; _f.At(0, &x) ; { ...
//	defer f(x)                    _f.Defer(x); defer f(x); defer _f.Deferred()
//
// A statement calls Hides, too, if it holds values that are in no variable while it calls a
// function. A function with constructs that are not followed (goto, operations in the third clause
// of a for statement) is Blind. Iterations over maps and functions have hidden state, so all
// statements inside of them call Hides.
func Find(f *unit.File, heads map[*ast.RangeStmt][]string, d ast.Decl) map[ast.Node][]func() {
	found := map[ast.Node][]func(){}
	if !f.In.Live || f.IsCgo() {
		return found
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				frame(f, heads, n.Type, n.Body, found)
			}
		case *ast.FuncLit:
			frame(f, heads, n.Type, n.Body, found)
		}
		return true
	})
	return found
}

// activation is the search in one function.
type activation struct {
	*unit.File
	// loops over channels: calls to be made before each receive
	heads    map[*ast.RangeStmt][]string
	found    map[ast.Node][]func()
	lifetime lifetime
	sites    bool // it has statements that may come to an operation
	blind    bool
}

// around is where a statement is.
type around struct {
	depth  int        // range loops around it
	loops  []ast.Node // all loops around it, outermost first
	hidden bool       // one of them has state that is not known
}

func frame(
	f *unit.File, heads map[*ast.RangeStmt][]string, typ *ast.FuncType, body *ast.BlockStmt,
	found map[ast.Node][]func(),
) {
	a := &activation{File: f, heads: heads, found: map[ast.Node][]func(){}}
	a.lifetime = lifetimes(a.File, typ, body)
	a.block(body.List, around{})
	if !a.sites {
		return
	}
	text := fmt.Sprintf(" %s := %s%t); defer %[1]s.Leave();", a.name(), a.Hooked("Enter"),
		typ.Results.NumFields() > 0)
	if a.blind {
		text += " " + a.name() + ".Blind();"
	} else {
		for n, list := range a.found {
			found[n] = append(found[n], list...)
		}
	}
	found[body] = append(found[body], func() {
		f.Edits.Open(f.Offset(body.Lbrace)+1, edit.Text(text))
	})
}

// name is the variable that holds the frame.
func (a *activation) name() string { return a.Temp("f") }

func (a *activation) edit(n ast.Node, e func()) { a.found[n] = append(a.found[n], e) }

func (a *activation) block(list []ast.Stmt, in around) {
	for _, s := range list {
		a.stmt(s, in)
	}
}

// stmt looks at a statement of a list, and at those inside of it. It is a flat switch over the
// kinds of statements.
func (a *activation) stmt(s ast.Stmt, in around) {
	switch n := unlabelled(s).(type) {
	case *ast.BlockStmt:
		a.block(n.List, in)
	case *ast.IfStmt:
		a.before(s, in, n.Init)
		a.ifStmt(n, in)
	case *ast.ForStmt:
		a.before(s, in, n.Init)
		in.loops = append(in.loops[:len(in.loops):len(in.loops)], n)
		a.condition(n.Cond, in)
		a.blind = a.blind || a.any(n.Post)
		a.block(n.Body.List, in)
	case *ast.RangeStmt:
		a.before(s, in, n.X)
		a.rangeLoop(s, n, in)
	case *ast.SwitchStmt:
		a.before(s, in, n.Init, n.Tag)
		a.blind = a.blind || a.defines(n.Init) && a.any(n.Tag)
		a.clauses(n.Body, in)
	case *ast.TypeSwitchStmt:
		a.before(s, in, n.Init, n.Assign)
		a.blind = a.blind || a.defines(n.Init) && a.any(n.Assign)
		a.clauses(n.Body, in)
	case *ast.SelectStmt:
		a.selection(s, n, in)
	case *ast.DeferStmt:
		a.deferred(s, n)
	case *ast.BranchStmt:
		a.blind = a.blind || n.Tok == token.GOTO
	default:
		a.before(s, in, n)
	}
}

func unlabelled(s ast.Stmt) ast.Stmt {
	for {
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			return s
		}
		s = l.Stmt
	}
}

// before tells of the variables in front of s, if the parts of it that are executed first may come
// to an operation.
func (a *activation) before(s ast.Stmt, in around, parts ...ast.Node) {
	sites, operands := a.sitesOf(parts...)
	if len(sites) > 0 {
		a.tell(s, in, operands, hides(sites))
	}
}

func (a *activation) tell(s ast.Stmt, in around, operands []string, hides bool) {
	a.sites = true
	a.edit(s, func() { a.Open(s, strings.Join(a.at(s.Pos(), in, operands, hides), "; ")+"; ") })
}

// at lists the calls that tell of the variables at a position.
func (a *activation) at(pos token.Pos, in around, operands []string, hides bool) []string {
	vars, shadowed := a.lifetime.live(a.In.Types, pos, in.loops)
	calls := []string{fmt.Sprintf("%s.At(%d%s)", a.name(), in.depth, list(", &", vars))}
	if len(operands) > 0 {
		calls = append(calls, fmt.Sprintf("%s.Args(%s)", a.name(), strings.Join(operands, ", ")))
	}
	if hides || shadowed || in.hidden {
		calls = append(calls, a.name()+".Hides()")
	}
	return calls
}

// list writes each item behind a prefix.
func list(prefix string, items []string) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString(prefix + item)
	}
	return b.String()
}

// ifStmt looks at the condition and the branches.
func (a *activation) ifStmt(n *ast.IfStmt, in around) {
	a.condition(n.Cond, in)
	a.block(n.Body.List, in)
	switch e := n.Else.(type) {
	case *ast.BlockStmt:
		a.block(e.List, in)
	case *ast.IfStmt:
		a.blind = a.blind || a.any(e.Init)
		a.ifStmt(e, in)
	}
}

// condition tells of the variables before a condition is evaluated.
func (a *activation) condition(e ast.Expr, in around) {
	sites, operands := a.sitesOf(e)
	if len(sites) == 0 {
		return
	}
	a.sites = true
	if t, ok := types.Unalias(a.In.Info.TypeOf(e)).(*types.Basic); !ok ||
		t.Info()&types.IsBoolean == 0 {
		a.blind = true // it has a type of its own
		return
	}
	a.edit(e, func() {
		a.Open(e, strings.Join(a.at(e.Pos(), in, operands, hides(sites)), " && ")+" && (")
		a.Close(e, ")")
	})
}

// rangeLoop tells what the loop ranges over, and of its turns.
func (a *activation) rangeLoop(s ast.Stmt, n *ast.RangeStmt, in around) {
	inner := in
	inner.depth++
	inner.loops = append(in.loops[:len(in.loops):len(in.loops)], n)
	typ := a.In.Info.TypeOf(n.X)
	channel := unit.IsChan(typ)
	inner.hidden = in.hidden || !channel && !counted(typ)
	over, known := a.repeatable(n.X)
	inside := &activation{File: a.File, heads: a.heads, lifetime: a.lifetime, found: a.found}
	inside.block(n.Body.List, inner)
	a.blind = a.blind || inside.blind
	if !inside.sites && !channel {
		return
	}
	a.sites = true
	a.blind = a.blind || !known && !inner.hidden
	if inner.hidden {
		return
	}
	a.edit(s, func() { a.Open(s, fmt.Sprintf("%s.Loop(%d, %s); ", a.name(), in.depth, over)) })
	if channel {
		a.heads[n] = a.at(n.Pos(), around{inner.depth, inner.loops, inner.hidden}, nil, false)
		return
	}
	a.edit(n.Body, func() {
		a.Edits.Open(a.Offset(n.Body.Lbrace)+1,
			edit.Text(fmt.Sprintf(" %s.Turn(%d);", a.name(), in.depth)))
	})
}

// counted reports whether the number of turns and the operand are all the state of a range over t.
func counted(t types.Type) bool {
	if unit.IsTypeParam(t) {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array:
		return true
	case *types.Pointer:
		return unit.IsArray(t.Elem())
	}
	return false
}

// clauses looks at the clauses of a switch statement.
func (a *activation) clauses(body *ast.BlockStmt, in around) {
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			a.blind = a.blind || a.any(e)
		}
		a.block(c.Body, in)
	}
}

// selection tells of the variables before a select statement; the values that it may send are told
// when it is declared.
func (a *activation) selection(s ast.Stmt, n *ast.SelectStmt, in around) {
	inner := false
	for _, c := range n.Body.List {
		if c := c.(*ast.CommClause); c.Comm != nil {
			sites, _ := a.sitesOf(c.Comm)
			inner = inner || len(sites) > 1 // besides the communication itself
		}
	}
	a.tell(s, in, nil, inner)
	for _, c := range n.Body.List {
		a.block(c.(*ast.CommClause).Body, in)
	}
}

// deferred tells of the variables that a deferred call will use.
func (a *activation) deferred(s ast.Stmt, n *ast.DeferStmt) {
	var values []string
	switch fun := ast.Unparen(n.Call.Fun).(type) {
	case *ast.FuncLit:
		values = append(values, a.lifetime.captured(fun)...)
	case *ast.SelectorExpr:
		if sel := a.In.Info.Selections[fun]; sel != nil {
			values = append(values, a.operand(fun.X))
		}
	case *ast.Ident:
		if _, ok := a.In.Info.Uses[fun].(*types.Var); ok {
			values = append(values, fun.Name)
		}
	default:
		a.blind = true
	}
	for _, arg := range n.Call.Args {
		if !a.fixed(arg) {
			values = append(values, a.operand(arg))
		}
	}
	a.sites = true
	if a.blind {
		return
	}
	a.edit(s, func() {
		a.Open(s, fmt.Sprintf("%s.Defer(%s); ", a.name(), strings.Join(values, ", ")))
		a.Close(s, "; defer "+a.name()+".Deferred()")
	})
}

// operand is the text of an expression whose value a deferred call keeps. If the text cannot be
// written twice, the function is not followed.
func (a *activation) operand(e ast.Expr) string {
	text, ok := a.repeatable(e)
	if !ok {
		a.blind = true
	}
	if t := a.In.Info.Types[e]; t.Addressable() && !unit.IsPointer(t.Type) &&
		!strings.HasPrefix(text, "&") {
		return "&" + text
	}
	return text
}
