package discipline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// at writes a position for a message: "file.go:12".
func (c *code) at(pos token.Pos) string {
	p := c.pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// rule is the code, for one of the rules to look at.
type rule struct {
	*code
	out func(analysis.Diagnostic)
}

// run makes a rule an analyzer's function. Drivers run analyzers side by side: the rules take turns
// with the code, which remembers what it has found out for them.
func run(check func(*rule)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		c := pass.ResultOf[Code].(*code)
		c.turn.Lock()
		defer c.turn.Unlock()
		check(&rule{c, pass.Report})
		return nil, nil
	}
}

// report reports a finding at pos that has to do with another position, which message names.
func (c *rule) report(pos, other token.Pos, what, message string, args ...any) {
	c.reportFix(nil, pos, other, what, message, args...)
}

// reportFix is report with a way to mend it, or nil.
func (c *rule) reportFix(fixes []analysis.SuggestedFix, pos, other token.Pos, what, message string, args ...any) {
	c.out(analysis.Diagnostic{Pos: pos, Message: fmt.Sprintf(message, args...), SuggestedFixes: fixes,
		Related: []analysis.RelatedInformation{{Pos: other, Message: what}}})
}

// name names a function as people do: "Server.loop", "New.func1".
func name(fn *ssa.Function) string {
	s := fn.String()
	if fn.Pkg != nil {
		s = fn.RelString(fn.Pkg.Pkg)
	}
	if i, j := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']'); i >= 0 && i < j {
		s = s[:i] + s[j+1:]
	}
	return strings.NewReplacer("(*", "", "(", "", ")", "", "$", ".func").Replace(s)
}

// nameOf names the channel of o as it is written, a field by its struct's type: "Server.in", "ch".
func (c *code) nameOf(o *op) string {
	if c.operands == nil {
		c.operands = map[token.Pos]ast.Expr{}
		for _, f := range c.pass.Files {
			ast.Inspect(f, c.noteOperand)
		}
	}
	e := c.operands[o.pos]
	if e == nil {
		return "the channel"
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		if n, ok := types.Unalias(derefType(c.pass.TypesInfo.TypeOf(sel.X))).(*types.Named); ok {
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
	return deref(t)
}

func (c *code) noteOperand(n ast.Node) bool {
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
