package actors

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// dispatch is one switch over the message.
type dispatch struct {
	by      facts.KindOf
	part    string // of the message that it looks at: "", ".op", ".head.kind"
	clauses []clause
	inner   bool // in a loop inside of the task: it may run several times for one message
	fixed   bool // the part stays what it is for as long as the task runs
}

// clause is one case of a dispatch.
type clause struct {
	syntax *ast.CaseClause
	keys   []string // of its kinds; none for default
	kinds  []string // parallel to keys: as written
	tests  []test   // parallel to keys
	wide   bool     // a type of it is an interface: messages of other kinds may get here
}

// switches divides t by its switches over the message. It leaves alone a switch in a case of
// another one, and a switch over another part of the message than the first one.
func (t task) switches() []task {
	var out []task
	ds := t.dispatches()
	for _, d := range ds {
		for i, c := range d.clauses {
			for _, part := range t.each(d, c, d.body(i)) {
				out = join(out, part)
			}
		}
	}
	for i := range out {
		out[i].pass, out[i].fail = results(ds, out[i])
	}
	return out
}

// dispatches finds the switches over that part of the message that the first of them looks at.
func (t task) dispatches() []dispatch {
	var out []dispatch
	var loops []ast.Node
	t.walk(func(n ast.Node) bool {
		for len(loops) > 0 && n.Pos() >= loops[len(loops)-1].End() {
			loops = loops[:len(loops)-1]
		}
		var d *dispatch
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, n)
		case *ast.TypeSwitchStmt:
			d = t.byType(n)
		case *ast.SwitchStmt:
			d = t.byConstant(n)
		}
		if d == nil {
			return true
		}
		if len(out) == 0 || out[0].by == d.by && out[0].part == d.part {
			d.inner = len(loops) > 0
			out = append(out, *d)
		}
		return false
	})
	return out
}

func (t task) byType(n *ast.TypeSwitchStmt) *dispatch {
	x := subject(n)
	if !t.isMessage(x) {
		return nil
	}
	d := &dispatch{by: facts.ByType, part: t.partOf(x), fixed: t.isFixed(x)}
	for _, s := range n.Body.List {
		c := clause{syntax: s.(*ast.CaseClause)}
		for _, e := range c.syntax.List {
			typ := t.info.TypeOf(e)
			k := types.TypeString(typ, nil)
			c.keys = append(c.keys, k)
			c.kinds = append(c.kinds, types.ExprString(e))
			c.wide = c.wide || types.IsInterface(typ)
			if t.info.Types[e].IsNil() {
				c.tests = append(c.tests, test{pos: e.Pos()})
			} else {
				c.tests = append(c.tests, test{c.syntax.Case, k})
			}
		}
		d.clauses = append(d.clauses, c)
	}
	return d
}

// byConstant returns nil if a case is not a constant: the switch is a computation, not a dispatch.
// A switch without a tag is one if each case compares the same part of the message with a constant.
func (t task) byConstant(n *ast.SwitchStmt) *dispatch {
	d := &dispatch{by: facts.ByConstant}
	first := true
	for _, s := range n.Body.List {
		c := clause{syntax: s.(*ast.CaseClause)}
		for _, e := range c.syntax.List {
			x, v, pos := n.Tag, e, e.Pos()
			if x == nil {
				x, v, pos = equality(e)
			}
			if x == nil || !t.isMessage(x) || t.info.Types[v].Value == nil ||
				!first && d.part != t.partOf(x) {
				return nil
			}
			first = false
			d.part, d.fixed = t.partOf(x), t.isFixed(x)
			c.keys = append(c.keys, key(t.info.Types[v].Value))
			c.kinds = append(c.kinds, types.ExprString(v))
			c.tests = append(c.tests, test{pos: pos})
		}
		d.clauses = append(d.clauses, c)
	}
	if first {
		return nil // no case, or default only
	}
	return d
}

