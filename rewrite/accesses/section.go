package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// Sections. What a goroutine does between mu.Lock() and mu.Unlock() is one step to others if there
// is nothing in between but accesses that are announced: see package runtime/model/sections.
//
//	mu.Lock()         _rehearse.Section("mu at f.go:7"); mu.Lock()      where the function has the Unlock as well
//	ctx.Done()        _rehearse.Context(ctx, "ctx.Done at f.go:7").Done()
//	fmt.Println(x)    _rehearse.Opaque("fmt.Println at f.go:7"); fmt.Println(x)  what is called may access what it does not announce
//	m[k]              _rehearse.ReadKey(m, "m at f.go:7")[_rehearse.Key(k)], and likewise where it is written
//
// A call of an interface's method, or of a function that is a value, may access anything. So may a
// function of another package, unless that is rewritten or is one of those below.

// section marks a statement that is mu.Lock(), or mu.RLock(), where the same function has the
// Unlock: who calls that function can do nothing in between.
func (a *accesses) section(s *ast.ExprStmt) {
	x, name := a.mutexCall(s.X)
	if x == nil || !a.listed(s) || name != "Lock" && name != "RLock" {
		return
	}
	unlock := strings.Replace(name, "Lock", "Unlock", 1)
	found, awkward := false, false
	ast.Inspect(a.functionBody(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return a.isDeferred(n)
		case *ast.DeferStmt:
			// it might come before an Unlock that was deferred before
			awkward = awkward || n.Pos() < s.Pos() && a.isOpaque(n.Call)
		case *ast.CallExpr:
			y, name := a.mutexCall(n)
			found = found || y != nil && name == unlock && types.ExprString(y) == types.ExprString(
				x)
		}
		return true
	})
	if found && !awkward {
		a.edit(s, func() { a.Open(s, a.Hooked("Section")+a.What(x)+"); ") })
	}
}

// mutexCall returns x and the method's name of a call x.Lock() of a method of Mutex or RWMutex; x
// is nil if e is no such call.
func (a *accesses) mutexCall(e ast.Expr) (x ast.Expr, method string) {
	c, is := ast.Unparen(e).(*ast.CallExpr)
	if !is {
		return nil, ""
	}
	sel, is := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !is {
		return nil, ""
	}
	fn, is := a.In.Info.Uses[sel.Sel].(*types.Func)
	if !is || fn.FullName() != "(*sync.Mutex)."+fn.Name() && fn.FullName() != "(*sync.RWMutex)."+
		fn.Name() {
		return nil, ""
	}
	return sel.X, fn.Name()
}

// functionBody is that of the function that the present node is in.
func (a *accesses) functionBody() ast.Node {
	for _, n := range slices.Backward(a.path) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return &ast.BlockStmt{}
}

// isDeferred reports whether a function literal is that of a defer statement in the function that
// the present node is in.
func (a *accesses) isDeferred(lit *ast.FuncLit) bool {
	found := false
	ast.Inspect(a.functionBody(), func(n ast.Node) bool {
		d, is := n.(*ast.DeferStmt)
		found = found || is && ast.Unparen(d.Call.Fun) == lit
		return !found
	})
	return found
}

// opaque says, in front of the statement that c is in, that c may do what is not announced.
func (a *accesses) opaque(c *ast.CallExpr) {
	switch x := a.asked(c); {
	case x != nil:
		what := a.What(c.Fun)
		a.tellOpaque(x, func() {
			a.Open(x, a.Hooked("Context"))
			a.Close(x, ", "+what+")")
		})
	case a.isOpaque(c):
		a.opaquely(a.What(c.Fun))
	}
}

// asked returns x of a call of x.Done() or x.Err(), where x is a context.Context.
func (a *accesses) asked(c *ast.CallExpr) ast.Expr {
	sel, is := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !is || sel.Sel.Name != "Done" && sel.Sel.Name != "Err" {
		return nil
	}
	named, is := types.Unalias(a.In.Info.TypeOf(sel.X)).(*types.Named)
	if !is || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "context" ||
		named.Obj().Name() != "Context" {
		return nil
	}
	return ast.Unparen(sel.X)
}

// opaquely says so of the statement that the present node is in.
func (a *accesses) opaquely(what string) {
	for i, n := range slices.Backward(a.path) {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return
		case *ast.ForStmt:
			a.opaqueLoop(n, n.Cond, n.Body, what)
		case *ast.RangeStmt:
			a.opaqueLoop(n, nil, n.Body, what)
		}
		if s, is := n.(ast.Stmt); is && i > 0 && inList(s, a.path[i-1]) {
			a.tellOpaque(s, func() { a.before(s, a.Hooked("Opaque")+what+"); ") })
			return
		}
	}
}

