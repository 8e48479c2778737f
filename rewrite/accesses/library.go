package accesses

import (
	"go/ast"
	goconst "go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// library announces accesses of functions of the library.
type library struct{ *announcer }

// libraryCall announces the accesses of a function of the library to variables that its arguments
// lead to.
func (l *library) libraryCall(c *ast.CallExpr) {
	id := unit.LastIdent(ast.Unparen(c.Fun))
	if id == nil {
		return
	}
	fn, ok := l.In.Info.Uses[id].(*types.Func)
	if !ok || l.printsNone(c) || l.deep(c, fn) {
		return
	}
	for i, x := range c.Args {
		writing, looks := shared.Looks(fn, i)
		if !looks {
			l.watched(c, fn, i)
			continue
		}
		spread := c.Ellipsis.IsValid() && i == len(c.Args)-1
		x := ast.Unparen(x)
		function := l.looked(x, writing, spread, prints(fn))
		if function == "WriteElements" && shared.Sorts(fn) {
			function = "SortElements"
		}
		if function != "" {
			l.announceLook(c, i, x, function)
		}
	}
}

// watched has the execution look whether a function of the library writes what its i-th argument
// leads to.
func (l *library) watched(c *ast.CallExpr, fn *types.Func, i int) {
	x := ast.Unparen(c.Args[i])
	t := shared.Watchable(l.In.Info.TypeOf(x))
	if t == nil || c.Ellipsis.IsValid() || !l.In.Shared.MayWrite(fn, i) {
		return
	}
	switch u, is := x.(*ast.UnaryExpr); {
	case unit.IsSlice(l.In.Info.TypeOf(x)):
		if l.sliceShared(x) {
			l.announceLook(c, i, x, "WatchElements")
		}
	case is && u.Op == token.AND && l.isShared(ast.Unparen(u.X)), l.In.Shared.Target(t):
		l.announceLook(c, i, x, "Watch")
	}
}

// deep announces the reads of functions that read all that their arguments lead to. It reports
// false if fn is no such function.
func (l *library) deep(c *ast.CallExpr, fn *types.Func) bool {
	marshals, compares := shared.Deep(fn, 0)
	d, _ := l.deferOf(c)
	switch {
	case !marshals && !compares:
		return false
	case d != nil || l.mayWait(c.Args[1:]) || c.Ellipsis.IsValid():
	case marshals && !l.isPlain(c.Args[0]):
		x := c.Args[0]
		l.found[x] = append(l.found[x], func() {
			l.Open(x, l.Hooked("Marshaled"))
			l.Close(x, ", "+l.What(x)+")")
		})
	case compares && len(c.Args) == 2:
		x, y := c.Args[0], c.Args[1]
		l.found[x] = append(l.found[x], func() { l.Open(x, l.Hooked("Compared")) })
		l.found[y] = append(l.found[y], func() {
			l.Close(y, ", "+l.What(x)+", "+l.What(y)+")")
		})
	}
	return true
}

// mapMethod announces the access of a method of a map type of the library to the map.
func (l *library) mapMethod(n *ast.SelectorExpr, sel *types.Selection) bool {
	fn, is := sel.Obj().(*types.Func)
	c, called := l.parent().(*ast.CallExpr)
	if !is || !called || c.Fun != n || len(sel.Index()) > 1 || !unit.IsMapType(sel.Recv()) {
		return false
	}
	writing, is := shared.MapMethod(fn)
	if !is || !l.mapShared(n.X) {
		return false
	}
	function, x := either(writing, "WriteMap", "ReadMap"), ast.Unparen(n.X)
	if !l.deferred(c, x, function, "", "", l.What(x)) {
		l.enclose(n, x, function)
	}
	return true
}

// prints reports whether a function prints its arguments, as package fmt does.
func prints(fn *types.Func) bool {
	switch fn.Pkg().Path() {
	case "fmt", "log", "testing":
		return true
	}
	return false
}

// printsNone reports whether c has a format that does not print what its arguments lead to.
func (f *facts) printsNone(c *ast.CallExpr) bool {
	for _, x := range c.Args {
		if v := f.In.Info.Types[x].Value; v != nil && v.Kind() == goconst.String {
			if s := goconst.StringVal(v); strings.Contains(s, "%p") || strings.Contains(s, "%T") {
				return true
			}
		}
	}
	return false
}

// looked returns the hook's function for a read or write of what argument x leads to, empty if
// nothing is to be announced. spread: x has the arguments. prints: x is printed.
func (l *library) looked(x ast.Expr, writing, spread, prints bool) string {
	t := l.In.Info.TypeOf(x)
	p, pointer := t.Underlying().(*types.Pointer)
	function := either(writing, "Write", "Read")
	switch {
	case spread && prints && unit.IsSlice(t):
		return "PrintedAll"
	case prints && !spread && !unit.IsTypeParam(t) && !printsItself(t) && leadsOn(t, 0):
		return "Printed"
	case l.sliceShared(x):
		return function + "Elements"
	case l.mapShared(x):
		return function + "Map"
	case !pointer || unit.IsTypeParam(t) || printsItself(t):
		return ""
	case !isComposite(p.Elem()) || !l.In.Shared.Target(p.Elem()) && !l.parts(p.Elem()):
		return ""
	}
	return function + "All"
}

// leadsOn reports whether printing a value of type t may read more than its first elements:
// elements of slices in it, or a value in an interface.
func leadsOn(t types.Type, depth int) bool {
	if depth > 4 {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Pointer:
		return depth == 0 && isComposite(t.Elem()) && leadsOn(t.Elem(), depth+1)
	case *types.Slice:
		return depth > 0 || leadsOn(t.Elem(), depth+1)
	case *types.Map:
		return depth > 0
	case *types.Array:
		return leadsOn(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if leadsOn(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// announceLook makes the announcement when the arguments of c behind x, the i-th, have been
// evaluated.
func (l *library) announceLook(c *ast.CallExpr, i int, x ast.Expr, function string) {
	behind, what := c.Args[i+1:], l.What(x)
	if u, is := x.(*ast.UnaryExpr); is && u.Op == token.AND {
		what = l.What(u.X)
	}
	switch {
	case l.deferred(c, x, function, "", "", what):
	case !l.mayWait(behind):
		l.found[x] = append(l.found[x], func() {
			l.Open(x, l.Hooked(function))
			l.Close(x, ", "+what+")")
		})
		// what is printed alone is no reason to watch anything
		l.announced = l.announced || !strings.HasPrefix(function, "Printed")
	case !l.mayWait([]ast.Expr{x}):
		l.atHost(l.lastCall(behind), 1, x, function, "", "", what)
	}
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// printsItself reports whether values of type t have a method that prints them.
func printsItself(t types.Type) bool {
	for _, name := range []string{"String", "Error", "Format", "GoString"} {
		if types.NewMethodSet(t).Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// unguarded adds the access to the receiver of a method of the library to the way there.
func (a *accesses) unguarded(n *ast.SelectorExpr, sel *types.Selection, s steps) steps {
	fn, is := sel.Obj().(*types.Func)
	if !is {
		return s
	}
	writing, is := shared.Unguarded(fn)
	if c, called := a.parent().(*ast.CallExpr); !is || s.lost || !called || c.Fun != n {
		return s
	}
	p, pointer := s.typ.Underlying().(*types.Pointer)
	t := s.typ
	if pointer {
		t = p.Elem()
	} else if len(sel.Index()) == 1 && !a.isShared(n.X) {
		return s
	}
	if !a.In.Shared.Target(t) && !a.parts(t) {
		return s
	}
	last := step{function: either(writing, "WriteAll", "ReadAll"), address: "&", path: s.path,
		name: s.name}
	if shared.Flushes(fn) {
		last.function = "Flushes"
	}
	if pointer {
		last.address, last.name = "", "*"+s.name
	}
	path, what := "", a.WhatText(last.name, n.X.Pos())
	for _, r := range s.reads {
		path += r.path
	}
	if a.deferred(a.parent().(*ast.CallExpr), n.X, last.function, last.address, path+last.path,
		what) {
		return s
	}
	s.reads = append(s.reads, last)
	return s
}
