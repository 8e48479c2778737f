package confirm

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// A function literal has no name. A driver calls the function around it, and takes the literal from
// what that returns, from a field or element of that, or from what it has set in its receiver. A
// literal in the value of a package's variable is taken from the variable.

// anonymous is a function literal in the source.
type anonymous struct {
	lit    *ast.FuncLit
	around *anonymous    // the literal around it; nil: a declared function, or a variable
	decl   *ast.FuncDecl // nil: a variable
	held   *types.Var    // the variable; nil: none
	value  ast.Expr      // of the variable
	on     []likely      // worth trying, so that the literal is made
}

// findLiteral finds a literal by its name in a finding, which ends in "@file:offset". It is nil if
// there is none.
func findLiteral(pkg *load.Package, full string) *anonymous {
	_, place, _ := strings.Cut(full, "@")
	colon := strings.LastIndexByte(place, ':')
	offset, err := strconv.Atoi(place[colon+1:])
	if colon < 0 || err != nil {
		return nil
	}
	for i, f := range pkg.Syntax {
		if filepath.Base(pkg.Compiled[i]) == place[:colon] {
			return literalAt(pkg, f, f.FileStart+token.Pos(offset))
		}
	}
	return nil
}

// literalAt returns the literal that begins at pos.
func literalAt(pkg *load.Package, f *ast.File, pos token.Pos) (found *anonymous) {
	var decl *ast.FuncDecl
	var around *anonymous
	var tag ast.Expr
	var on []likely
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || found != nil || n != ast.Node(f) && (pos < n.Pos() || n.End() <= pos) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			decl = n
		case *ast.SwitchStmt:
			tag = n.Tag
		case *ast.CaseClause:
			for _, e := range n.List {
				on = append(on, comparedTo(pkg, tag, e)...)
			}
		case *ast.IfStmt:
			if c, ok := n.Cond.(*ast.BinaryExpr); ok {
				on = append(on, comparedTo(pkg, c.X, c.Y)...)
			}
		case *ast.FuncLit:
			if decl == nil && around == nil {
				around = inVariable(pkg, n)
			} else {
				around = &anonymous{lit: n, around: around, decl: decl}
			}
			if n.Pos() == pos && around != nil {
				found, around.on = around, on
			}
			return around != nil
		}
		return true
	})
	return found
}

// likely is a value that is worth trying for what has a name.
type likely struct{ name, value string }

// comparedTo returns the value y for x, which is compared with it, as one worth trying, if x is a
// name and y a constant. Whether x has to be y is not looked at: the comparison may be another one,
// and the literal in an else branch. integers adds the neighbours of y.
func comparedTo(pkg *load.Package, x, y ast.Expr) []likely {
	id, named := x.(*ast.Ident)
	value := pkg.Info.Types[y].Value
	if !named || value == nil {
		return nil
	}
	return []likely{{id.Name, exact(value)}}
}

// inVariable returns a literal in the value of a variable.
func inVariable(pkg *load.Package, lit *ast.FuncLit) *anonymous {
	for _, init := range pkg.Info.InitOrder {
		if init.Rhs.Pos() <= lit.Pos() && lit.End() <= init.Rhs.End() && len(init.Lhs) == 1 {
			return &anonymous{lit: lit, held: init.Lhs[0], value: init.Rhs}
		}
	}
	return nil
}

// taker writes how a driver takes literals of a package.
type taker struct {
	w   *writer
	src *load.Package
}

// call writes the call of a literal.
func (k *taker) call(l *anonymous) (string, error) {
	k.w.likely = append(k.w.likely, l.on...)
	value, err := k.taken(l)
	if err != nil {
		return "", err
	}
	sig := k.src.Info.TypeOf(l.lit).(*types.Signature)
	return value + "(" + k.w.arguments(sig, maxDepth) + ")", nil
}

// taken writes where a literal is found, after it has written what makes it.
func (k *taker) taken(l *anonymous) (string, error) {
	none := &noDriver{"the function literal is not returned, nor kept where it can be found"}
	switch {
	case l.held != nil:
		if path, ok := pathTo(k.src, l.value, l.lit); ok {
			return k.asserted(l.value, l.held.Type(), l.held.Name(), path), nil
		}
		return "", none
	case l.around != nil:
		value, err := k.taken(l.around)
		if err != nil {
			return "", err
		}
		sig := k.src.Info.TypeOf(l.around.lit).(*types.Signature)
		call := value + "(" + k.w.arguments(sig, maxDepth) + ")"
		if text := k.result(l.around.lit.Body, sig, call, l); text != "" {
			return text, nil
		}
		return "", none
	}
	fn, _ := k.src.Info.Defs[l.decl.Name].(*types.Func)
	if fn.Signature().TypeParams().Len() > 0 || fn.Signature().RecvTypeParams().Len() > 0 {
		return "", &noDriver{"the function around the literal is generic"}
	}
	call, err := k.w.call(fn)
	if err != nil {
		return "", err
	}
	if text := k.result(l.decl.Body, fn.Signature(), call, l); text != "" {
		return text, nil
	}
	if text := k.set(l.decl, call, l); text != "" {
		return text, nil
	}
	return "", none
}

