package frames

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// sitesOf lists the calls and operations in some parts of a statement that the function itself
// executes, in source order. It also lists the values, besides variables, that calls of the library
// will hold while they wait.
func (a *activation) sitesOf(parts ...ast.Node) (sites []ast.Node, operands []string) {
	for _, part := range parts {
		if part == nil {
			continue
		}
		ast.Inspect(part, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					sites = append(sites, n)
				}
			case *ast.SendStmt, *ast.GoStmt:
				sites = append(sites, n)
			case *ast.CallExpr:
				if a.mayStop(n) {
					sites = append(sites, n)
					operands = append(operands, a.operandsOf(n)...)
				}
			}
			return true
		})
	}
	if slices.Contains(operands, "") {
		// something cannot be written twice: as if there were two calls
		return append(sites, sites...), nil
	}
	return sites, operands
}

func (a *activation) any(n ast.Node) bool {
	sites, _ := a.sitesOf(n)
	return len(sites) > 0
}

// mayStop reports whether a call may come to an operation.
func (a *activation) mayStop(c *ast.CallExpr) bool {
	if a.In.Info.Types[c.Fun].IsType() {
		return false
	}
	switch a.Builtin(c) {
	case "":
		return true
	case "close":
		return true
	case "len":
		return unit.IsChan(a.In.Info.TypeOf(c.Args[0]))
	}
	return false
}

// waiting are the packages of the library whose functions wait, or change what others see, after
// they have been given values.
var waiting = []string{"sync", "sync/atomic", "time", "runtime"}

// operandsOf lists the texts of the values that a call of the library holds while it waits; an
// empty text stands for one that cannot be written twice.
func (a *activation) operandsOf(c *ast.CallExpr) (texts []string) {
	var fn *types.Func
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.SelectorExpr:
		fn, _ = a.In.Info.Uses[fun.Sel].(*types.Func)
	case *ast.Ident:
		fn, _ = a.In.Info.Uses[fun].(*types.Func)
	}
	if fn == nil || fn.Pkg() == nil || !slices.Contains(waiting, fn.Pkg().Path()) {
		return nil
	}
	for _, arg := range c.Args {
		if _, literal := ast.Unparen(arg).(*ast.FuncLit); literal || a.fixed(arg) {
			continue
		}
		text, _ := a.repeatable(arg)
		texts = append(texts, text)
	}
	return texts
}

// hides reports whether the result of a call waits, in no variable, for another site. Received
// values are known.
func hides(sites []ast.Node) bool {
	for i, first := range sites {
		if _, call := first.(*ast.CallExpr); !call {
			continue
		}
		for _, second := range sites[i+1:] {
			if first == second || first.End() <= second.Pos() {
				return true
			}
		}
	}
	return false
}

// fixed reports whether e has the same value whenever it is evaluated.
func (a *activation) fixed(e ast.Expr) bool {
	t := a.In.Info.Types[e]
	return t.Value != nil || t.IsNil()
}

// repeatable returns the text of an expression that can be evaluated once more, right before the
// statement that it is in.
func (a *activation) repeatable(e ast.Expr) (text string, ok bool) {
	if lit, is := ast.Unparen(e).(*ast.CompositeLit); is &&
		!slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return !a.fixed(e) }) {
		return "nil", true // nobody else has it
	}
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			builtin := a.Builtin(n)
			ok = ok && (a.In.Info.Types[n.Fun].IsType() || builtin == "len" || builtin == "cap" ||
				builtin == "min" || builtin == "max")
		}
		return ok
	})
	if !ok {
		return "", false
	}
	return types.ExprString(e), true
}

// defines reports whether a simple statement declares variables.
func (a *activation) defines(s ast.Stmt) bool {
	assign, ok := s.(*ast.AssignStmt)
	return ok && assign.Tok == token.DEFINE
}