// equality returns the operands of e if it is x == v, and where the operator is.
func equality(e ast.Expr) (x, v ast.Expr, pos token.Pos) {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL {
		return nil, nil, token.NoPos
	}
	return b.X, b.Y, b.OpPos
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// body returns the statements of clause i, and of those it falls through to.
func (d *dispatch) body(i int) []ast.Stmt {
	c := d.clauses[i].syntax
	if fallsThrough(c) && i+1 < len(d.clauses) {
		return append(c.Body[:len(c.Body):len(c.Body)], d.body(i+1)...)
	}
	return c.Body
}

// each returns one task per kind of the clause c of d.
func (t task) each(d dispatch, c clause, body []ast.Stmt) []task {
	part := task{info: t.info, body: body, msg: t.msg, base: t.base, pos: c.syntax.Case, by: d.by,
		part: d.part, wide: c.wide, kept: d.fixed, via: t.via}
	if obj := t.info.Implicits[c.syntax]; obj != nil {
		part.msg = append(part.msg[:len(part.msg):len(part.msg)], obj)
	}
	if c.syntax.List == nil {
		part.kind = "default"
		return []task{part}
	}
	var out []task
	for i := range c.keys {
		part.kind, part.key = c.kinds[i], c.keys[i]
		out = append(out, part)
	}
	return out
}

// join adds part to tasks. Clauses of several switches for one kind belong to one task.
func join(tasks []task, part task) []task {
	for i := range tasks {
		if t := &tasks[i]; t.key == part.key {
			t.body = append(t.body[:len(t.body):len(t.body)], part.body...)
			t.msg = append(t.msg[:len(t.msg):len(t.msg)], part.msg...)
			return tasks
		}
	}
	return append(tasks, part)
}

// results returns which tests of ds a message of t's kind passes, and which it fails. A single
// switch that runs once defines the kinds. Otherwise the message must not change between the
// switches, and its kind must be exact.
func results(ds []dispatch, t task) (pass, fail []test) {
	once := len(ds) == 1 && !ds[0].inner
	for _, d := range ds {
		if !once && (!d.fixed || t.key == "" ||
			slices.ContainsFunc(ds, func(d dispatch) bool { return d.isWide(t.key) })) {
			return nil, nil
		}
		for _, c := range d.clauses {
			for i, k := range c.keys {
				switch {
				case k == t.key:
					pass = append(pass, c.tests[i])
				case once || !c.wide || d.has(t.key):
					fail = append(fail, c.tests[i])
				}
			}
		}
	}
	return pass, fail
}

func (d dispatch) has(key string) bool {
	return slices.ContainsFunc(d.clauses, func(c clause) bool {
		return slices.Contains(c.keys, key)
	})
}

// isWide reports whether the kind is of a clause of interfaces.
func (d dispatch) isWide(key string) bool {
	return slices.ContainsFunc(d.clauses,
		func(c clause) bool { return c.wide && slices.Contains(c.keys, key) })
}

// subject returns the x of switch x.(type).
func subject(n *ast.TypeSwitchStmt) ast.Expr {
	var e ast.Expr
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		e = a.Rhs[0]
	case *ast.ExprStmt:
		e = a.X
	}
	if x, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
		return x.X
	}
	return e
}

// partOf returns which part of the message e is: ".head.op" for cmd.op if op is a field of the
// embedded head.
func (t task) partOf(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return t.partOf(x.X) + t.selected(x)
	case *ast.StarExpr:
		return t.partOf(x.X)
	case *ast.TypeAssertExpr:
		return t.partOf(x.X)
	case *ast.CallExpr:
		return t.partOf(x.Fun) + "()"
	case *ast.UnaryExpr:
		return t.partOf(x.X)
	case *ast.Ident:
		return t.base[t.info.ObjectOf(x)]
	}
	return ""
}

// selected returns the fields that x goes through.
func (t task) selected(x *ast.SelectorExpr) string {
	sel := t.info.Selections[x]
	if sel == nil || sel.Kind() != types.FieldVal {
		return "." + x.Sel.Name
	}
	path := ""
	typ := sel.Recv()
	for _, i := range sel.Index() {
		f := kernel.Deref(typ).Underlying().(*types.Struct).Field(i)
		path, typ = path+"."+f.Name(), f.Type()
	}
	return path
}

// isFixed reports whether nothing in t can change e, the message or a part of it: no call, no
// pointer on the way, and no assignment.
func (t task) isFixed(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if _, ok := t.info.TypeOf(x.X).Underlying().(*types.Pointer); ok {
				return false
			}
			e = x.X
		case *ast.UnaryExpr, *ast.Ident:
			return !t.assigned()
		default:
			return false
		}
	}
}

// assigned reports whether t assigns to a variable of the message or takes its address.
func (t task) assigned() bool {
	found := false
	for _, s := range t.body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				found = found || n.Tok != token.DEFINE && ast.Unparen(n.Rhs[0]) != t.recv &&
					slices.ContainsFunc(n.Lhs, t.isMessage)
			case *ast.IncDecStmt:
				found = found || t.isMessage(n.X)
			case *ast.UnaryExpr:
				found = found || n.Op == token.AND && t.isMessage(n.X)
			case *ast.SelectorExpr:
				found = found || t.takesAddress(n)
			}
			return !found
		})
	}
	return found
}

// takesAddress reports whether n is a method that gets the address of the message, or of a part of
// it, as its receiver.
func (t task) takesAddress(n *ast.SelectorExpr) bool {
	sel := t.info.Selections[n]
	if sel == nil || sel.Kind() != types.MethodVal || !t.isMessage(n.X) {
		return false
	}
	_, ptr := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	_, have := t.info.TypeOf(n.X).Underlying().(*types.Pointer)
	return ptr && !have
}
