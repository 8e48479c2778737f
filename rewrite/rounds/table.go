package rounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Table lists the functions of a file, each with its loops behind it, those further out first. It
// is empty if there is no function. A line is
//
//	f12-40 a- example.org/p.f
//	l13-20 ce-
//
// It has the lines of the function or loop, its flags, and the functions that it calls, but for
// those that are known to only wait: see package runtime/rounds. The flag - has no meaning, and is
// always there. The others are
//
//	a  it assigns to a variable that may outlive the round, or does what is not known
//	c  it counts its rounds
//	r  it ranges over a channel
//	e  it counts each round, also one in which nothing has happened
//	b  its body is the loop inside, and nothing else that does something
func Table(f *unit.File) string {
	t := &table{File: f}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			t.function(n, n.Body)
		case *ast.FuncLit:
			t.function(n, n.Body)
		}
		return true
	})
	t.doubt()
	var text strings.Builder
	for _, e := range t.list {
		fmt.Fprintf(&text, "%s%d-%d %s %s\n", e.kind, e.from, e.to, e.flags,
			strings.Join(e.calls, " "))
	}
	return text.String()
}

// table is the table of a file while it is made.
type table struct {
	*unit.File
	list []entry
}

// entry is a line of the table.
type entry struct {
	kind     string
	from, to int
	flags    string
	calls    []string
}

func (t *table) line(p token.Pos) int { return t.In.Fset.PositionFor(p, false).Line }

func (t *table) add(kind string, n ast.Node, body *ast.BlockStmt, flags string) {
	assigns, calls := t.effects(body)
	if loop, is := n.(*ast.ForStmt); is && loop.Cond != nil {
		more, others := t.effects(loop.Cond)
		assigns, calls = assigns || more, append(calls, others...)
	}
	if assigns {
		flags += "a"
	}
	slices.Sort(calls)
	t.list = append(t.list, entry{kind, t.line(n.Pos()), t.line(n.End()), flags + "-",
		slices.Compact(calls)})
}

func (t *table) function(n ast.Node, body *ast.BlockStmt) {
	if body == nil {
		return
	}
	t.add("f", n, body, "")
	inside(body, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.RangeStmt:
			t.add("l", s, s.Body, t.ranged(s))
		case *ast.ForStmt:
			t.add("l", s, s.Body, t.counted(s))
		}
	})
}

// doubt doubts what is said of functions, or of loops of one function, that cannot be told apart by
// their lines.
func (t *table) doubt() {
	within := func(a, b *entry) bool { return a.from < b.from && b.to < a.to }
	for i := range t.list {
		a := &t.list[i]
		for j := i + 1; j < len(t.list); j++ {
			b := &t.list[j]
			if b.kind == "f" && (a.kind == "l" || b.from > a.to) {
				break
			}
			if a.kind == b.kind && a.from <= b.to && b.from <= a.to && !within(a, b) &&
				!within(b, a) {
				a.flags, b.flags = a.flags+"a", b.flags+"a"
			}
		}
	}
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

// ranged returns the flags of a loop that ranges.
func (t *table) ranged(s *ast.RangeStmt) (flags string) {
	flags = "ce"
	if unit.Channelness(t.In.Info.TypeOf(s.X)) != unit.Never {
		flags = "cer"
	}
	if s.Tok == token.ASSIGN {
		flags += "a"
	}
	return flags + bare(s.Body)
}

// counted returns the flags of a loop that does not range.
func (t *table) counted(s *ast.ForStmt) (flags string) {
	byCond := s.Cond != nil && (t.ordered(s.Cond) ||
		s.Post != nil && !asksTime(t.In.Info, s.Cond) && !t.onlyLooks(s))
	counts := byCond || t.leavesByOrder(s.Body)
	if counts {
		flags = "c"
	}
	if counts && (s.Post != nil || countsAlways(s.Body)) {
		flags += "e"
	}
	if s.Post != nil {
		flags += "a"
	}
	return flags + bare(s.Body)
}

// onlyLooks reports whether a loop with a post statement ends only by what others change: its
// condition looks, and names no variable that the rest of the loop names, but for contexts, which
// only others end; and no condition in the loop is about its count.
//
//	for i := 0; ctx.Err() == nil; i++
func (t *table) onlyLooks(s *ast.ForStmt) bool {
	l := newLooks(t.File, s, nil)
	if !l.pure(s.Cond) || !l.any {
		return false
	}
	asked, used, counts := objects{}, objects{}, objects{}
	t.named(s.Cond, asked)
	t.named(s.Post, counts)
	t.named(s.Body, used)
	for o := range asked {
		v, is := o.(*types.Var)
		if is && (counts[v] || used[v] && !unit.IsContext(v.Type())) {
			return false
		}
	}
	return !t.decidesBy(s.Body, counts)
}

// decidesBy reports whether a condition in a body names one of the objects.
func (t *table) decidesBy(body *ast.BlockStmt, by objects) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		decides := objects{}
		switch n := n.(type) {
		case *ast.IfStmt:
			t.named(n.Cond, decides)
		case *ast.ForStmt:
			t.named(n.Cond, decides)
		case *ast.SwitchStmt:
			t.named(n.Tag, decides)
		case *ast.CaseClause:
			for _, e := range n.List {
				t.named(e, decides)
			}
		}
		for o := range decides {
			found = found || by[o]
		}
		return !found
	})
	return found
}

