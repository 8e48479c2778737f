package discipline

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Params is the analyzer that tells other packages what a function does to the channels that it is
// given. It looks at the syntax alone, so that it costs little for dependencies.
var Params = &analysis.Analyzer{
	Name:       "rehearseparams",
	Doc:        "find what exported functions do to their channel parameters",
	FactTypes:  []analysis.Fact{new(ChannelUse)},
	ResultType: reflect.TypeFor[uses](),
	Run:        runParams,
}

// ChannelUse is a fact about a function: for each parameter, the receiver not counted, what is done
// to a channel that comes in it.
type ChannelUse struct{ Params []Use }

// Use is a set of operations on a channel.
type Use uint8

const (
	Sends    Use = 1 << iota // the function may send
	Receives                 // may receive
	Closes                   // may close
	Retains                  // may keep the channel, or hand it on: anything may happen to it
)

// AFact marks ChannelUse as a fact.
func (*ChannelUse) AFact() {}

// String writes "uses" and a word for each parameter: letters for what is done, "-" for nothing.
func (u *ChannelUse) String() string {
	s := "uses"
	for _, p := range u.Params {
		s += " "
		for i, c := range "srck" {
			if p&(1<<i) != 0 {
				s += string(c)
			}
		}
		if p == 0 {
			s += "-"
		}
	}
	return s
}

// uses looks a fact up; it returns nil if there is none.
type uses func(*types.Func) *ChannelUse

func runParams(pass *analysis.Pass) (any, error) {
	if pass.ExportObjectFact == nil { // a driver without facts
		return uses(func(*types.Func) *ChannelUse { return nil }), nil
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !fn.Name.IsExported() {
				continue
			}
			if obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok && takesChannel(obj) {
				pass.ExportObjectFact(obj, useOf(pass.TypesInfo, fn, obj))
			}
		}
	}
	return uses(func(fn *types.Func) *ChannelUse {
		var u ChannelUse
		if !pass.ImportObjectFact(fn.Origin(), &u) {
			return nil
		}
		return &u
	}), nil
}

func takesChannel(fn *types.Func) bool {
	return slices.ContainsFunc(slices.Collect(fn.Signature().Params().Variables()), isChannel)
}

func isChannel(v *types.Var) bool {
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}

// useOf looks at how the body of a function uses its parameters.
func useOf(info *types.Info, fn *ast.FuncDecl, obj *types.Func) *ChannelUse {
	index := map[types.Object]int{}
	u := &ChannelUse{}
	for v := range obj.Signature().Params().Variables() {
		if isChannel(v) {
			index[v] = len(u.Params)
		}
		u.Params = append(u.Params, 0)
	}
	known := map[*ast.Ident]Use{}
	later := laterCode(fn.Body)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		noteUse(info, n, known)
		if id, ok := n.(*ast.Ident); ok {
			if i, ok := index[info.Uses[id]]; ok {
				use, ok := known[id]
				if !ok || later(id.Pos()) {
					use |= Retains
				}
				u.Params[i] |= use
			}
		}
		return true
	})
	return u
}

// laterCode returns a function that reports whether a position is in a function literal that is not
// called or deferred on the spot: it may run when the function has returned.
func laterCode(body *ast.BlockStmt) func(token.Pos) bool {
	started, atOnce := map[*ast.CallExpr]bool{}, map[*ast.FuncLit]bool{}
	var late []*ast.FuncLit
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			started[n.Call] = true
		case *ast.CallExpr:
			if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok && !started[n] {
				atOnce[lit] = true
			}
		case *ast.FuncLit:
			if !atOnce[n] {
				late = append(late, n)
			}
		}
		return true
	})
	return func(pos token.Pos) bool {
		return slices.ContainsFunc(late,
			func(lit *ast.FuncLit) bool { return lit.Pos() <= pos && pos < lit.End() })
	}
}

// noteUse notes what n does to the channel that an identifier names. A parent is visited before its
// identifiers.
func noteUse(info *types.Info, n ast.Node, known map[*ast.Ident]Use) {
	note := func(e ast.Expr, u Use) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			known[id] = u
		}
	}
	switch n := n.(type) {
	case *ast.SendStmt:
		note(n.Chan, Sends)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			note(n.X, Receives)
		}
	case *ast.RangeStmt:
		if _, ok := info.TypeOf(n.X).Underlying().(*types.Chan); ok {
			note(n.X, Receives)
		}
	case *ast.BinaryExpr: // a comparison with nil
		note(n.X, 0)
		note(n.Y, 0)
	case *ast.CallExpr:
		noteBuiltin(info, n, note)
	}
}

func noteBuiltin(info *types.Info, call *ast.CallExpr, note func(ast.Expr, Use)) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok && len(call.Args) == 1 {
		switch b.Name() {
		case "close":
			note(call.Args[0], Closes)
		case "len", "cap":
			note(call.Args[0], 0)
		}
	}
}
