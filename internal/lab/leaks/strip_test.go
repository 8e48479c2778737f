package leaks

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is one file of the corpus while it is being stripped.
type source struct {
	group   string // the directory that it comes from, which is a package here
	fset    *token.FileSet
	file    *ast.File
	text    []byte
	entries []string   // the names that its kernels are registered under
	gone    []ast.Node // what has been blanked
	// rehearse's name for a process -> what the compiler may call its function
	naming map[string][]string
}

// strip takes out everything that is not part of a kernel, and keeps all lines.
func (s *source) strip() {
	s.over(s.file.Name, "kern")
	for _, d := range s.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
			s.constants(d.(*ast.GenDecl))
		case initialiser(fn):
			s.entries = append(s.entries, registered(fn)...)
			s.blank(fn)
		}
	}
	for _, d := range s.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && !initialiser(fn) {
			s.scaffolding(fn)
			if !*update {
				s.tries(fn)
			}
			if slices.Contains(s.entries, fn.Name.Name) {
				s.copies(fn)
			}
		}
	}
	s.imports()
}

// base is the file's name.
func (s *source) base() string { return filepath.Base(s.fset.Position(s.file.Package).Filename) }

func initialiser(fn *ast.FuncDecl) bool { return fn.Recv == nil && fn.Name.Name == "init" }

// registered are the names in the calls register(name, f) of an init function.
func registered(fn *ast.FuncDecl) []string {
	var names []string
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && calledName(call) == "register" {
			names = append(names, stringArgs(call)...)
		}
		return true
	})
	return names
}

// constants lessens the depth of the one program that grows exponentially.
func (s *source) constants(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && v.Names[0].Name == "spawnGCMaxDepth" {
			s.over(v.Values[0], "2")
		}
	}
}

// tries lessens the rounds of loops that try their luck a hundred thousand times: a search needs no
// luck, and to minimise such an order takes all the time that there is.
func (s *source) tries(fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Value == "100000" {
			s.over(lit, "300")
		}
		return true
	})
}

// scaffolding blanks the statements that make and write the profile, and that wait before it.
func (s *source) scaffolding(fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		stmt, ok := n.(ast.Stmt)
		if ok && profiling(stmt) {
			s.blank(stmt)
			return false
		}
		return true
	})
}

func profiling(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		return mentions(stmt.Rhs[0], "pprof")
	case *ast.ExprStmt:
		call, ok := stmt.X.(*ast.CallExpr)
		return ok && mentions(call.Fun, "prof")
	case *ast.DeferStmt:
		return mentions(stmt.Call.Fun, "prof")
	case *ast.ForStmt:
		return stmt.Cond != nil && mentions(stmt.Cond, "yieldCount")
	}
	return false
}

// mentions reports whether an identifier occurs in n.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// A loop of an entry function that goes round often makes a race likely. The outermost ones only
// make copies of the kernel, of which one is enough; those in the kernel may need another round or
// two.
const (
	often  = 10
	inside = 3
)

// copies lessens the rounds of such loops.
func (s *source) copies(fn *ast.FuncDecl) {
	for _, stmt := range fn.Body.List {
		outer, ok := stmt.(*ast.ForStmt)
		if ok {
			s.rounds(outer, 1)
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			if loop, ok := n.(*ast.ForStmt); ok && loop != outer {
				s.rounds(loop, inside)
			}
			return true
		})
	}
}

// rounds makes a loop of the form for i := 0; i < 100; i++ go round n times.
func (s *source) rounds(loop *ast.ForStmt, n int) {
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok {
		return
	}
	lit, ok := cond.Y.(*ast.BasicLit)
	switch {
	case !ok || number(lit) < often:
	case cond.Op == token.LSS:
		s.over(lit, strconv.Itoa(n))
	case cond.Op == token.LEQ:
		s.over(lit, strconv.Itoa(n-1))
	}
}

func number(lit *ast.BasicLit) int {
	n, _ := strconv.Atoi(lit.Value)
	return n
}

// imports blanks those that nothing uses any more.
func (s *source) imports() {
	used := map[string]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || slices.Contains(s.gone, n) {
			return false
		}
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, spec := range s.file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if !used[path[strings.LastIndexByte(path, '/')+1:]] {
			s.blank(spec)
		}
	}
}

// blank overwrites n with spaces, and keeps its lines.
func (s *source) blank(n ast.Node) {
	s.gone = append(s.gone, n)
	s.over(n, "")
}

// over overwrites n with text and spaces.
func (s *source) over(n ast.Node, text string) {
	from, to := s.fset.Position(n.Pos()).Offset, s.fset.Position(n.End()).Offset
	for i := range s.text[from:to] {
		switch c := &s.text[from+i]; {
		case i < len(text):
			*c = text[i]
		case *c != '\n':
			*c = ' '
		}
	}
}
