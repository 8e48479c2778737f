package discipline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Report reports a finding at pos that has to do with another position, which message names.
func (c *Rule) Report(pos, other token.Pos, what, message string, args ...any) {
	c.ReportFix(nil, pos, other, what, message, args...)
}

// ReportFix is report with a way to mend it, or nil.
func (c *Rule) ReportFix(fixes []analysis.SuggestedFix, pos, other token.Pos, what, message string,
	args ...any) {
	c.Out(analysis.Diagnostic{Pos: pos, Message: fmt.Sprintf(message, args...),
		SuggestedFixes: fixes,
		Related:        []analysis.RelatedInformation{{Pos: other, Message: what}}})
}

// Name names a function as people do: "Server.loop", "New.func1".
func Name(fn *ssa.Function) string {
	s := fn.String()
	if fn.Pkg != nil {
		s = fn.RelString(fn.Pkg.Pkg)
	} else if fn.Object() != nil { // the wrapper of a method
		s = fn.RelString(fn.Object().Pkg())
	}
	s = strings.TrimSuffix(strings.TrimSuffix(s, "$bound"), "$thunk")
	if i, j := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']'); i >= 0 && i < j {
		s = s[:i] + s[j+1:]
	}
	return strings.NewReplacer("(*", "", "(", "", ")", "", "$", ".func").Replace(s)
}

// NameOf names the channel of o as it is written, a field by its struct's type: "Server.in", "ch".
func (c *Package) NameOf(o *Op) string {
	if c.operands == nil {
		c.operands = map[token.Pos]ast.Expr{}
		for _, f := range c.Pass.Files {
			ast.Inspect(f, c.noteOperand)
		}
	}
	e := c.operands[o.Pos]
	if e == nil {
		return "the channel"
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		if n, ok := types.Unalias(derefType(c.Pass.TypesInfo.TypeOf(sel.X))).(*types.Named); ok {
			return n.Obj().Name() + "." + sel.Sel.Name
		}
	}
	return types.ExprString(e)
}

// derefType is deref for an expression that may be the name of a package, which has no type.
func derefType(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return kernel.Deref(t)
}

func (c *Package) noteOperand(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt:
		c.operands[n.Arrow] = n.Chan
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.operands[n.OpPos] = n.X
		}
	case *ast.RangeStmt:
		c.operands[n.For] = n.X
	case *ast.CallExpr:
		if len(n.Args) == 1 {
			c.operands[n.Lparen] = n.Args[0]
		}
	}
	return true
}
