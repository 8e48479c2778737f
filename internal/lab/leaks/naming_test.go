package leaks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// name fills s.naming. The compiler numbers the function literals of a function in source order,
// F.func1, F.func2, and those in a literal likewise, F.func1.1. Rehearse names a process after the
// declared function and the line. It names the function of a timer by the timer, so there the line
// at which it is blocked tells.
func (s *source) name() {
	s.naming = map[string][]string{}
	for _, d := range s.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			s.nameLiterals(declared(fn), declared(fn)+".func", fn.Body)
			s.nameMethod(fn)
		}
	}
}

func (s *source) line(pos token.Pos) int { return s.fset.Position(pos).Line }

// nameMethod notes fn as what a process may run that was started through an interface: rehearse
// then knows the interface's name only.
func (s *source) nameMethod(fn *ast.FuncDecl) {
	if fn.Recv == nil {
		return
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if _, ok := spec.Type.(*ast.InterfaceType); ok {
			key := spec.Name.Name + "." + fn.Name.Name
			s.naming[key] = append(s.naming[key], declared(fn))
		}
		return false
	})
}

// nameLiterals names the literals in body; prefix is what the compiler puts before their numbers.
func (s *source) nameLiterals(decl, prefix string, body ast.Node) {
	count := 0
	ast.Inspect(body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		count++
		compiled := fmt.Sprintf("%s%d", prefix, count)
		key := fmt.Sprintf("%s.func@%d", decl, s.line(lit.Pos()))
		s.naming[key] = append(s.naming[key], compiled)
		// an inner literal comes later, and wins
		for line := s.line(lit.Pos()); line <= s.line(lit.End()); line++ {
			s.naming[fmt.Sprintf("AfterFunc@%d", line)] = []string{compiled}
		}
		s.nameLiterals(decl, compiled+".", lit.Body)
		return false
	})
}

// declared is the name of a function or method as both the compiler and rehearse write it.
func declared(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	recv := fn.Recv.List[0].Type
	if _, pointer := recv.(*ast.StarExpr); pointer {
		return "(" + types.ExprString(recv) + ")." + fn.Name.Name
	}
	return types.ExprString(recv) + "." + fn.Name.Name
}
