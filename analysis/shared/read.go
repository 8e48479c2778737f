package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// reader collects the bodies of one package. It has a method for each form of syntax that uses a
// variable.
type reader struct {
	*program
	info *types.Info
	// inOrder is as in Package.
	inOrder bool
	b       *body      // the one that is being read
	from    ast.Node   // its declaration or literal
	path    []ast.Node // from there down to the present node
	// perIteration is whether the file's loop variables are new in each iteration.
	perIteration bool
}

func (p *program) read(pkg Package) {
	r := &reader{program: p, info: pkg.Info, inOrder: pkg.InOrder}
	for _, obj := range pkg.Info.Defs {
		if obj != nil && obj.Pkg() != nil {
			r.outside.given[obj.Pkg()] = true
		}
	}
	for _, f := range pkg.Files {
		r.perIteration = PerIteration(pkg.Info, f, pkg.GoVersion)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				r.declared(d)
			case *ast.GenDecl:
				// the literals of package-level variables are functions that are used as values
				r.body(d, at(p.fset, d.Pos()), isInit)
			}
		}
	}
}

// isInit marks the initialisers of package-level variables as code that runs before the tests.
const isInit = true

func (r *reader) declared(d *ast.FuncDecl) {
	if d.Body == nil {
		return
	}
	k := at(r.fset, d.Name.Pos())
	if d.Recv != nil {
		name := method(d.Name.Name)
		r.methods[name] = append(r.methods[name], k)
		if fn, is := r.info.Defs[d.Name].(*types.Func); is {
			r.outside.declare(fn, k)
		}
	}
	r.body(d, k, isTest(d))
}

// body reads the code of n; literals inside of it are bodies of their own.
func (r *reader) body(n ast.Node, k key, test bool) {
	if r.bodies[k] != nil {
		return // another variant of the package has it
	}
	b := &body{at: k, test: test, touches: map[key]kind{}}
	r.bodies[k] = b
	r.order = append(r.order, b)
	inner := &reader{
		program: r.program, info: r.info, inOrder: r.inOrder, b: b, from: n,
		perIteration: r.perIteration,
	}
	ast.Inspect(n, inner.visit)
}

// visit keeps the path and reads one node.
func (r *reader) visit(n ast.Node) bool {
	if n == nil {
		r.path = r.path[:len(r.path)-1]
		return true
	}
	if lit, ok := n.(*ast.FuncLit); ok && n != r.from {
		k := at(r.fset, lit.Pos())
		r.use(k, lit)
		r.body(lit, k, false)
		return false
	}
	if body, ok := n.(*ast.BlockStmt); ok && n != r.from && r.isService(body) {
		k := at(r.fset, body.Pos())
		r.b.starts, r.b.calls = append(r.b.starts, start{k, looped}), append(r.b.calls, k)
		r.body(body, k, false)
		if s, is := r.parent().(*ast.RangeStmt); is {
			r.inCommon(s, r.bodies[k])
		}
		return false
	}
	r.node(n)
	r.path = append(r.path, n)
	return true
}

// looped marks a function that is started again and again.
const looped = true

func (r *reader) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		r.ident(n)
		r.instantiate(n)
	case *ast.SelectorExpr:
		r.selector(n)
	case *ast.StarExpr:
		if t := r.info.TypeOf(n); t != nil && !r.info.Types[n].IsType() {
			r.touch(target(t), r.kindOf(n))
			r.touch(element(t), r.kindOf(n))
			r.whole(n, t)
		}
	case *ast.IndexExpr:
		r.index(n)
	case *ast.RangeStmt:
		r.rangeOver(n)
	case *ast.ReturnStmt:
		r.results(n)
	case *ast.CallExpr:
		r.call(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			r.point(n.X)
			r.lend(n.X)
		}
	case *ast.SliceExpr:
		if t := r.info.TypeOf(n.X); t != nil && kernel.Is[*types.Array](t) {
			r.lend(n.X)
		}
	}
}

// lend notes that the address of a part of the variable that e begins with is taken.
func (r *reader) lend(e ast.Expr) {
	if v := Root(r.info, e); v != nil {
		r.lent[at(r.fset, v.Pos())] = true
	} else if root, inside := r.rootOf(e); inside {
		r.given[root] = true
	}
}

// Root returns the variable that e is, or is a part of, by fields and elements of arrays; nil if it
// is behind a pointer, or no variable with a name of its own.
func Root(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal &&
			!sel.Indirect() {
			return Root(info, e.X)
		}
	case *ast.IndexExpr:
		if _, ok := info.TypeOf(e.X).Underlying().(*types.Array); ok {
			return Root(info, e.X)
		}
	}
	return nil
}

// point notes that the address of a variable is taken.
func (r *reader) point(e ast.Expr) {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return
	}
	if v, ok := r.info.Uses[id].(*types.Var); ok {
		r.pointed[at(r.fset, v.Origin().Pos())] = true
	}
}

