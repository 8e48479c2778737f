package std

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// The accesses that methods of the library tell of: see fields.go.

// method inserts the calls of a method.
func (o *objects) method(f *file, fn *ast.FuncDecl) {
	names := map[string]string{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		for _, field := range list.List {
			star, is := field.Type.(*ast.StarExpr)
			if !is {
				continue
			}
			t, is := star.X.(*ast.Ident)
			if !is || o.fields[t.Name] == nil {
				continue
			}
			for _, id := range field.Names {
				if id.Name != "_" && !redeclared(fn.Body, id.Name) {
					names[id.Name] = t.Name
				}
			}
		}
	}
	if len(names) > 0 {
		m := method{objects: o, file: f, names: names}
		m.block(fn.Body.List, told{})
	}
}

// redeclared reports whether a name may be another variable's in a part of the body, or the
// variable is assigned to.
func redeclared(body *ast.BlockStmt, name string) (is bool) {
	named := func(e ast.Expr) bool { return isNamed(e, name) }
	called := func(id *ast.Ident) bool { return id.Name == name }
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			is = is || slices.ContainsFunc(n.Lhs, named)
		case *ast.RangeStmt:
			is = is || named(n.Key) || named(n.Value)
		case *ast.ValueSpec:
			is = is || slices.ContainsFunc(n.Names, called)
		case *ast.Field:
			is = is || slices.ContainsFunc(n.Names, called)
		}
		return !is
	})
	return is
}

// access is one to a variable.
type access struct {
	address string // as the source would take it
	write   bool
}

// told are the accesses that a point of a method comes behind.
type told map[access]bool

// method is one whose accesses are told of.
type method struct {
	*objects
	file   *file
	names  map[string]string // of pointers: the types of what they point to
	inLoop bool
}

// block tells of the statements of a block, behind what is told before.
func (m *method) block(list []ast.Stmt, before told) {
	t := maps.Clone(before)
	for _, s := range list {
		if _, is := s.(*ast.LabeledStmt); is {
			return // what jumps there comes from elsewhere
		}
		m.tell(s.Pos(), m.surely(s), t)
		m.inside(s, t)
		if mayWait(s) {
			clear(t)
		}
		if a, is := s.(*ast.AssignStmt); is && mayWait(s) {
			m.tell(s.End(), m.assigned(a), t)
		}
	}
}

// mayWait reports whether a statement may wait for other goroutines: it calls a method, or a
// function of another package.
func mayWait(s ast.Stmt) (is bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if c, call := n.(*ast.CallExpr); call {
			_, selects := ast.Unparen(c.Fun).(*ast.SelectorExpr)
			is = is || selects
		}
		return !is
	})
	return is
}

// inside tells of the blocks of a statement.
func (m *method) inside(s ast.Stmt, t told) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		m.block(s.List, t)
	case *ast.IfStmt:
		m.block(s.Body.List, t)
		if s.Else != nil {
			m.inside(s.Else, t)
		}
	case *ast.SwitchStmt:
		m.cases(s.Body, t)
	case *ast.TypeSwitchStmt:
		m.cases(s.Body, t)
	case *ast.ForStmt:
		m.loop(s.Body, t)
	case *ast.RangeStmt:
		m.loop(s.Body, t)
	}
}

func (m *method) loop(body *ast.BlockStmt, t told) {
	if !m.inLoop {
		if mayWait(body) {
			t = told{}
		}
		m.inLoop = true
		m.block(body.List, t)
		m.inLoop = false
	}
}

func (m *method) cases(body *ast.BlockStmt, t told) {
	for _, c := range body.List {
		m.block(c.(*ast.CaseClause).Body, t)
	}
}

// tell inserts the calls for those of the accesses that have not been told of.
func (m *method) tell(at token.Pos, accesses []access, t told) {
	text := ""
	for _, a := range accesses {
		if t[a] || t[access{a.address, true}] {
			continue // a write stands for a read
		}
		if strings.Count(a.address, ".") < 2 { // others may be another variable's by then
			t[a] = true
		}
		text += fmt.Sprintf(" gate.Field(gate.At(%s), %t);", a.address, a.write)
	}
	if text != "" {
		m.file.insert(at, "; "+isHere+"{"+strings.TrimSuffix(text, ";")+" }; ")
	}
}

// assigned lists the accesses of the assignments of s.
func (m *method) assigned(s *ast.AssignStmt) []access {
	c := certain{method: m}
	for _, e := range s.Lhs {
		c.writes(e)
	}
	return c.accesses
}

