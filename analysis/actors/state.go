package actors

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// access is how one variable is used.
type access struct {
	obj         *types.Var
	name        string
	where       facts.Where
	read, write bool
}

// accesses collects the variables that an actor uses.
type accesses struct {
	info  *types.Info
	p     *tasks
	owner types.Type // the struct whose fields count, or nil
	// what local and captured variables are declared before; nil if they do not count
	loop  ast.Node
	fn    ast.Node // the function of loop
	byPos map[token.Pos]*access
	noted map[ast.Expr]bool // occurrences that are no reads
}

// state finds the fields and package variables that g's functions use, and the functions that are
// its messages, and the local and captured variables of its receive loops.
func (p *tasks) state(g *Goroutine, hs []*Handler) []facts.State {
	a := &accesses{p: p, owner: p.receiver(g), byPos: map[token.Pos]*access{},
		noted: map[ast.Expr]bool{}}
	for _, r := range g.runs {
		a.function(r.fn)
	}
	for _, h := range hs {
		if h.task.root != nil {
			a.function(h.task.root)
		}
	}
	for _, r := range g.Receives {
		if r.run.looped {
			continue // its variables do not outlive the call
		}
		a.info, a.loop, a.fn = r.site.info, r.site.loop(), r.site.fn
		a.visit(a.loop)
	}
	return a.facts(p)
}

// receiver returns the struct whose method runs g's first receive loop, or the root; nil if neither
// is a method.
func (p *tasks) receiver(g *Goroutine) types.Type {
	for _, fn := range []*ssa.Function{g.Receives[0].run.fn, g.Root} {
		if recv := fn.Signature.Recv(); recv != nil {
			return kernel.Deref(recv.Type())
		}
	}
	return nil
}

// function notes what fn uses of fields and package variables.
func (a *accesses) function(fn *ssa.Function) {
	if f, ok := a.p.syntax[fn.Pos()]; ok && f.body != nil {
		a.info, a.loop, a.fn = f.info, nil, f.node
		a.visit(f.body)
	}
}

func (a *accesses) visit(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false // another goroutine's accesses
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				a.note(e, n.Tok != token.ASSIGN && n.Tok != token.DEFINE, true)
			}
		case *ast.IncDecStmt:
			a.note(n.X, true, true)
		case *ast.UnaryExpr:
			a.note(n.X, n.Op == token.AND, n.Op == token.AND)
		case *ast.CallExpr:
			a.call(n)
		case *ast.RangeStmt:
			a.note(n.Key, false, n.Tok == token.ASSIGN)
			a.note(n.Value, false, n.Tok == token.ASSIGN)
		case *ast.SelectorExpr, *ast.Ident:
			a.use(n.(ast.Expr))
		}
		return true
	})
}

// call notes builtins that write to their argument and methods that may write to their receiver.
func (a *accesses) call(n *ast.CallExpr) {
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		if (f.Name == "delete" || f.Name == "clear" || f.Name == "copy") && len(n.Args) > 0 {
			a.note(n.Args[0], true, true)
		}
	case *ast.SelectorExpr:
		sel := a.info.Selections[f]
		if sel == nil || sel.Kind() != types.MethodVal {
			return
		}
		a.note(f.X, true, a.p.mutates(sel.Obj().(*types.Func)))
	}
}

// note records an access to the variable or field that e is, or is an element of.
func (a *accesses) note(e ast.Expr, read, write bool) {
	if e == nil || !read && !write {
		return
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		a.note(x.X, true, write)
	case *ast.StarExpr:
		a.note(x.X, true, write)
	case *ast.SelectorExpr:
		if !a.mark(x, read, write) {
			a.note(x.X, read, write)
		}
	case *ast.Ident:
		a.mark(x, read, write)
	}
}

// mark records an access to e itself; false if e is not state.
func (a *accesses) mark(e ast.Expr, read, write bool) bool {
	v := a.find(e)
	if v == nil {
		return false
	}
	v.read, v.write = v.read || read, v.write || write
	a.noted[e] = true
	return true
}

// use records that e occurs: a read, unless it has been noted with what it is part of.
func (a *accesses) use(e ast.Expr) {
	if v := a.find(e); v != nil && !a.noted[e] {
		v.read = true
	}
}

// find returns the record of e if e is state: a field of the owner, a package variable, a variable
// from before the loop.
func (a *accesses) find(e ast.Expr) *access {
	obj, where, name := a.classify(e)
	if obj == nil || !isState(obj.Type()) {
		return nil
	}
	v := a.byPos[obj.Pos()]
	if v == nil {
		v = &access{obj: obj, name: name, where: where}
		a.byPos[obj.Pos()] = v
	}
	return v
}

func (a *accesses) classify(e ast.Expr) (*types.Var, facts.Where, string) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		sel := a.info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal || a.owner == nil ||
			!sameNamed(sel.Recv(), a.owner) {
			return nil, "", ""
		}
		f := sel.Obj().(*types.Var).Origin()
		return f, facts.Field, kernel.NamedOf(a.owner).Obj().Name() + "." + f.Name()
	case *ast.Ident:
		v, ok := a.info.ObjectOf(e).(*types.Var)
		if !ok || v.IsField() || v.Pkg() == nil {
			return nil, "", ""
		}
		return a.variable(v)
	}
	return nil, "", ""
}

func (a *accesses) variable(v *types.Var) (*types.Var, facts.Where, string) {
	switch {
	case v.Parent() == v.Pkg().Scope() && a.p.mutable[v.Pos()]:
		return v, facts.Global, v.Pkg().Name() + "." + v.Name()
	case v.Parent() == v.Pkg().Scope() || a.loop == nil || a.isReceiver(v):
	case v.Pos() < a.fn.Pos() || v.Pos() >= a.fn.End():
		return v, facts.Captured, v.Name()
	case v.Pos() < a.loop.Pos():
		return v, facts.Local, v.Name()
	}
	return nil, "", ""
}

// isReceiver reports whether v is a pointer to the owner: its fields are the state.
func (a *accesses) isReceiver(v *types.Var) bool {
	return a.owner != nil && sameNamed(v.Type(), a.owner)
}

func sameNamed(t, u types.Type) bool {
	a, b := kernel.NamedOf(t), kernel.NamedOf(u)
	return a != nil && b != nil && a.Origin() == b.Origin()
}

// isState: channels, locks and contexts synchronise, they are not state.
func isState(t types.Type) bool {
	if kernel.ChanOf(t) != nil {
		return false
	}
	named := kernel.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return true
	}
	switch named.Obj().Pkg().Path() {
	case "sync", "context", "testing":
		return false
	case "time":
		return named.Obj().Name() != "Timer" && named.Obj().Name() != "Ticker"
	}
	return true
}

func (a *accesses) facts(p *tasks) []facts.State {
	var vs []*access
	for _, v := range a.byPos {
		if v.read || v.write {
			vs = append(vs, v)
		}
	}
	slices.SortFunc(vs, func(x, y *access) int { return cmp.Compare(x.obj.Pos(), y.obj.Pos()) })
	var out []facts.State
	for _, v := range vs {
		out = append(out, facts.State{Name: v.name, Where: v.where, Access: v.mode(),
			Pos: p.pos(v.obj.Pos())})
	}
	return out
}

func (v *access) mode() string {
	switch {
	case v.read && v.write:
		return "rw"
	case v.write:
		return "w"
	}
	return "r"
}