// ident notes the use of a variable or a function by its name alone.
func (r *reader) ident(id *ast.Ident) {
	if v, ok := r.info.Defs[id].(*types.Var); ok {
		r.define(v, id)
	}
	switch obj := r.info.Uses[id].(type) {
	case *types.Var:
		r.outside.mention(obj.Type())
		if !obj.IsField() {
			r.variable(obj, id)
		}
	case *types.Func:
		r.outside.mention(obj.Type())
		if _, selected := r.parent().(*ast.SelectorExpr); !selected {
			r.use(at(r.fset, obj.Origin().Pos()), id)
		}
	}
}

// selector notes the use of a field, method, or function or variable of another package.
func (r *reader) selector(n *ast.SelectorExpr) {
	switch obj := r.info.Uses[n.Sel].(type) {
	case *types.Var:
		if obj.IsField() {
			r.variable(obj, n)
		}
	case *types.Func:
		k := at(r.fset, obj.Origin().Pos())
		if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			k = method(obj.Name())
		}
		switch recv := obj.Signature().Recv(); {
		case recv == nil:
		case types.IsInterface(recv.Type()) && Emits(obj):
			r.emits()
		case kernel.Is[*types.Pointer](recv.Type()):
			r.lend(n.X)
			r.used(n, obj)
		case kernel.Is[*types.Map](recv.Type()):
			r.used(n, obj)
			r.copied(r.info.Selections[n])
		case !types.IsInterface(recv.Type()):
			r.copied(r.info.Selections[n])
		}
		r.use(k, n)
	}
	if sel := r.info.Selections[n]; sel != nil {
		r.embedded(sel)
	}
}

func (r *reader) variable(v *types.Var, e ast.Expr) {
	k := r.kindOf(e)
	r.give(v, e)
	r.whole(e, v.Type())
	if !v.IsField() && r.from.Pos() <= v.Pos() && v.Pos() < r.from.End() {
		k |= own
	}
	name := at(r.fset, v.Origin().Pos())
	r.touch(name, k)
	r.touch(target(v.Type()), k&^own)
}

func (r *reader) touch(v key, k kind) { r.b.touches[v] |= k }

func (r *reader) parent() ast.Node {
	if len(r.path) == 0 {
		return nil
	}
	return r.path[len(r.path)-1]
}

// kindOf says whether e, or an element of it, is written where it stands.
func (r *reader) kindOf(e ast.Expr) kind {
	for i := len(r.path) - 1; i >= 0; i-- {
		switch n := r.path[i].(type) {
		case *ast.ParenExpr:
			e = n
		case *ast.IndexExpr:
			if n.X != e {
				return reads | plainly
			}
			e = n
		case *ast.SelectorExpr:
			// a field of a struct that e is; behind a pointer it is another variable
			sel := r.info.Selections[n]
			if n.X != e || sel == nil || sel.Kind() != types.FieldVal || sel.Indirect() {
				return reads | plainly
			}
			e = n
		case *ast.AssignStmt: // := may assign to a variable that there is already
			return written(slices.Contains(n.Lhs, e))
		case *ast.IncDecStmt:
			return writes | reads | plainly
		case *ast.RangeStmt:
			return written(n.Tok == token.ASSIGN && (n.Key == e || n.Value == e))
		case *ast.UnaryExpr: // its address
			if n.Op == token.AND && i > 0 {
				return r.addressed(n, r.path[i-1])
			}
			return reads | plainly
		case *ast.CallExpr:
			return written(r.isDelete(n) && n.Args[0] == e)
		default:
			return reads | plainly
		}
	}
	return reads | plainly
}

func written(is bool) kind {
	if is {
		return writes | reads | plainly
	}
	return reads | plainly
}

// isDelete reports whether a call takes elements out of a map.
func (r *reader) isDelete(c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := r.info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "delete" || b.Name() == "clear")
}

// use notes that a function is called or, if it is used as a value, that others may start it.
func (r *reader) use(f key, e ast.Expr) {
	looped := r.looped()
	r.sites[f]++
	if looped {
		r.sites[f]++
	}
	call, called := r.parent().(*ast.CallExpr)
	called = called && ast.Unparen(call.Fun) == e
	if called && !r.started(call) {
		r.b.calls = append(r.b.calls, f)
		return
	}
	r.b.starts = append(r.b.starts, start{f, looped})
	if !called {
		r.b.calls = append(r.b.calls, f)
	}
}

// started reports whether a call is that of a go statement.
func (r *reader) started(call *ast.CallExpr) bool {
	if len(r.path) < 2 {
		return false
	}
	s, ok := r.path[len(r.path)-2].(*ast.GoStmt)
	return ok && s.Call == call
}

// looped reports whether the present node is in a loop of its body.
func (r *reader) looped() bool {
	for _, n := range r.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
	}
	return false
}
