package accesses

import (
	"go/ast"
	goconst "go/constant"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// libraryCall announces what a function of the library does with what its arguments lead to.
func (a *accesses) libraryCall(c *ast.CallExpr) {
	id := unit.LastIdent(ast.Unparen(c.Fun))
	if id == nil {
		return
	}
	fn, ok := a.In.Info.Uses[id].(*types.Func)
	if !ok || a.printsNone(c) {
		return
	}
	for i, x := range c.Args {
		writing, looks := shared.Looks(fn, i)
		if !looks || c.Ellipsis.IsValid() && i == len(c.Args)-1 {
			continue
		}
		a.looked(ast.Unparen(x), c.Args[i+1:], writing)
	}
}

// printsNone reports whether c has a format that prints something else of its arguments than what
// they lead to.
func (a *accesses) printsNone(c *ast.CallExpr) bool {
	for _, x := range c.Args {
		if v := a.In.Info.Types[x].Value; v != nil && v.Kind() == goconst.String {
			if s := goconst.StringVal(v); strings.Contains(s, "%p") || strings.Contains(s, "%T") {
				return true
			}
		}
	}
	return false
}

// looked announces that a function reads or writes what its argument x leads to, when the arguments
// behind x have been evaluated.
func (a *accesses) looked(x ast.Expr, behind []ast.Expr, writing bool) {
	t := a.In.Info.TypeOf(x)
	p, pointer := t.Underlying().(*types.Pointer)
	function := either(writing, "Write", "Read")
	switch {
	case a.sliceShared(x):
		function += "Elements"
	case a.mapShared(x):
		function += "Map"
	case !pointer || unit.IsTypeParam(t) || printsItself(t):
		return
	case !isComposite(p.Elem()) || !a.In.Shared.Target(p.Elem()) && !a.parts(p.Elem()):
		return
	default:
		function += "All"
	}
	switch {
	case !a.mayWait(behind):
		a.edit(x, func() {
			a.Open(x, a.Hooked(function))
			a.Close(x, ", "+a.What(x)+")")
		})
	case !a.mayWait([]ast.Expr{x}):
		a.atHost(a.lastCall(behind), 1, x, function, "", "", a.What(x))
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
	last := step{function: either(writing, "WriteAll", "ReadAll"), address: "&", path: s.path, name: s.name}
	if pointer {
		last.address, last.name = "", "*"+s.name
	}
	s.reads = append(s.reads, last)
	return s
}
