package frames

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// lifetime says where one function uses its variables, and those of the functions around it.
type lifetime struct {
	vars []*types.Var // in the order of their declarations
	uses map[*types.Var][]token.Pos
	// variables that may be used at any time: function literals use them, or they are named results
	kept map[*types.Var]bool
	of   map[*ast.FuncLit][]*types.Var // what a literal inside of the function uses of it
}

// lifetimes looks at a function.
func lifetimes(f *unit.File, typ *ast.FuncType, body *ast.BlockStmt) lifetime {
	l := lifetime{uses: map[*types.Var][]token.Pos{}, kept: map[*types.Var]bool{},
		of: map[*ast.FuncLit][]*types.Var{}}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			l.use(local(f, n), n.Pos())
		case *ast.FuncLit:
			l.of[n] = free(f, n)
			for _, v := range l.of[n] {
				l.kept[v] = true
			}
		}
		return true
	})
	if typ.Results != nil {
		ast.Inspect(typ.Results, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := f.In.Info.Defs[id].(*types.Var); ok && id.Name != "_" {
					l.use(v, body.End())
				}
			}
			return true
		})
	}
	for v := range l.uses {
		l.vars = append(l.vars, v)
	}
	slices.SortFunc(l.vars, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return l
}

func (l *lifetime) use(v *types.Var, at token.Pos) {
	if v != nil {
		l.uses[v] = append(l.uses[v], at)
	}
}

// local returns the local variable that id uses, nil if it uses none.
func local(f *unit.File, id *ast.Ident) *types.Var {
	v, ok := f.In.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// free lists the variables of functions around a literal that it uses.
func free(f *unit.File, lit *ast.FuncLit) (vars []*types.Var) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v := local(f, id); v != nil && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) &&
				!slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
		return true
	})
	return vars
}

// captured lists the addresses of the variables that a literal uses.
func (l *lifetime) captured(lit *ast.FuncLit) (texts []string) {
	for _, v := range l.of[lit] {
		texts = append(texts, "&"+v.Name())
	}
	return texts
}

// live lists the names of the variables that may be used once the statement at pos is executed.
// shadowed: one that may be has no name there.
func (l *lifetime) live(pkg *types.Package, pos token.Pos, loops []ast.Node) (names []string,
	shadowed bool) {
	scope := pkg.Scope().Innermost(pos)
	for _, v := range l.vars {
		if !v.Parent().Contains(pos) || v.Pos() >= pos || !l.needed(v, pos, loops) {
			continue
		}
		switch _, seen := scope.LookupParent(v.Name(), pos); {
		case seen == v:
			names = append(names, v.Name())
		case v.Parent() == scope: // it is being declared
		default:
			shadowed = true
		}
	}
	return names, shadowed
}

// needed reports whether v, which exists at pos, may be used from there on: further below, or in
// the next turn of a loop if v was declared outside of that loop.
func (l *lifetime) needed(v *types.Var, pos token.Pos, loops []ast.Node) bool {
	if l.kept[v] {
		return true
	}
	return slices.ContainsFunc(l.uses[v], func(use token.Pos) bool {
		return use >= pos || slices.ContainsFunc(loops, func(loop ast.Node) bool {
			return v.Pos() < persistent(loop) && loop.Pos() <= use && use < loop.End()
		})
	})
}

// persistent is the position up to which declared variables keep their values from one turn of a
// loop to the next.
func persistent(loop ast.Node) token.Pos {
	if loop, ok := loop.(*ast.ForStmt); ok {
		return loop.Body.Pos()
	}
	return loop.Pos()
}