// result writes a literal as it is in a result of the function with a body, after a call of that;
// empty: it is in none.
func (k *taker) result(body *ast.BlockStmt, sig *types.Signature, call string,
	l *anonymous) string {
	text := ""
	ast.Inspect(body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner || text != "" {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok || len(r.Results) != sig.Results().Len() {
			return true
		}
		for i, e := range r.Results {
			e, more := definition(k.src, body, e, l.lit)
			path, ok := pathTo(k.src, e, l.lit)
			if !ok {
				continue
			}
			name := fmt.Sprintf("_r%d", len(k.w.setup))
			names := slices.Repeat([]string{"_"}, sig.Results().Len())
			names[i] = name
			k.w.setup = append(k.w.setup, strings.Join(names, ", ")+" := "+call)
			text = k.asserted(e, sig.Results().At(i).Type(), name, append(more, path...))
			return false
		}
		return true
	})
	return text
}

// definition returns the value of a variable that is returned, if that is set once and has the
// literal, or else the value that is assigned to a field or element of it, and where that is.
func definition(src *load.Package, body *ast.BlockStmt, e ast.Expr, lit *ast.FuncLit) (ast.Expr,
	[]string) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return e, nil
	}
	var more []string
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, x := range a.Lhs {
			root, path, ok := place(src, x)
			if !ok || src.Info.ObjectOf(root) != src.Info.ObjectOf(id) {
				continue
			}
			if _, ok := pathTo(src, a.Rhs[i], lit); ok {
				e, more = a.Rhs[i], path
			}
		}
		return true
	})
	return e, more
}

// set writes a literal that a method sets in its receiver, after a call of the method; empty: there
// is none.
func (k *taker) set(decl *ast.FuncDecl, call string, l *anonymous) string {
	if decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return ""
	}
	recv := decl.Recv.List[0].Names[0]
	e, more := definition(k.src, decl.Body, recv, l.lit)
	path, ok := pathTo(k.src, e, l.lit)
	on, _, _ := strings.Cut(call, ".")
	if !ok || e == ast.Expr(recv) {
		return ""
	}
	k.w.setup = append(k.w.setup, call)
	return on + strings.Join(append(more, path...), "")
}

// place splits an expression into a variable and the fields and elements that lead to a value.
func place(src *load.Package, e ast.Expr) (root *ast.Ident, path []string, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e, nil, true
	case *ast.SelectorExpr:
		root, path, ok = place(src, e.X)
		return root, append(path, "."+e.Sel.Name), ok
	case *ast.IndexExpr:
		key := src.Info.Types[e.Index].Value
		if key == nil {
			return nil, nil, false
		}
		root, path, ok = place(src, e.X)
		return root, append(path, "["+exact(key)+"]"), ok
	}
	return nil, nil, false
}

func exact(v constant.Value) string { return v.ExactString() }

// pathTo lists the fields and elements that lead from a value to a literal in it.
func pathTo(src *load.Package, e ast.Expr, lit *ast.FuncLit) (path []string, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return nil, e == lit
	case *ast.UnaryExpr:
		return pathTo(src, e.X, lit)
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 && src.Info.Types[e.Fun].IsType() {
			return pathTo(src, e.Args[0], lit)
		}
	case *ast.CompositeLit:
		for i, x := range e.Elts {
			step, value := fmt.Sprintf("[%d]", i), x
			kv, keyed := x.(*ast.KeyValueExpr)
			if keyed {
				value = kv.Value
			}
			rest, ok := pathTo(src, value, lit)
			if !ok {
				continue
			}
			switch t := src.Info.TypeOf(e).Underlying().(type) {
			case *types.Struct:
				step = "." + t.Field(i).Name()
				if keyed {
					step = "." + kv.Key.(*ast.Ident).Name
				}
			default:
				if keyed && src.Info.Types[kv.Key].Value == nil {
					return nil, false
				}
				if keyed {
					step = "[" + exact(src.Info.Types[kv.Key].Value) + "]"
				}
			}
			return append([]string{step}, rest...), true
		}
	}
	return nil, false
}

// asserted writes a value that is found on a path. An interface may hold a function.
func (k *taker) asserted(e ast.Expr, held types.Type, name string, path []string) string {
	t := k.src.Info.TypeOf(e)
	if types.IsInterface(held) && t != nil && !types.IsInterface(t) {
		name += ".(" + k.w.typeName(t) + ")"
	}
	return name + strings.Join(path, "")
}
