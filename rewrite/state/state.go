// Package state finds the package-level variables that an execution may change, or through which it
// may change others.
//
// Vocabulary: a value is plain if nothing can be changed through it: numbers, strings, functions,
// and arrays and structs of those. A variable is only read if each use of it, in all packages
// given, ends in copying a plain value out of it.
//
// Guarantees: a variable that is not found keeps its content, and that of all it leads to, in every
// execution.
//
// LIMITS: changes by assembly, go:linkname and unsafe arithmetic are not seen, nor changes of
// variables that a function value has captured.
package state

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Package is one type-checked package.
type Package struct {
	Files []*ast.File
	Info  *types.Info // Types, Uses and Selections
}

// Changing returns a predicate on package-level variables: whether some use in the packages may
// change the variable. Variables of the same name and path, in two type-checked variants of a
// package, are the same.
func Changing(packages []Package) func(*types.Var) bool {
	s := &search{changing: map[string]bool{}}
	for _, p := range packages {
		s.info = p.Info
		for _, f := range p.Files {
			s.file(f)
		}
	}
	return func(v *types.Var) bool { return s.changing[key(v)] }
}

// key names a package-level variable.
func key(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

type search struct {
	info     *types.Info
	changing map[string]bool
}

// file looks at every use of a package-level variable, with the nodes that it is in.
func (s *search) file(f *ast.File) {
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok {
			s.ident(id, stack)
		}
		stack = append(stack, n)
		return true
	})
}

func (s *search) ident(id *ast.Ident, around []ast.Node) {
	v, ok := s.info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || s.changing[key(v)] {
		return
	}
	if !s.onlyRead(id, around) {
		s.changing[key(v)] = true
	}
}

// onlyRead climbs from the use of a variable as long as the parent is a part of the variable.
func (s *search) onlyRead(id *ast.Ident, around []ast.Node) bool {
	var e ast.Expr = id
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.ParenExpr:
			e = n
		case *ast.SelectorExpr:
			if n.X == e && !s.isField(n) {
				return false // a method, or behind a pointer
			}
			e = n
		case *ast.IndexExpr:
			if n.X != e {
				return s.copied(e)
			}
			e = n
		default:
			return s.readBy(n, e)
		}
	}
	return false
}

// isField reports whether a selector names a part of its operand, and not something behind a
// pointer.
func (s *search) isField(n *ast.SelectorExpr) bool {
	sel := s.info.Selections[n]
	return sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect()
}

// readBy reports whether e, directly inside of n, is only read.
func (s *search) readBy(n ast.Node, e ast.Expr) bool {
	switch n := n.(type) {
	case *ast.SliceExpr:
		return n.X != e && s.copied(e) || kernel.IsString(s.info.TypeOf(e))
	case *ast.UnaryExpr:
		return n.Op != token.AND && s.copied(e)
	case *ast.IncDecStmt:
		return false
	case *ast.AssignStmt:
		return !slices.Contains(n.Lhs, e) && s.copied(e)
	case *ast.RangeStmt:
		return n.X == e && s.rangedOver(e)
	case *ast.CallExpr:
		return s.isLen(n) || s.copied(e)
	}
	return s.copied(e)
}

// isLen reports whether a call measures its argument.
func (s *search) isLen(c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := s.info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap") &&
		!kernel.Is[*types.Chan](s.info.TypeOf(c.Args[0]))
}

// copied reports whether a copy of e is plain.
func (s *search) copied(e ast.Expr) bool { return plain(s.info.TypeOf(e)) }

// rangedOver reports whether the loop variables of a range over e are plain copies.
func (s *search) rangedOver(e ast.Expr) bool {
	switch t := s.info.TypeOf(e).Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return plain(t.Elem())
	case *types.Array:
		return plain(t.Elem())
	case *types.Map:
		return plain(t.Key()) && plain(t.Elem())
	}
	return false
}

// plain reports whether nothing can be changed through a value of type t.
func plain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return plain(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
