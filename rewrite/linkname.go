package rewrite

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// links rewrites functions that are linked by name.
type links struct{ *pass }

// linked rewrites a function that is linked by name to another one, see std.Link.
func (li *links) linked(d *ast.FuncDecl) {
	l := std.LinkOf(d, li.Syntax.Comments...)
	switch {
	case l.Comment == nil:
	case l.Hook() != "":
		li.linkHooked(d, l)
	case !l.Harmless():
		li.linkGuarded(d, l)
	}
}

// linkHooked gives a function that is linked to a controlled one of package runtime a body that
// calls the hook. Its pragmas are for functions without a body, and become comments.
func (li *links) linkHooked(d *ast.FuncDecl, l std.Link) {
	for _, c := range append(pragmas(d), l.Comment) {
		li.done[c] = li.done[c] || li.plainComment(c)
	}
	var args []string
	for i, param := range d.Type.Params.List {
		for _, name := range param.Names {
			args = append(args, name.Name)
		}
		if len(param.Names) == 0 {
			args = append(args, li.TempN("a", i))
			li.Open(param.Type, li.TempN("a", i)+" ")
		}
	}
	call := li.Hooked(l.Hook()) + strings.Join(args, ", ") + ")"
	if d.Type.Results != nil {
		call = "return " + call
	}
	li.Close(d, " { "+call+" }")
}

// pragmas lists the pragmas of a declaration.
func pragmas(d *ast.FuncDecl) (list []*ast.Comment) {
	if d.Doc == nil {
		return nil
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") {
			list = append(list, c)
		}
	}
	return list
}

// plainComment makes a comment of a pragma, once.
func (li *links) plainComment(c *ast.Comment) bool {
	if !li.done[c] {
		li.Replace(c.Pos(), c.End(), edit.Text("// "+strings.TrimPrefix(c.Text, "//")))
	}
	return true
}

// linkGuarded gives the declaration another name. The old name gets a body that ends an execution
// which comes there:
//
//	//go:linkname wait runtime.wait      //go:linkname _lwait runtime.wait
//	func wait(n int) bool                func _lwait(n int) bool; func wait(n int) bool { _rehearse.Met(...); return _lwait(n) }
func (li *links) linkGuarded(d *ast.FuncDecl, l std.Link) {
	inner := li.Temp("l") + d.Name.Name
	li.Replace(l.Comment.Pos(), l.Comment.End(), edit.Text("//go:linkname "+inner+" "+l.Target))
	li.Replace(d.Name.Pos(), d.Name.End(), edit.Text(inner))
	var params, args []string
	for i, param := range d.Type.Params.List {
		names := param.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		typ := li.text(param.Type)
		for j := range names {
			name := li.TempN("a", i) + "_" + strconv.Itoa(j)
			params, args = append(params, name+" "+typ), append(args, name)
		}
		if strings.HasPrefix(typ, "...") {
			args[len(args)-1] += "..."
		}
	}
	call, results := inner+"("+strings.Join(args, ", ")+")", ""
	if r := d.Type.Results; r != nil {
		call, results = "return "+call, li.text(r)+" "
	}
	guard := li.Hooked("Meet") + li.guardText(li.In.Types.Path()+"."+d.Name.Name, d.Name.Name,
		linkReason(l)) + ")"
	li.Close(d, "; func "+d.Name.Name+"("+strings.Join(params, ", ")+") "+results+"{ "+guard+"; "+
		call+
		" }")
}

func linkReason(l std.Link) string {
	return "is linked by name to " + l.Target + ", which may block or observe the explorer"
}
