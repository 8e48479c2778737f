package accesses

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// operand announces the access to x in x.f. There is none if f is a part of the struct x, or if a
// method gets the address of x. It also announces the reads that the selector does not show: of
// embedded pointers and interfaces, and of a receiver that a method gets a copy of.
func (a *accesses) operand(n *ast.SelectorExpr) {
	sel := a.In.Info.Selections[n]
	if sel == nil || sel.Kind() == types.MethodExpr {
		return
	}
	if a.library.mapMethod(n, sel) {
		return
	}
	if what := a.atomicMethodOf(n, sel); what != "" {
		a.Atomics[n] = what
		a.announced = true
	}
	a.library.stream(n, sel)
	copied := isValueMethod(sel.Obj())
	if !unit.IsPointer(a.In.Info.TypeOf(n.X)) &&
		(len(sel.Index()) > 1 || !copied && !isDynamic(sel.Obj())) {
		a.place[ast.Unparen(n.X)] = isLeft
	}
	steps := a.steps(n, sel)
	if copied && (len(sel.Index()) > 1 || unit.IsPointer(sel.Recv())) {
		steps = a.receiver(n, sel, steps)
	}
	steps = a.unguarded(n, sel, steps)
	path := ""
	for i := range steps.reads {
		path += steps.reads[i].path
		steps.reads[i].whole = path
	}
	for i := len(steps.reads) - 1; i >= 0; i-- { // what is added first is outermost
		r := steps.reads[i]
		if a.late(n.X, r.function, r.address, r.whole, a.WhatText(r.name, n.X.Pos()), n) {
			continue
		}
		a.edit(n, func() {
			a.Open(n.X, "(*"+a.Hooked(r.function)+r.address)
			a.Close(n.X, r.path+", "+a.WhatText(r.name, n.X.Pos())+"))")
		})
	}
}

// isValueMethod reports whether obj is a method that gets a copy of its receiver.
func isValueMethod(obj types.Object) bool {
	fn, is := obj.(*types.Func)
	if !is || fn.Signature().Recv() == nil {
		return false
	}
	t := fn.Signature().Recv().Type()
	return !unit.IsPointer(t) && !types.IsInterface(t) && !unit.IsTypeParam(t)
}

// isDynamic reports whether obj is a method of an interface, or of what a type parameter stands
// for.
func isDynamic(obj types.Object) bool {
	fn, is := obj.(*types.Func)
	return is && fn.Signature().Recv() != nil && (types.IsInterface(fn.Signature().Recv().Type()) ||
		unit.IsTypeParam(fn.Signature().Recv().Type()))
}

// steps is the way from x in x.f over embedded fields.
type steps struct {
	reads []step
	path  string     // from the last read on
	typ   types.Type // where it leads to
	name  string     // of all, as a person would write it
	lost  bool       // a field has no name here
}

// step is a read of what the way so far leads to.
type step struct {
	function, address string
	path              string // from the last read on
	whole             string // from x on
	name              string
}

// steps goes the way to the struct that has the field or method, and announces the reads of
// pointers and interfaces that are shared.
func (a *accesses) steps(n *ast.SelectorExpr, sel *types.Selection) steps {
	s := steps{typ: sel.Recv(), name: types.ExprString(n.X)}
	if !unit.IsPointer(sel.Recv()) && !a.In.Info.Types[n.X].Addressable() {
		s.lost = true
	}
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		f := unit.StructOf(s.typ).Field(i)
		s.lost = s.lost || !f.Exported() && f.Pkg() != a.In.Types
		s.path += "." + f.Name()
		s.name += "." + f.Name()
		s.typ = f.Type()
		if (unit.IsPointer(f.Type()) || types.IsInterface(f.Type())) && a.In.Shared.Var(f) &&
			!s.lost &&
			!a.isOwn(n.X) {
			s.reads = append(s.reads,
				step{function: "Read", address: "&", path: s.path, name: s.name})
			s.path = ""
		}
	}
	return s
}

// receiver adds the read of the receiver that a method gets a copy of.
func (a *accesses) receiver(n *ast.SelectorExpr, sel *types.Selection, s steps) steps {
	t := s.typ
	p, pointer := t.Underlying().(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	if s.lost || !a.In.Shared.Target(t) && !a.parts(t) ||
		!pointer && a.isOwn(n.X) && !unit.IsPointer(sel.Recv()) {
		return s
	}
	last := step{function: "Read", address: "&", path: s.path, name: s.name}
	if isComposite(t) {
		last.function = "ReadAll"
	}
	if pointer {
		last.address, last.name = "", "*"+s.name
	}
	s.reads = append(s.reads, last)
	return s
}

// atomicMethodOf returns the announcement of a method of a type of package sync/atomic: the hook's
// name and the variable; empty if nothing is announced.
func (a *accesses) atomicMethodOf(n *ast.SelectorExpr, sel *types.Selection) string {
	if a.In.PlainAtomics || unit.AtomicType(sel.Obj()) == "" {
		return ""
	}
	t := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer).Elem()
	direct := len(sel.Index()) == 1 && !unit.IsPointer(sel.Recv())
	if direct && !a.isShared(n.X) || !direct && !a.In.Shared.Target(t) && !a.parts(t) {
		return ""
	}
	function, what := atomicHook(sel.Obj().Name()), a.What(n.X)
	if c, called := a.parent().(*ast.CallExpr); called && c.Fun == n {
		if d, _ := a.deferOf(c); d != nil {
			if len(sel.Index()) == 1 {
				a.deferred(c, n.X, function, either(unit.IsPointer(sel.Recv()), "", "&"), "", what)
			}
			return ""
		}
	}
	return function + "(|" + what
}

// atomicHook names the function that announces an operation of package sync/atomic.
func atomicHook(name string) string {
	if strings.HasPrefix(name, "Load") {
		return "AtomicRead"
	}
	return "AtomicWrite"
}

// atomicCall announces the access of a function of package sync/atomic.
func (l *library) atomicCall(c *ast.CallExpr) {
	id := unit.LastIdent(ast.Unparen(c.Fun))
	if id == nil || len(c.Args) == 0 {
		return
	}
	fn, ok := l.In.Info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || !l.AtomicFunction(fn) {
		return
	}
	x := ast.Unparen(c.Args[0])
	name := x
	if u, is := x.(*ast.UnaryExpr); is {
		if name = ast.Unparen(u.X); !l.isShared(name) {
			return
		}
	} else if p, is := l.In.Info.TypeOf(x).Underlying().(*types.Pointer); !is ||
		!l.In.Shared.Target(p.Elem()) {
		return
	}
	if l.deferred(c, x, atomicHook(fn.Name()), "", "", l.What(name)) {
		return
	}
	l.edit(x, func() {
		l.Open(x, l.Hooked(atomicHook(fn.Name())))
		l.Close(x, ", "+l.What(name)+")")
	})
}
