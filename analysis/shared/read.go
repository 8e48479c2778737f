package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// reader collects the bodies of one package: it notes which variables each form of syntax touches.
type reader struct {
	*program
	cursor
	b *body // the one that is being read
	// perIteration is whether the file's loop variables are new in each iteration.
	perIteration bool
}

func (p *program) read(pkg Package) {
	r := &reader{program: p, cursor: cursor{info: pkg.Info, inOrder: pkg.InOrder}}
	for _, obj := range pkg.Info.Defs {
		if obj != nil && obj.Pkg() != nil {
			r.outside.given[obj.Pkg()] = true
			r.outside.paths[obj.Pkg().Path()] = true
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
	inner := &reader{program: r.program, b: b, perIteration: r.perIteration,
		cursor: cursor{info: r.info, inOrder: r.inOrder, from: n}}
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
	} else if root, inside := r.rootOf(r.fset, e); inside {
		r.given[root] = true
	}
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
