package accesses

import (
	"bytes"
	"go/ast"
	"strconv"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// element announces the access to an element.
func (a *accesses) element(n *ast.IndexExpr) {
	x := ast.Unparen(n.X)
	t := a.In.Info.TypeOf(x)
	switch {
	case t == nil:
	case unit.IsMapType(t):
		a.lookup(n, x)
	case unit.IsArray(t):
		a.place[x] = isLeft
		a.announce(n)
	case unit.IsSlice(t), unit.IsPointer(t):
		a.announce(n)
	}
}

// lookup makes n, an element of the map x, announce the access to the map.
func (a *accesses) lookup(n *ast.IndexExpr, x ast.Expr) {
	switch {
	case !a.mapShared(x):
	case a.place[n] == isRead:
		if a.late(x, "ReadMap", "", "", a.What(x), n) {
			return
		}
		if !a.keyed(n, x, "Read") {
			a.enclose(n, x, "ReadMap")
		}
	case a.place[n] == isWritten:
		if !a.keyed(n, x, either(a.adds[n], "Add", "Write")) {
			a.enclose(n, x, "WriteMap")
		}
	}
}

// call looks at the calls of predeclared functions and conversions, and leaves alone what package
// unsafe measures.
func (a *accesses) call(c *ast.CallExpr) bool {
	if a.In.Info.Types[c].Value != nil {
		return false
	}
	if a.In.Info.Types[c.Fun].IsType() {
		a.conversion(c)
		a.sections.opaque(c)
		return true
	}
	switch a.Builtin(c) {
	case "":
		a.library.atomicCall(c)
		a.library.libraryCall(c)
		a.sections.opaque(c)
	case "delete":
		x := ast.Unparen(c.Args[0])
		n := &ast.IndexExpr{X: x, Index: c.Args[1]}
		switch {
		case !a.mapShared(x), a.deferred(c, x, "WriteMap", "", "", a.What(x)):
		case !a.keyed(n, x, "Write"):
			a.enclose(c, x, "WriteMap")
		}
	case "clear":
		a.cleared(c, ast.Unparen(c.Args[0]))
	case "len":
		a.measured(c.Args[0])
		a.encloseIf(a.mapShared(c.Args[0]), c, "ReadMap")
	case "cap":
		a.measured(c.Args[0])
	case "append":
		a.appends(c)
	case "copy":
		a.copy(c)
	}
	return true
}

// cleared announces that all of x, a map or slice, is cleared.
func (a *accesses) cleared(c *ast.CallExpr, x ast.Expr) {
	function := "WriteMap"
	switch {
	case a.mapShared(x):
	case a.sliceShared(x):
		function = "WriteElements"
	default:
		return
	}
	if !a.deferred(c, x, function, "", "", a.What(x)) {
		a.enclose(c, x, function)
	}
}

// measured leaves an array alone whose length is asked for.
func (a *accesses) measured(x ast.Expr) {
	if unit.IsArray(a.In.Info.TypeOf(x)) {
		a.place[ast.Unparen(x)] = isLeft
	}
}

// conversion announces that a string or an array is made of the elements of a slice.
func (a *accesses) conversion(c *ast.CallExpr) {
	if t := a.In.Info.TypeOf(c); len(c.Args) != 1 || !isString(t) && !unit.IsArray(t) {
		return
	}
	a.encloseIf(a.sliceShared(c.Args[0]), c, "ReadElements")
}

// appends announces the writes of elements behind the slice, and the reads of those that are
// appended.
func (a *accesses) appends(c *ast.CallExpr) {
	x := c.Args[0]
	switch {
	case len(c.Args) == 1 || !unit.IsSlice(a.In.Info.TypeOf(x)):
	case !c.Ellipsis.IsValid():
		if !a.sliceShared(x) {
			return
		}
		a.edit(c, func() {
			a.Open(c, a.Hooked("Appended"))
			a.Close(c, ", "+strconv.Itoa(len(c.Args)-1)+", "+a.What(x)+")")
		})
	case a.sliceShared(x) || a.sliceShared(c.Args[1]):
		a.elementwise(c, "AppendAll", "AppendString")
	}
}

// copy announces the reads and writes of elements.
func (a *accesses) copy(c *ast.CallExpr) {
	switch s := a.parent().(type) {
	case *ast.DeferStmt:
		a.hidden(s, a.What(c.Fun))
		return
	case *ast.GoStmt:
		return
	}
	if a.sliceShared(c.Args[0]) || a.sliceShared(c.Args[1]) {
		a.elementwise(c, "Copy", "CopyString")
	}
}

// elementwise makes c, append or copy, a call of one of two functions: for slices, and for a string
// as the second argument.
func (a *accesses) elementwise(c *ast.CallExpr, function, ofString string) {
	switch t := a.In.Info.TypeOf(c.Args[1]); {
	case t == nil || !unit.IsSlice(a.In.Info.TypeOf(c.Args[0])):
		return
	case isString(t):
		function = ofString
	case !unit.IsSlice(t):
		return
	}
	a.edit(c, func() {
		a.Rename(c.Fun, function)
		whats := ", " + a.What(c.Args[0])
		if function == "AppendAll" || function == "Copy" {
			whats += ", " + a.What(c.Args[1])
		}
		end := c.Args[1].End()
		if bytes.ContainsRune(a.Src[a.Offset(end):a.Offset(c.Rparen)], '\n') {
			whats += "," // as before the newline of the source
		}
		a.Replace(end, c.Rparen, edit.Text(whats))
	})
}
