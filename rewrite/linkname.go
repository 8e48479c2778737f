package rewrite

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// linked rewrites a function that is linked by name to another one, see std.Link.
func (f *file) linked(d *ast.FuncDecl) {
	l := std.LinkOf(d, f.Syntax.Comments...)
	switch {
	case l.Comment == nil:
	case l.Hook() != "":
		f.linkHooked(d, l)
	case !l.Harmless():
		f.linkGuarded(d, l)
	}
}

// linkHooked gives a function that is linked to a controlled one of package runtime a body that
// calls the hook. Its pragmas are for functions without a body, and become comments.
func (f *file) linkHooked(d *ast.FuncDecl, l std.Link) {
	for _, c := range append(pragmas(d), l.Comment) {
		f.done[c] = f.done[c] || f.plainComment(c)
	}
	var args []string
	for i, param := range d.Type.Params.List {
		for _, name := range param.Names {
			args = append(args, name.Name)
		}
		if len(param.Names) == 0 {
			args = append(args, f.TempN("a", i))
			f.Open(param.Type, f.TempN("a", i)+" ")
		}
	}
	call := f.Hooked(l.Hook()) + strings.Join(args, ", ") + ")"
	if d.Type.Results != nil {
		call = "return " + call
	}
	f.Close(d, " { "+call+" }")
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
func (f *file) plainComment(c *ast.Comment) bool {
	if !f.done[c] {
		f.Replace(c.Pos(), c.End(), edit.Text("// "+strings.TrimPrefix(c.Text, "//")))
	}
	return true
}

// linkGuarded gives the declaration another name, and what had its name a body that ends an
// execution which comes there:
//
//	//go:linkname wait runtime.wait      //go:linkname _lwait runtime.wait
//	func wait(n int) bool                func _lwait(n int) bool; func wait(n int) bool { _rehearse.Met(...); return _lwait(n) }
func (f *file) linkGuarded(d *ast.FuncDecl, l std.Link) {
	inner := f.Temp("l") + d.Name.Name
	f.Replace(l.Comment.Pos(), l.Comment.End(), edit.Text("//go:linkname "+inner+" "+l.Target))
	f.Replace(d.Name.Pos(), d.Name.End(), edit.Text(inner))
	var params, args []string
	for i, param := range d.Type.Params.List {
		names := param.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		typ := f.text(param.Type)
		for j := range names {
			name := f.TempN("a", i) + "_" + strconv.Itoa(j)
			params, args = append(params, name+" "+typ), append(args, name)
		}
		if strings.HasPrefix(typ, "...") {
			args[len(args)-1] += "..."
		}
	}
	call, results := inner+"("+strings.Join(args, ", ")+")", ""
	if r := d.Type.Results; r != nil {
		call, results = "return "+call, f.text(r)+" "
	}
	guard := f.Hooked("Meet") + f.guardText(f.In.Types.Path()+"."+d.Name.Name, d.Name.Name,
		linkReason(l)) + ")"
	f.Close(d, "; func "+d.Name.Name+"("+strings.Join(params, ", ")+") "+results+"{ "+guard+"; "+
		call+
		" }")
}

func linkReason(l std.Link) string {
	return "is linked by name to " + l.Target + ", which may block or observe the explorer"
}

// guardText are the arguments that a guard of package hook gets: what -trust names, and the text of
// the refusal.
func (f *file) guardText(trust, what, reason string) string {
	return strconv.Quote(trust) + ", " + strconv.Quote(std.Refusal(what, trust, reason))
}

// text is the text of a node in the source.
func (f *file) text(n ast.Node) string { return string(f.Src[f.Offset(n.Pos()):f.Offset(n.End())]) }
