package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Sealed variables. Two stores whose values nobody sees commute (package depend, Observe). A plain
// read of a variable is no operation, so the model does not see it. Neither does it see a copy of
// the variable, a read by fmt, which prints what a pointer leads to, or a read by unsafe. So a
// store counts as unseen only if it is to a sealed variable: one that is used in operations of
// package sync/atomic and in no other way. Such operations are calls of methods of the variable
// itself, v.Store(1), and of functions with its address, StoreInt32(&v, 1).
//
// Only variables with a name of their own are sealed: local ones, and package-level ones that no
// other package can name. A field is copied with its struct. A variable that a loop declares is
// copied for each iteration, and a named result is read by the return. The methods of atomic.Value
// look at the value that was stored before.

// sealedIn returns the sealed variables of a package; none if they are not wanted.
func sealedIn(in *unit.Input) map[*types.Var]bool {
	if !in.Seal || in.PlainAtomics {
		return nil
	}
	s := sealing{in: in, used: map[*types.Var]bool{}, read: map[*types.Var]bool{}}
	for _, file := range in.Files {
		var path []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			s.visit(n, path)
			return true
		})
	}
	for v := range s.read {
		delete(s.used, v)
	}
	return s.used
}

// sealing looks at all uses of variables.
type sealing struct {
	in         *unit.Input
	used, read map[*types.Var]bool // in operations of package sync/atomic; in another way
}

// visit looks at n, the last node of path.
func (s *sealing) visit(n ast.Node, path []ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		if v, ok := s.in.Info.Uses[n].(*types.Var); ok && !v.IsField() {
			s.use(v, s.isOperand(n, path[:len(path)-1]))
		}
	case *ast.FuncType:
		s.readAll(n.Results)
	case *ast.ForStmt:
		s.declared(n.Init)
	case *ast.RangeStmt:
		s.copied(n.Key)
		s.copied(n.Value)
	}
}

// use notes a use of v: in an operation, or in another way.
func (s *sealing) use(v *types.Var, inOperation bool) {
	isPackageLevel := v.Parent() == s.in.Types.Scope()
	if !inOperation || isPackageLevel && v.Exported() {
		s.read[v] = true
		return
	}
	s.used[v] = true
}

// isOperand reports whether id, below path, is the operand of an operation of package sync/atomic.
func (s *sealing) isOperand(id *ast.Ident, path []ast.Node) bool {
	var up ast.Expr = id
	parent := func() ast.Node {
		for len(path) > 0 {
			n := path[len(path)-1]
			path = path[:len(path)-1]
			if p, ok := n.(*ast.ParenExpr); ok {
				up = p
				continue
			}
			return n
		}
		return nil
	}
	switch n := parent().(type) {
	case *ast.SelectorExpr:
		sel := s.in.Info.Selections[n]
		if sel == nil || n.X != up || len(sel.Index()) != 1 || sel.Kind() != types.MethodVal ||
			sel.Indirect() {
			return false
		}
		name := unit.AtomicType(sel.Obj())
		up = n
		call, ok := parent().(*ast.CallExpr)
		return ok && call.Fun == up && name != "" && name != "Value"
	case *ast.UnaryExpr:
		if n.Op != token.AND {
			return false
		}
		up = n
		call, ok := parent().(*ast.CallExpr)
		return ok && len(call.Args) > 0 && call.Args[0] == up && atomicName(s.in, call) != ""
	}
	return false
}

// atomicName returns the name of the function of package sync/atomic that c calls, "" if it is
// none.
func atomicName(in *unit.Input, c *ast.CallExpr) string {
	id := unit.LastIdent(ast.Unparen(c.Fun))
	if id == nil {
		return ""
	}
	fn, ok := in.Info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != unit.AtomicPath ||
		fn.Signature().Recv() != nil {
		return ""
	}
	return fn.Name()
}

// readAll notes that the variables of a list of results are read.
func (s *sealing) readAll(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			s.copied(name)
		}
	}
}

// declared notes that the variables that a statement declares are copied.
func (s *sealing) declared(init ast.Stmt) {
	if a, ok := init.(*ast.AssignStmt); ok {
		for _, x := range a.Lhs {
			s.copied(x)
		}
	}
}

// copied notes that the variable that e declares is read.
func (s *sealing) copied(e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := s.in.Info.Defs[id].(*types.Var); ok {
			s.read[v] = true
		}
	}
}

// isSealed reports whether e is a sealed variable.
func (lib *library) isSealed(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := lib.In.Info.Uses[id].(*types.Var)
	return ok && lib.sealed[v]
}

// sealedStore tells of c if that is a call like StoreInt32(&v, 1), of a sealed variable.
func (lib *library) sealedStore(c *ast.CallExpr) {
	if len(lib.sealed) == 0 || !strings.HasPrefix(atomicName(lib.In, c), "Store") {
		return
	}
	if x, ok := ast.Unparen(c.Args[0]).(*ast.UnaryExpr); ok && lib.isSealed(x.X) {
		lib.Open(c.Args[0], lib.Hooked("Sealed"))
		lib.Close(c.Args[0], ")")
	}
}