// opaqueLoop says so in each iteration of a loop, and where the loop ends: a part of its clause is
// evaluated again and again.
func (a *accesses) opaqueLoop(s ast.Stmt, cond ast.Expr, body *ast.BlockStmt, what string) {
	if _, is := s.(*ast.RangeStmt); is && !a.told[body] {
		a.Edits.Close(a.Offset(s.End()), edit.Text("; "+a.Hooked("Opaque")+what+")"))
	}
	a.tellOpaque(body, func() {
		a.Edits.Open(a.Offset(body.Lbrace+1), edit.Text(" "+a.Hooked("Opaque")+what+");"))
	})
	if cond != nil {
		a.tellOpaque(cond, func() {
			a.Open(cond, a.Hooked("Opaquely"))
			a.Close(cond, ", "+what+")")
		})
	}
}

// unlike says, in front of the statement that the present node is in, that it looks at the time.
func (a *accesses) unlike(x *ast.UnaryExpr) {
	if x.Op != token.ARROW || !shared.IsTimes(a.In.Info.TypeOf(x.X)) {
		return
	}
	if _, is := a.parent().(*ast.ExprStmt); is {
		return
	}
	for i, n := range slices.Backward(a.path) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return
		}
		if s, is := n.(ast.Stmt); is && i > 0 && inList(s, a.path[i-1]) {
			a.tellOpaque(x, func() { a.before(s, a.Hooked("Unlike")+"); ") })
			return
		}
	}
}

// before puts text in front of a statement, and of the space before it: what the statement begins
// with may be moved.
func (a *accesses) before(s ast.Stmt, text string) {
	at := a.Offset(s.Pos())
	if at > 0 && (a.Src[at-1] == ' ' || a.Src[at-1] == '\t') {
		at--
	}
	a.Edits.Open(at, edit.Text(text))
}

