package rounds

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Mark marks s, whose label may be nil, if it is still, and reports whether it is: each of its
// rounds leaves the goroutine as it was if the looks find nothing new. Nothing in it assigns to a
// variable that outlives the round, but in branches, which say so if they are taken; if whole, not
// even there, and no round waits. One look more or less makes no difference then.
func Mark(f *unit.File, s *ast.ForStmt, label *ast.LabeledStmt, whole bool) (still bool) {
	if !MarkRounds(f, s, label, whole) {
		return false
	}
	enter, head := f.Hooked("Polls")+")", ""
	switch {
	case s.Init != nil:
		f.Open(s, enter+"; ")
		enter = ""
	case hasSemicolon(f, s):
	case s.Cond == nil:
		head = "; ;"
	default:
		head = ";"
		f.Edits.Open(f.Offset(s.Body.Lbrace), edit.Text("; "))
	}
	if enter != "" {
		f.Edits.Close(f.Offset(s.For)+len("for"), edit.Text(" "+enter+head))
	}
	return true
}

// MarkRounds is Mark for a loop that says otherwise where a goroutine comes to it.
func MarkRounds(f *unit.File, s *ast.ForStmt, label *ast.LabeledStmt, whole bool) (still bool) {
	l := newLooks(f, s, label)
	if !l.isStill() || whole && (len(l.changes) > 0 || len(l.tallies.branches) > 0 || l.waits) {
		return false
	}
	for _, ctx := range l.contexts {
		f.Open(ctx, f.Hooked("Asked"))
		f.Close(ctx, ")")
	}
	for _, branch := range l.changes {
		f.Edits.Open(f.Offset(branch), edit.Text(" "+f.Hooked("Polls")+");"))
	}
	for _, branch := range l.tallies.branches {
		f.Edits.Open(f.Offset(branch), edit.Text(" "+f.Hooked("Tally")+");"))
	}
	f.Edits.Open(f.Offset(s.Body.Lbrace)+1, edit.Text(" "+f.Hooked("Round")+");"))
	return true
}

// hasSemicolon reports whether s, which has no statements in its head, has semicolons there.
func hasSemicolon(f *unit.File, s *ast.ForStmt) bool {
	end := s.Body.Lbrace
	if s.Cond != nil {
		end = s.Cond.Pos()
	}
	src := f.Src[f.Offset(s.For):f.Offset(end)]
	var head scanner.Scanner
	head.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	for {
		switch _, tok, _ := head.Scan(); tok {
		case token.SEMICOLON:
			return true
		case token.EOF:
			return false
		}
	}
}

// looks reads a loop.
type looks struct {
	*unit.File
	others   func(path string) *unit.Input // see unit.Input
	loop     *ast.ForStmt
	label    string          // of the loop; empty: none
	any      bool            // it looks
	waits    bool            // it receives, and may wait there
	contexts []ast.Expr      // whose Done or Err it calls
	changes  []token.Pos     // where the branches begin that may change something
	tallies  tallies         // what it counts and does not read
	asked    []*ast.FuncDecl // the questions looked into: see isQuestion
}

func newLooks(f *unit.File, s *ast.ForStmt, label *ast.LabeledStmt) *looks {
	l := &looks{File: f, loop: s, others: f.In.Others}
	if l.others == nil {
		l.others = func(string) *unit.Input { return nil }
	}
	if label != nil {
		l.label = label.Label.Name
	}
	return l
}

func (l *looks) isStill() bool {
	s := l.loop
	if s.Init != nil && l.label != "" {
		return false // a goto may come to the label
	}
	still := s.Post == nil && (s.Cond == nil || l.pure(s.Cond)) &&
		l.stay(s.Body.List, false) && l.any
	if l.tallies.kept > 0 {
		l.tallies.branches = append(l.tallies.branches, s.Body.Lbrace+1)
	}
	return still
}

// stay reports whether statements that go on with the loop change nothing. inner: they are in a
// select or switch, which a break leaves. The loop goes on then.
func (l *looks) stay(list []ast.Stmt, inner bool) bool {
	return !slices.ContainsFunc(list, func(s ast.Stmt) bool {
		return !l.stays(s, inner) && !l.keepsTally(s)
	})
}

func (l *looks) stays(s ast.Stmt, inner bool) bool {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE && (s.Label == nil || s.Label.Name == l.label) ||
			s.Tok == token.BREAK && s.Label == nil && inner
	case *ast.BlockStmt:
		return l.stay(s.List, inner)
	case *ast.ExprStmt:
		return l.pure(s.X) || l.receives(s.X)
	case *ast.AssignStmt:
		return (s.Tok == token.DEFINE || allBlank(s.Lhs)) && l.allLook(s.Rhs) && !l.copiesSync(s)
	case *ast.IfStmt:
		l.branch(s.Body.Lbrace+1, s.Body.List, inner)
		if other, is := s.Else.(*ast.BlockStmt); is {
			l.branch(other.Lbrace+1, other.List, inner)
		} else if !l.stays(s.Else, inner) {
			return false
		}
		return l.stays(s.Init, inner) && l.pure(s.Cond)
	case *ast.SelectStmt:
		return l.looksByCases(s)
	case *ast.SwitchStmt:
		return l.stays(s.Init, inner) && (s.Tag == nil || l.pure(s.Tag)) &&
			!slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool {
				c := s.(*ast.CaseClause)
				l.branch(c.Colon+1, c.Body, true)
				return !l.allPure(c.List)
			})
	}
	return false
}