type objects map[types.Object]bool

// named adds the objects that n, which may be nil, names.
func (t *table) named(n ast.Node, to objects) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			to[t.In.Info.ObjectOf(id)] = true
		}
		return true
	})
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

// bare returns the flag of a loop all of whose body is one more loop.
func bare(body *ast.BlockStmt) string {
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
			return ""
		}
	}
	if loops == 1 {
		return "b"
	}
	return ""
}

// ordered reports whether cond compares by an order, and not the time.
func (t *table) ordered(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			switch e.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				found = found || !asksTime(t.In.Info, e)
			}
		}
		return true
	})
	return found
}

// leavesByOrder reports whether a loop ends in the body of an if statement that compares by an
// order.
func (t *table) leavesByOrder(body *ast.BlockStmt) (found bool) {
	inside(body, func(s ast.Stmt) {
		i, ok := s.(*ast.IfStmt)
		if !ok || len(i.Body.List) == 0 || !t.ordered(i.Cond) {
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

// effects returns what a round, or a call, of some code does: whether it assigns to a variable that
// may outlive it, or does what is not known; and the functions that it calls, but for those that
// wait.
func (t *table) effects(n ast.Node) (assigns bool, calls []string) {
	own := func(e ast.Expr) bool {
		id, is := ast.Unparen(e).(*ast.Ident)
		if !is {
			return false
		}
		v := t.In.Info.ObjectOf(id)
		return id.Name == "_" || v != nil && n.Pos() <= v.Pos() && v.Pos() < n.End()
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.RangeStmt:
			assigns = assigns || m.Tok == token.ASSIGN || t.isFunc(m.X)
		case *ast.FuncLit, *ast.GoStmt, *ast.SendStmt:
			assigns = true
			return false
		case *ast.IncDecStmt:
			assigns = assigns || !own(m.X)
		case *ast.AssignStmt:
			assigns = assigns || m.Tok != token.DEFINE &&
				slices.ContainsFunc(m.Lhs, func(e ast.Expr) bool { return !own(e) })
		case *ast.CallExpr:
			switch name, known := t.callee(m); {
			case !known:
				assigns = true
			case name != "":
				calls = append(calls, name)
			}
		}
		return true
	})
	return assigns, calls
}

// isFunc reports whether an expression may be a function, which others can call.
func (t *table) isFunc(e ast.Expr) bool {
	return slices.ContainsFunc(unit.Terms(t.In.Info.TypeOf(e)), func(t types.Type) bool {
		_, is := t.Underlying().(*types.Signature)
		return is
	})
}

// callee returns the name of the function that a call calls, as package runtime has it; empty if
// that only waits. It reports false if the function is not known.
func (t *table) callee(call *ast.CallExpr) (name string, known bool) {
	if t.In.Info.Types[call.Fun].IsType() {
		return "", true
	}
	switch t.Builtin(call) {
	case "len", "cap", "min", "max":
		return "", true
	}
	fn := called(t.In.Info, call)
	switch {
	case fn == nil || fn.Pkg() == nil || slices.ContainsFunc(call.Args, t.isFunc),
		fn.FullName() == "(*sync.Pool).Get": // calls New
		return "", false
	case waits(t.In.Info, fn, call.Args):
		return "", true
	}
	return runtimeName(fn), true
}

// runtimeName returns the name of a function as package runtime has it: p.F, p.T.M, p.(*T).M, and
// p.F[...] if it is generic.
func runtimeName(fn *types.Func) string {
	sig, path := fn.Signature(), fn.Pkg().Path()
	if sig.Recv() == nil {
		return path + "." + fn.Name() + instances(sig.TypeParams())
	}
	t, isPointer := sig.Recv().Type(), false
	if p, is := types.Unalias(t).(*types.Pointer); is {
		t, isPointer = p.Elem(), true
	}
	named, is := types.Unalias(t).(*types.Named)
	if !is {
		return path + ".?"
	}
	name := named.Obj().Name() + instances(named.TypeParams())
	if isPointer {
		name = "(*" + name + ")"
	}
	return path + "." + name + "." + fn.Name()
}

func instances(params *types.TypeParamList) string {
	if params.Len() > 0 {
		return "[...]"
	}
	return ""
}