// surely lists the accesses that s makes in any case, before or in its first part that is evaluated
// in any case.
func (m *method) surely(s ast.Stmt) []access {
	c := certain{method: m}
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Rhs {
			c.reads(e)
		}
		if !mayWait(s) {
			c.accesses = append(c.accesses, m.assigned(s)...)
		} else if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			c.reads(s.Lhs[0])
		}
	case *ast.IncDecStmt:
		c.writes(s.X)
	case *ast.ExprStmt:
		c.reads(s.X)
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			c.reads(e)
		}
	case *ast.IfStmt:
		c.first(s.Init, s.Cond)
	case *ast.ForStmt:
		c.first(s.Init, s.Cond)
	case *ast.SwitchStmt:
		c.first(s.Init, s.Tag)
	case *ast.TypeSwitchStmt:
		c.first(s.Init, nil)
	case *ast.RangeStmt:
		c.reads(s.X)
	}
	return c.accesses
}

// certain collects accesses that are made in any case.
type certain struct {
	*method
	accesses []access
}

// first collects those of an initial statement, or of the condition if there is none.
func (c *certain) first(init ast.Stmt, cond ast.Expr) {
	if init != nil {
		c.accesses = append(c.accesses, c.surely(init)...)
	} else if cond != nil {
		c.reads(cond)
	}
}

// pointed returns the type to which e surely points; empty if it is none that is told of.
func (c *certain) pointed(e ast.Expr) string {
	if x, is := e.(*ast.Ident); is {
		return c.names[x.Name]
	}
	if star, is := c.fieldOf(e).(*ast.StarExpr); is {
		if t, is := star.X.(*ast.Ident); is && c.fields[t.Name] != nil {
			return t.Name
		}
	}
	return ""
}

// fieldOf returns the type of the field that e denotes; nil if it denotes none.
func (c *certain) fieldOf(e ast.Expr) ast.Expr {
	if s, is := e.(*ast.SelectorExpr); is {
		if t := c.pointed(s.X); t != "" {
			return c.fields[t][s.Sel.Name]
		}
	}
	return nil
}

// note collects an access to all of the field that e denotes, or to all of what a pointer points
// to.
func (c *certain) note(e ast.Expr, write bool) bool {
	e = ast.Unparen(e)
	if c.fieldOf(e) != nil {
		s := e.(*ast.SelectorExpr)
		c.within(s.X)
		c.add("&"+c.file.text(e), write)
		return true
	}
	var pointer ast.Expr
	switch e := e.(type) {
	case *ast.StarExpr:
		pointer = e.X
	case *ast.IndexExpr:
		if x, is := e.X.(*ast.Ident); is && isArray(c.types[c.names[x.Name]]) {
			c.reads(e.Index)
			pointer = x
		}
	}
	x, is := pointer.(*ast.Ident)
	if !is || c.names[x.Name] == "" || c.several[c.names[x.Name]] {
		return false
	}
	fields := c.fields[c.names[x.Name]]
	if len(fields) == 0 {
		c.add(x.Name, write)
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		c.add("&"+x.Name+"."+field, write)
	}
	return true
}

func (c *certain) add(address string, write bool) {
	c.accesses = append(c.accesses, access{address, write})
}

// writes collects the accesses of an assignment to e.
func (c *certain) writes(e ast.Expr) {
	if !c.note(e, true) {
		c.part(e)
	}
}

// part collects the accesses to what e, an operand of which a part is used, is found by.
func (c *certain) part(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		c.within(e.X)
	case *ast.IndexExpr:
		c.within(e.X)
		c.reads(e.Index)
	case *ast.StarExpr:
		c.reads(e.X)
	}
}

// within collects the accesses of what selects a part of e.
func (c *certain) within(e ast.Expr) {
	if t := c.fieldOf(ast.Unparen(e)); t != nil {
		if c.whole(t) {
			c.note(e, false)
		}
		return
	}
	switch ast.Unparen(e).(type) {
	case *ast.Ident:
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		c.part(e)
	default:
		c.reads(e)
	}
}

// reads collects the accesses of the evaluation of e.
func (c *certain) reads(e ast.Expr) {
	if c.note(e, false) {
		return
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		c.reads(e.X)
		if e.Op != token.LAND && e.Op != token.LOR {
			c.reads(e.Y)
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			c.part(e.X)
		} else {
			c.reads(e.X)
		}
	case *ast.CallExpr:
		c.call(e)
	case *ast.SliceExpr:
		c.within(e.X)
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				c.reads(i)
			}
		}
	case *ast.KeyValueExpr:
		c.reads(e.Value)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			c.reads(x)
		}
	case *ast.TypeAssertExpr:
		c.reads(e.X)
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		c.part(e)
	}
}

// call collects those of a call.
func (c *certain) call(e *ast.CallExpr) {
	if id, is := e.Fun.(*ast.Ident); is && (id.Name == "len" || id.Name == "cap") {
		c.within(e.Args[0])
		return
	}
	c.part(e.Fun)
	for _, x := range e.Args {
		c.reads(x)
	}
}
