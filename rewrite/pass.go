package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/rehearse-go/rehearse/rewrite/accesses"
	"github.com/rehearse-go/rehearse/rewrite/std"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// pass is the state that the subjects share: the file, and notes of parents about the nodes below
// them.
type pass struct {
	*unit.File
	*accesses.Announcements

	// the function that is being rewritten, nil between functions
	decl  *ast.FuncDecl
	done  map[ast.Node]bool      // nodes that the rewriting of a parent has taken care of
	later map[*ast.CallExpr]bool // calls of go and defer statements
	// loops over channels: calls to be made before each receive
	heads  map[*ast.RangeStmt][]string
	labels map[ast.Stmt]*ast.LabeledStmt // of loops
	gone   map[*types.PkgName]int        // how many uses of an import were rewritten away
	first  token.Pos                     // the first operation
}

// function returns the full name of the function that c calls by its name, or "".
func (p *pass) function(c *ast.CallExpr) string {
	if id := unit.LastIdent(c.Fun); id != nil {
		if fn, ok := p.In.Info.Uses[id].(*types.Func); ok {
			return fn.Origin().FullName()
		}
	}
	return ""
}

// guardText are the arguments that a guard of package hook gets: what -trust names, and the text of
// the refusal.
func (p *pass) guardText(trust, what, reason string) string {
	return strconv.Quote(trust) + ", " + strconv.Quote(std.Refusal(what, trust, reason))
}

// text is the text of a node in the source.
func (p *pass) text(n ast.Node) string { return string(p.Src[p.Offset(n.Pos()):p.Offset(n.End())]) }
