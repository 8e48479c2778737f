package confirm

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
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
}

// findLiteral finds a literal by its name: that of a function, and $ with a number for each level.
// It is nil if there is none.
func findLiteral(pkg *load.Package, full string) *anonymous {
	name, numbers, _ := strings.Cut(full, "$")
	var path []int
	for _, s := range strings.Split(numbers, "$") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return nil
		}
		path = append(path, n)
	}
	var l *anonymous
	if strings.HasSuffix(name, ".init") {
		l, path[0] = inVariable(pkg, path[0]), 0
	} else if fn := lookup(pkg.Types, name); fn != nil {
		l = inFunction(pkg, fn, path[0])
	}
	for _, n := range path[1:] {
		if l == nil {
			return nil
		}
		inner := nth(pkg, l.lit.Body, n)
		if inner == nil {
			return nil
		}
		l = &anonymous{lit: inner, around: l, decl: l.decl}
	}
	return l
}

// inFunction returns literal n of a declared function.
func inFunction(pkg *load.Package, fn *types.Func, n int) *anonymous {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && pkg.Info.Defs[d.Name] == fn {
				if lit := nth(pkg, d.Body, n); lit != nil {
					return &anonymous{lit: lit, decl: d}
				}
			}
		}
	}
	return nil
}

// inVariable returns literal n of the values of variables, in the order in which these are set.
func inVariable(pkg *load.Package, n int) *anonymous {
	for _, init := range pkg.Info.InitOrder {
		count := len(literals(pkg, init.Rhs))
		if n > count {
			n -= count
			continue
		}
		if lit := nth(pkg, init.Rhs, n); lit != nil && len(init.Lhs) == 1 {
			return &anonymous{lit: lit, held: init.Lhs[0], value: init.Rhs}
		}
		return nil
	}
	return nil
}

// nth returns literal n, from 1 on, of those in a node that are in no other one.
func nth(pkg *load.Package, in ast.Node, n int) *ast.FuncLit {
	list := literals(pkg, in)
	if n > len(list) {
		return nil
	}
	return list[n-1] // nil for the body of a loop
}

// literals lists the literals in a node that are in no other one. The body of a loop over a
// function counts as one, and is nil.
func literals(pkg *load.Package, in ast.Node) (out []*ast.FuncLit) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			out = append(out, n)
			return false
		case *ast.RangeStmt:
			if _, is := pkg.Info.TypeOf(n.X).Underlying().(*types.Signature); is {
				out = append(out, literals(pkg, n.X)...)
				out = append(out, nil)
				return false
			}
		}
		return true
	})
	return out
}

// taker writes how a driver takes literals of a package.
type taker struct {
	w   *writer
	src *load.Package
}

// call writes the call of a literal.
func (k *taker) call(l *anonymous) (string, error) {
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