// branch takes down a branch, the statements from a place on, that goes on with the loop and may
// change something. It will say so: the rounds before it are not compared with those after it.
func (l *looks) branch(from token.Pos, list []ast.Stmt, inner bool) {
	outer := l.tallies.kept
	switch {
	case l.leaves(list, inner):
	case !l.stay(list, inner):
		l.changes = append(l.changes, from)
	case l.tallies.kept > outer:
		l.tallies.branches = append(l.tallies.branches, from)
	}
	l.tallies.kept = outer
}

// looksByCases reports whether the operands of the cases of a select change nothing. It looks if it
// has a default branch, or a case that receives and goes on with the loop without a change, as the
// channel may be closed. Another branch that receives must say what it changes. One that sends need
// not: its send is a step, and no look.
func (l *looks) looksByCases(s *ast.SelectStmt) bool {
	waits := true
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if !l.tries(c.Comm) {
			return false
		}
		switch c.Comm.(type) {
		case nil:
			waits, l.any = false, true
		case *ast.SendStmt:
			continue
		}
		changes := len(l.changes)
		l.branch(c.Colon+1, c.Body, true)
		l.any = l.any || len(l.changes) == changes && !l.leaves(c.Body, true)
	}
	l.waits = l.waits || waits
	return true
}

// allBlank reports whether all of list are the blank identifier.
func allBlank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		id, is := e.(*ast.Ident)
		return !is || id.Name != "_"
	})
}

// allLook reports whether each expression changes nothing, or is a receive.
func (l *looks) allLook(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !l.pure(e) && !l.receives(e) })
}

// receives reports whether an expression is a receive, and its operand changes nothing. A receive
// of a value is a step; one from a closed channel is a look.
func (l *looks) receives(e ast.Expr) bool {
	if !l.pureReceive(e) {
		return false
	}
	l.any, l.waits = true, true
	return true
}

// tries reports whether the operands of a case of a select, nil if it is the default branch, change
// nothing, and so does its assignment.
func (l *looks) tries(comm ast.Stmt) bool {
	switch comm := comm.(type) {
	case *ast.SendStmt:
		return l.pure(comm.Chan) && l.pure(comm.Value)
	case *ast.ExprStmt:
		return l.pureReceive(comm.X) || l.receivesAfter(comm.X)
	case *ast.AssignStmt:
		return comm.Tok == token.DEFINE &&
			(l.pureReceive(comm.Rhs[0]) || l.receivesAfter(comm.Rhs[0]))
	}
	return true
}

// receivesAfter reports whether a case of a select of the loop receives from a timer of its own.
// Nobody has the timer any more when another case was chosen.
func (l *looks) receivesAfter(e ast.Expr) bool {
	r := unit.Receive(e)
	if r == nil || len(l.asked) > 0 {
		return false
	}
	call := shared.After(l.In.Info, r.X)
	return call != nil && l.allPure(call.Args)
}

func (l *looks) pureReceive(e ast.Expr) bool {
	r := unit.Receive(e)
	return r != nil && l.pure(r.X)
}

// leaves reports whether statements always leave the loop, whatever else they do. inner is as in
// stay.
func (l *looks) leaves(list []ast.Stmt, inner bool) bool {
	if len(list) == 0 || slices.ContainsFunc(list, l.mayStay) {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && (last.Label != nil || !inner)
	}
	return false
}

// mayStay reports whether a statement may go on with the loop by a jump, as far as is known.
func (l *looks) mayStay(s ast.Stmt) (may bool) {
	last := s
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			may = true
		case *ast.BranchStmt:
			may = may || n.Tok != token.BREAK || ast.Stmt(n) != last
		}
		return !may
	})
	return may
}

func (l *looks) allPure(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !l.pure(e) })
}

// pure reports whether the evaluation of e changes nothing as long as it finds nothing new.
func (l *looks) pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return l.pure(e.X)
	case *ast.SelectorExpr:
		return l.pure(e.X)
	case *ast.StarExpr:
		return l.pure(e.X)
	case *ast.TypeAssertExpr:
		return l.pure(e.X)
	case *ast.IndexExpr:
		return l.pure(e.X) && l.pure(e.Index)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && l.pure(e.X)
	case *ast.BinaryExpr:
		return l.pure(e.X) && l.pure(e.Y)
	case *ast.CallExpr:
		return l.In.Info.Types[e.Fun].IsType() && l.allPure(e.Args) || l.asks(e)
	}
	return false
}