// inList reports whether s is one of the list of statements that its parent has.
func inList(s ast.Stmt, parent ast.Node) bool {
	switch p := parent.(type) {
	case *ast.BlockStmt:
		return !isClause(s)
	case *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != s
	}
	return false
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// tellOpaque makes an edit at a node, once.
func (a *accesses) tellOpaque(n ast.Node, f func()) {
	if !a.told[n] {
		a.told[n] = true
		a.found[n] = append(a.found[n], f) // by itself, it is no reason to watch anything
	}
}

// isOpaque reports whether c may do what is not announced.
func (a *accesses) isOpaque(c *ast.CallExpr) bool {
	fun := ast.Unparen(c.Fun)
	if a.In.Info.Types[c.Fun].IsType() || a.Builtin(c) != "" || a.In.Info.Types[c].Value != nil {
		return false
	}
	switch f := fun.(type) {
	case *ast.FuncLit:
		return false
	case *ast.IndexExpr:
		fun = ast.Unparen(f.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(f.X)
	}
	id := unit.LastIdent(fun)
	if id == nil {
		return true
	}
	fn, is := a.In.Info.Uses[id].(*types.Func)
	switch {
	case !is || fn.Pkg() == nil || isDynamic(fn):
		return true
	case a.In.Announced == nil && fn.Pkg() == a.In.Types, a.In.Announced != nil &&
		a.In.Announced(fn.Pkg()):
		return false
	}
	return !a.isTransparent(c, fn)
}

// visible are the packages whose functions and methods are steps, or do nothing to what their
// arguments lead to.
var visible = []string{"sync", "sync/atomic", "time"}

// transparent are the packages whose functions do nothing but what package shared says of them. Of
// others, those functions are.
var (
	transparent = []string{"cmp", "math", "math/bits", "math/cmplx", "strconv", "strings",
		"unicode", "unicode/utf16", "unicode/utf8"}
	transparentOnes = []string{
		"errors.New", "fmt.Errorf", "fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "maps.Clone",
		"maps.Copy", "maps.DeleteFunc", "maps.Equal",
		"slices.BinarySearch", "slices.Clone", "slices.Contains", "slices.ContainsFunc",
		"slices.Delete",
		"slices.DeleteFunc", "slices.Equal", "slices.Index",
		"slices.IndexFunc", "slices.IsSorted", "slices.Max", "slices.Min", "slices.Reverse",
		"slices.Sort", "slices.SortFunc", "slices.SortStableFunc",
		"sort.Float64s", "sort.Ints", "sort.Search", "sort.SearchInts", "sort.SearchStrings",
		"sort.Slice", "sort.SliceStable", "sort.Strings", "testing.Short", "testing.Verbose",
	}
	testingMethods = []string{"Helper", "Name", "Log", "Logf", "Error", "Errorf", "Fatal", "Fatalf",
		"Fail", "FailNow", "Skip", "Skipf", "SkipNow"}
)

// isTransparent reports whether all that a call of a function of the library does is a step, or
// announced.
func (a *accesses) isTransparent(c *ast.CallExpr, fn *types.Func) bool {
	path := fn.Pkg().Path()
	if slices.Contains(visible, path) ||
		path == "testing" && slices.Contains(testingMethods, fn.Name()) {
		return true
	}
	if fn.Signature().Recv() != nil {
		if _, is := shared.Unguarded(fn); !is {
			return false
		}
		return !a.mayWait(c.Args) &&
			!slices.ContainsFunc(c.Args, func(x ast.Expr) bool { return !a.isPlain(x) })
	}
	if shared.Keeps(fn) || !slices.Contains(transparent, path) && !slices.Contains(transparentOnes,
		path+"."+fn.Name()) {
		return false
	}
	for i, x := range c.Args {
		if _, is := ast.Unparen(x).(*ast.FuncLit); is || a.isPlain(x) {
			continue
		}
		if _, looks := shared.Looks(fn, i); !looks || path == "fmt" || a.mayWait(c.Args) ||
			c.Ellipsis.IsValid() || !isSliceOrMap(a.In.Info.TypeOf(x)) {
			return false
		}
	}
	return true
}

// isPlain reports whether x is a number, a string or the like, which leads to nothing.
func (a *accesses) isPlain(x ast.Expr) bool {
	t := a.In.Info.TypeOf(x)
	if t == nil || unit.IsTypeParam(t) {
		return false
	}
	_, is := t.Underlying().(*types.Basic)
	return is && t.Underlying() != types.Typ[types.UnsafePointer]
}

func isSliceOrMap(t types.Type) bool {
	return t != nil && !unit.IsTypeParam(t) && (unit.IsSlice(t) || unit.IsMapType(t))
}

// keyed makes the announcement of the access to an element of the map x tell the key. It reports
// false if it cannot.
func (a *accesses) keyed(n *ast.IndexExpr, x ast.Expr, function string) bool {
	m, _ := a.In.Info.TypeOf(x).Underlying().(*types.Map)
	key := a.In.Info.Types[n.Index]
	if m == nil || a.In.Live || key.IsNil() {
		return false
	}
	if key.Value != nil && types.Identical(key.Type, m.Key()) {
		a.edit(x, func() {
			a.Open(x, a.Hooked(function+"At"))
			a.Edits.Close(a.Offset(x.End()), edit.Text(", "), a.Source(n.Index),
				edit.Text(", "+a.What(x)+")"))
		})
		return true
	}
	if !types.Identical(key.Type, m.Key()) && !types.IsInterface(m.Key()) ||
		a.mayWait([]ast.Expr{n.Index}) || key.Value == nil && !isSimple(n.Index) {
		return false
	}
	a.enclose(n, x, function+"Key")
	a.edit(n.Index, func() {
		a.Open(n.Index, a.Hooked("Key"))
		a.Close(n.Index, ")")
	})
	return true
}

// isSimple reports whether e has a type of its own, and is no constant shifted by a variable or the
// like.
func isSimple(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.CallExpr, *ast.CompositeLit,
		*ast.TypeAssertExpr:
		return true
	case *ast.IndexExpr:
		return true
	case *ast.BinaryExpr:
		return e.Op == token.ADD || e.Op == token.REM || e.Op == token.SUB || e.Op == token.MUL ||
			e.Op == token.QUO
	}
	return false
}

// updates are the operators of updates that commute with their like, and what package hook calls
// them.
var updates = map[string]string{"+": "Adds", "-": "Adds", "|": "Ors", "&": "Ands", "^": "Xors"}

// updateOf is what the hook's Peek says of an update of x by an operator: nothing if it may matter
// in which order it comes among its like.
func (a *accesses) updateOf(x ast.Expr, op string) string {
	b, is := a.In.Info.TypeOf(x).Underlying().(*types.Basic)
	if !is || b.Info()&types.IsInteger == 0 || updates[op] == "" {
		return "Peek("
	}
	return "Update(" + a.Hook + "." + updates[op] + ", "
}
