package rounds

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
)

// loop is a for statement.
type loop struct {
	from, to int // lines
	ranges   bool
	counts   bool // if it ranges: over anything but a channel, as far as is known
	always   bool // it counts each round, also one in which nothing has happened
	bare     bool // its body is the loop inside, and nothing else that does something
	still    bool // see Still
	wins     bool // see wins
	effects  effects
	file     string
}

// function is a function declaration or literal, with the loops in it, those further out first.
type function struct {
	from, to int
	loops    []loop
	jumps    bool // by goto
	effects  effects
}

// files remembers the functions of each file that was read.
var files = map[string][]function{}

// loopsAround returns the loops around all of the lines, the innermost first, that are in the
// innermost function around them. If it calls a literal of its own, the line may be the last one of
// the literal.
func loopsAround(file string, lines []int, literal bool) (list []loop) {
	f := functionAround(file, lines, literal)
	if f == nil {
		return nil
	}
	from, to := slices.Min(lines), slices.Max(lines)
	for _, l := range f.loops {
		if l.from <= from && to <= l.to {
			list = append(list, l)
		}
	}
	slices.Reverse(list)
	return list
}

// functionAround returns the innermost function around all of the lines; nil if there is none.
func functionAround(file string, lines []int, literal bool) (best *function) {
	from, to := slices.Min(lines), slices.Max(lines)
	all := functionsOf(file)
	for i := range all {
		f := &all[i]
		around := f.from <= from && (to < f.to || to == f.to && !literal)
		if around && (best == nil || f.to-f.from <= best.to-best.from) {
			best = f
		}
	}
	return best
}

func functionsOf(file string) []function {
	list, known := files[file]
	if known {
		return list
	}
	files[file] = nil
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	r := &reader{set: set, file: file, looks: looksOf(tree)}
	ast.Inspect(tree, r.function)
	files[file] = r.functions
	return r.functions
}

// reader collects the functions of a file.
type reader struct {
	set       *token.FileSet
	file      string
	functions []function
	looks     looks
}

func (r *reader) line(p token.Pos) int { return r.set.PositionFor(p, false).Line }

func (r *reader) function(n ast.Node) bool {
	var body *ast.BlockStmt
	switch n := n.(type) {
	case *ast.FuncDecl:
		body = n.Body
	case *ast.FuncLit:
		body = n.Body
	}
	if body != nil {
		f := function{from: r.line(n.Pos()), to: r.line(n.End()),
			jumps: leavesBy(body, token.GOTO), effects: effectsOf(body)}
		inside(body, func(s ast.Stmt) {
			if l, ok := r.loop(s); ok {
				f.loops = append(f.loops, l)
			}
		})
		r.functions = append(r.functions, f)
	}
	return true
}

// inside visits the statements below n that are in the same function, those further out first.
func inside(n ast.Node, visit func(s ast.Stmt)) {
	ast.Inspect(n, func(m ast.Node) bool {
		if _, ok := m.(*ast.FuncLit); ok {
			return false
		}
		if s, ok := m.(ast.Stmt); ok && m != n {
			visit(s)
		}
		return true
	})
}

func (r *reader) loop(s ast.Stmt) (l loop, ok bool) {
	l = loop{from: r.line(s.Pos()), to: r.line(s.End()), file: r.file}
	switch s.(type) {
	case *ast.RangeStmt, *ast.ForStmt:
		l.effects = effectsOf(s)
	}
	switch s := s.(type) {
	case *ast.RangeStmt:
		l.ranges, l.counts, l.always, l.bare = true, true, true, isBare(s.Body)
	case *ast.ForStmt:
		l.counts = s.Cond != nil && (s.Post != nil && !asksTime(s.Cond) || ordered(s.Cond)) ||
			leavesByOrder(s.Body)
		l.always, l.bare = l.counts && (s.Post != nil || countsAlways(s.Body)), isBare(s.Body)
		l.still, l.wins = r.looks.isStill(s), wins(s)
	default:
		return l, false
	}
	return l, true
}

// countsAlways reports whether a body counts something up or down in each round.
func countsAlways(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.IncDecStmt:
			return true
		case *ast.AssignStmt:
			return s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN
		case *ast.IfStmt:
			_, counts := s.Init.(*ast.IncDecStmt)
			return counts
		}
		return false
	})
}

// isBare reports whether all that a loop's body does is one more loop.
func isBare(body *ast.BlockStmt) bool {
	loops := 0
	for _, s := range body.List {
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops++
		case *ast.DeclStmt, *ast.IncDecStmt, *ast.EmptyStmt:
		default:
			return false
		}
	}
	return loops == 1
}

// ordered reports whether cond compares by an order, and not the time.
func ordered(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			switch e.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				found = found || !asksTime(e)
			}
		}
		return true
	})
	return found
}

// asksTime reports whether an expression looks at the clock, by the names of the functions that it
// calls: the clock goes on with time, and not with rounds.
func asksTime(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			switch s.Sel.Name {
			case "Now", "Since", "Until", "Sub", "Before", "After", "Elapsed":
				found = true
			}
		}
		return true
	})
	return found
}

// leavesByOrder reports whether a loop ends in the body of an if statement that compares by an
// order.
func leavesByOrder(body *ast.BlockStmt) (found bool) {
	inside(body, func(s ast.Stmt) {
		i, ok := s.(*ast.IfStmt)
		if !ok || len(i.Body.List) == 0 || !ordered(i.Cond) {
			return
		}
		switch last := i.Body.List[len(i.Body.List)-1].(type) {
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || last.Tok == token.BREAK || last.Tok == token.GOTO
		}
	})
	return found
}