// asks reports whether a call only looks, or lets others go first.
func (l *looks) asks(call *ast.CallExpr) bool {
	switch l.Builtin(call) {
	case "len", "cap", "min", "max":
		if t := l.In.Info.TypeOf(call.Args[0]); l.Builtin(call) == "len" && unit.IsChan(t) {
			l.any = true
		}
		return l.allPure(call.Args)
	case "make":
		return unit.IsChan(l.In.Info.TypeOf(call)) && l.allPure(call.Args[1:])
	}
	if ctx := l.AskedContext(call); ctx != nil && len(l.asked) == 0 {
		l.any, l.contexts = true, append(l.contexts, ctx)
		return l.pure(ctx)
	}
	fn := called(l.In.Info, call)
	if fn == nil || !l.allPure(call.Args) {
		return false
	}
	if isLook(fn) || isOfMutex(fn) {
		l.any = true
	} else if fn.FullName() != "runtime.Gosched" && !l.isQuestion(fn) {
		return false
	}
	f, is := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return !is || l.pure(f.X)
}

// A tally is a variable that a loop keeps and does not read:
//
//	for n := 0; ; {
//		select {
//		case <-closed:
//			n++
//		case <-stop:
//			return n
//		}
//	}
//
// The next rounds of the loop do the same, whatever the tally is. So if nothing else changes, the
// loop has no end. But code that reads the tally afterwards can tell how often the loop has looked:
// a look more or less does make a difference.

// tallies has the branches of a loop that keep tallies.
type tallies struct {
	branches []token.Pos // where they begin
	kept     int         // statements that keep tallies, and are in no branch yet
}

// keepsTally reports whether a statement of the loop assigns to a tally, and changes nothing else.
func (l *looks) keepsTally(s ast.Stmt) bool {
	var to ast.Expr
	switch s := s.(type) {
	case *ast.IncDecStmt:
		to = s.X
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || len(s.Lhs) > 1 || !l.pure(s.Rhs[0]) {
			return false
		}
		to = s.Lhs[0]
	default:
		return false
	}
	id, is := to.(*ast.Ident)
	if !is || !l.isTally(l.In.Info.Uses[id]) {
		return false
	}
	l.tallies.kept++
	return true
}

// isTally reports whether an object is a variable of the function of the loop, of a basic type that
// does not grow, which nothing in the loop reads, but in branches that leave it. Neither another
// function nor a pointer has it.
func (l *looks) isTally(o types.Object) bool {
	v, is := o.(*types.Var)
	if !is || l.loop.Pos() <= v.Pos() && v.Pos() < l.loop.End() {
		return false
	}
	basic, is := types.Unalias(v.Type()).(*types.Basic)
	if !is || basic.Info()&(types.IsNumeric|types.IsBoolean) == 0 {
		return false
	}
	fn := functionOf(l.Syntax, l.loop)
	if fn == nil || v.Pos() < fn.Pos() || fn.End() <= v.Pos() {
		return false
	}
	targets := map[*ast.Ident]bool{}
	var from, to token.Pos // the last branch that leaves the loop
	shared := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if at, end := l.leaving(n); at >= to {
			from, to = at, end
		}
		switch n := n.(type) {
		case *ast.IncDecStmt:
			l.target(n.X, targets)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				l.target(e, targets)
			}
		case *ast.UnaryExpr:
			shared = shared || n.Op == token.AND && l.names(n.X, v)
		case *ast.FuncLit:
			if n != fn {
				shared = shared || l.names(n, v)
				return false
			}
		case *ast.Ident:
			inLoop := l.loop.Pos() <= n.Pos() && n.Pos() < l.loop.End() &&
				!(from <= n.Pos() && n.Pos() < to)
			shared = shared || inLoop && l.In.Info.Uses[n] == v && !targets[n]
		}
		return !shared
	})
	return !shared
}

// leaving returns where a branch that leaves the loop begins and ends; 0: n is none.
func (l *looks) leaving(n ast.Node) (from, to token.Pos) {
	if n == nil || n.Pos() <= l.loop.Body.Pos() || l.loop.Body.End() <= n.Pos() {
		return 0, 0
	}
	var list []ast.Stmt
	switch n := n.(type) {
	case *ast.BlockStmt:
		from, list = n.Lbrace, n.List
	case *ast.CaseClause:
		from, list = n.Colon, n.Body
	case *ast.CommClause:
		from, list = n.Colon, n.Body
	}
	if !l.leaves(list, true) {
		return 0, 0
	}
	return from, n.End()
}

// target takes down an identifier to which something is assigned.
func (l *looks) target(e ast.Expr, targets map[*ast.Ident]bool) {
	if id, is := e.(*ast.Ident); is {
		targets[id] = true
	}
}

// names reports whether n names a variable.
func (l *looks) names(n ast.Node, v *types.Var) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		found = found || is && l.In.Info.Uses[id] == v
		return !found
	})
	return found
}

// functionOf returns the innermost function of a file that has n; nil if there is none.
func functionOf(file *ast.File, n ast.Node) (fn ast.Node) {
	if file == nil {
		return nil
	}
	ast.Inspect(file, func(m ast.Node) bool {
		if m == nil || m.Pos() > n.Pos() || m.End() < n.End() {
			return m == file
		}
		switch m.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			fn = m
		}
		return true
	})
	return fn
}
