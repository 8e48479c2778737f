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

// Sections. The code between mu.Lock() and mu.Unlock() is one step to other processes if it makes
// nothing but announced accesses: see package runtime/model/sections.
//
//	mu.Lock()         _rehearse.Section("mu at f.go:7"); mu.Lock()      where the function has the Unlock as well
//	ctx.Done()        _rehearse.Context(ctx, "ctx.Done at f.go:7").Done()
//	fmt.Println(x)    _rehearse.Opaque("fmt.Println at f.go:7"); fmt.Println(x)  what is called may access what it does not announce
//	f(x)              _rehearse.Called(f, "f at f.go:7")(x)             where f is a value
//	defer f()         defer f(); defer _rehearse.Called(f, "f at f.go:7")   likewise, right before the call
//	m[k]              _rehearse.ReadKey(m, "m at f.go:7")[_rehearse.Key(k)], and likewise where it is written
//
// A call of an interface's method may access anything. So may a function of another package, unless
// that is rewritten or is one of those below. Of a function that is a value, package hook finds out
// where it comes from. A pointer that is made of an unsafe.Pointer may lead into the middle of a
// variable.
//
// LIMITS: what such a pointer leads to is not known where the pointer is made elsewhere.

// sections tells package hook what critical sections may do.
type sections struct{ *announcer }

// section marks a statement that is mu.Lock(), or mu.RLock(), if the same function has the Unlock:
// callers of that function can do nothing in between.
func (sec *sections) section(s *ast.ExprStmt) {
	x, name := sec.mutexCall(s.X)
	if x == nil || !sec.listed(s) || name != "Lock" && name != "RLock" {
		return
	}
	unlock := strings.Replace(name, "Lock", "Unlock", 1)
	found := false
	ast.Inspect(sec.functionBody(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return sec.isDeferred(n)
		case *ast.CallExpr:
			y, name := sec.mutexCall(n)
			found = found || y != nil && name == unlock && types.ExprString(y) == types.ExprString(
				x)
		}
		return true
	})
	if found {
		sec.edit(s, func() { sec.Open(s, sec.Hooked("Section")+sec.What(x)+"); ") })
	}
}

// only reports whether d is a function that does nothing but a critical section: it calls methods
// of mutexes and predeclared functions, and does no other operation. An example is
//
//	func (s *Server) trackConn(c *conn, add bool) {
//		s.mu.Lock()
//		defer s.mu.Unlock()
//		delete(s.activeConn, c)
//	}
func (sec *sections) only(d ast.Decl) bool {
	fn, is := d.(*ast.FuncDecl)
	if !is || fn.Body == nil {
		return false
	}
	locks, only := false, true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.FuncLit, *ast.SelectStmt, *ast.SendStmt:
			only = false
		case *ast.UnaryExpr:
			only = only && n.Op != token.ARROW
		case *ast.CallExpr:
			x, name := sec.mutexCall(n)
			locks = locks || name == "Lock" || name == "RLock"
			only = only && (x != nil || sec.Builtin(n) != "" || sec.In.Info.Types[n.Fun].IsType())
		}
		return only
	})
	return locks && only
}

// mutexCall returns x and the method's name of a call x.Lock() of a method of Mutex or RWMutex; x
// is nil if e is no such call.
func (f *facts) mutexCall(e ast.Expr) (x ast.Expr, method string) {
	c, is := ast.Unparen(e).(*ast.CallExpr)
	if !is {
		return nil, ""
	}
	sel, is := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !is {
		return nil, ""
	}
	fn, is := f.In.Info.Uses[sel.Sel].(*types.Func)
	if !is || fn.FullName() != "(*sync.Mutex)."+fn.Name() && fn.FullName() != "(*sync.RWMutex)."+
		fn.Name() {
		return nil, ""
	}
	return sel.X, fn.Name()
}

// opaque says, in front of the statement that c is in, that c may make accesses that are not
// announced.
func (sec *sections) opaque(c *ast.CallExpr) {
	switch x := sec.AskedContext(c); {
	case x != nil:
		what := sec.What(c.Fun)
		sec.tellOpaque(x, func() {
			sec.Open(x, sec.Hooked("Context"))
			sec.Close(x, ", "+what+")")
		})
	case sec.isOpaque(c):
		what := sec.What(c.Fun)
		d, listed := sec.deferOf(c)
		text, plain := sec.plain(c.Fun)
		known := sec.isValue(c.Fun) && !sec.mayWait([]ast.Expr{c.Fun})
		switch {
		case d != nil && known && plain && listed:
			sec.beforeDeferred(d, "Called", text+", "+what)
		case d != nil:
			sec.hidden(d, what)
		case known && !sec.mayWait(c.Args) && !sec.isStarted(c):
			sec.tellOpaque(c.Fun, func() {
				sec.Open(c.Fun, sec.Hooked("Called"))
				sec.Close(c.Fun, ", "+what+")")
			})
		default:
			sec.opaquely(what)
		}
	}
}

// opaquely says so of the statement that the present node is in.
func (sec *sections) opaquely(what string) {
	for i, n := range slices.Backward(sec.nodes) {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return
		case *ast.ForStmt:
			sec.opaqueLoop(n, n.Cond, n.Body, what)
		case *ast.RangeStmt:
			sec.opaqueLoop(n, nil, n.Body, what)
		}
		if s, is := n.(ast.Stmt); is && i > 0 && inList(s, sec.nodes[i-1]) {
			sec.tellOpaque(s, func() { sec.before(s, sec.Hooked("Opaque")+what+"); ") })
			return
		}
	}
}

// opaqueLoop says so in each iteration of a loop, and where the loop ends: a part of its clause is
// evaluated again and again.
func (sec *sections) opaqueLoop(s ast.Stmt, cond ast.Expr, body *ast.BlockStmt, what string) {
	if _, is := s.(*ast.RangeStmt); is && !sec.told[body] {
		sec.Edits.Close(sec.Offset(s.End()), edit.Text("; "+sec.Hooked("Opaque")+what+")"))
	}
	sec.tellOpaque(body, func() {
		sec.Edits.Open(sec.Offset(body.Lbrace+1), edit.Text(" "+sec.Hooked("Opaque")+what+");"))
	})
	if cond != nil {
		sec.tellOpaque(cond, func() {
			sec.Open(cond, sec.Hooked("Opaquely"))
			sec.Close(cond, ", "+what+")")
		})
	}
}

// unlike says, in front of the statement that the present node is in, that it looks at the time.
func (sec *sections) unlike(x *ast.UnaryExpr) {
	if x.Op != token.ARROW || !shared.IsTimes(sec.In.Info.TypeOf(x.X)) {
		return
	}
	if _, is := sec.parent().(*ast.ExprStmt); is {
		return
	}
	for i, n := range slices.Backward(sec.nodes) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return
		}
		if s, is := n.(ast.Stmt); is && i > 0 && inList(s, sec.nodes[i-1]) {
			sec.tellOpaque(x, func() { sec.before(s, sec.Hooked("Unlike")+"); ") })
			return
		}
	}
}

// isOpaque reports whether c may make accesses that are not announced.
func (sec *sections) isOpaque(c *ast.CallExpr) bool {
	fun := ast.Unparen(c.Fun)
	if sec.In.Info.Types[c.Fun].IsType() {
		return unit.IsPointer(sec.In.Info.TypeOf(c.Fun)) && types.Identical(
			sec.In.Info.TypeOf(c.Args[0]).Underlying(), types.Typ[types.UnsafePointer])
	}
	if sec.In.Info.Types[c].Value != nil || sec.Builtin(c) != "" {
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
	fn, is := sec.In.Info.Uses[id].(*types.Func)
	switch {
	case !is || fn.Pkg() == nil || isDynamic(fn):
		return true
	case sec.In.Announced == nil && fn.Pkg() == sec.In.Types, sec.In.Announced != nil &&
		sec.In.Announced(fn.Pkg()):
		return false
	}
	return !sec.isTransparent(c, fn)
}

// visible are the packages whose functions and methods are steps, or do not access what their
// arguments lead to.
var visible = []string{"sync", "sync/atomic", "time"}

// transparent are the packages whose functions make only the accesses that package shared knows. Of
// other packages, the listed functions do so.
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

// whole are types of the library of which a method changes nothing but its receiver, if its
// arguments lead to nothing. A bufio.Writer also changes what it writes to, and a bytes.Buffer a
// slice of which others may have a part.
var whole = []string{"*container/list.List", "*strings.Builder", "*strings.Reader", "*time.Time"}

// isTransparent reports whether all accesses of a call of a function of the library are steps, or
// announced.
func (sec *sections) isTransparent(c *ast.CallExpr, fn *types.Func) bool {
	path := fn.Pkg().Path()
	if slices.Contains(visible, path) && !strings.HasPrefix(fn.Name(), "Append") ||
		path == "testing" && slices.Contains(testingMethods, fn.Name()) {
		return true
	}
	if recv := fn.Signature().Recv(); recv != nil {
		if !slices.Contains(whole, recv.Type().String()) {
			return false
		}
		return !sec.mayWait(c.Args) &&
			!slices.ContainsFunc(c.Args, func(x ast.Expr) bool { return !sec.isPlain(x) })
	}
	if shared.Keeps(fn) || !slices.Contains(transparent, path) && !slices.Contains(transparentOnes,
		path+"."+fn.Name()) {
		return false
	}
	for i, x := range c.Args {
		if _, is := ast.Unparen(x).(*ast.FuncLit); is || sec.isPlain(x) {
			continue
		}
		if _, looks := shared.Looks(fn, i); !looks || path == "fmt" || sec.mayWait(c.Args) ||
			c.Ellipsis.IsValid() || !isSliceOrMap(sec.In.Info.TypeOf(x)) {
			return false
		}
	}
	return true
}

// keyed makes the announcement of the access to an element of the map x tell the key. It reports
// false if it cannot.
func (w *announcer) keyed(n *ast.IndexExpr, x ast.Expr, function string) bool {
	m, _ := w.In.Info.TypeOf(x).Underlying().(*types.Map)
	key := w.In.Info.Types[n.Index]
	if m == nil || w.In.Live || key.IsNil() {
		return false
	}
	if key.Value != nil && types.Identical(key.Type, m.Key()) {
		w.edit(x, func() {
			w.Open(x, w.Hooked(function+"At"))
			w.Edits.Close(w.Offset(x.End()), edit.Text(", "), w.Source(n.Index),
				edit.Text(", "+w.What(x)+")"))
		})
		return true
	}
	if !types.Identical(key.Type, m.Key()) && !types.IsInterface(m.Key()) ||
		w.mayWait([]ast.Expr{n.Index}) || key.Value == nil && !isSimple(n.Index) {
		return false
	}
	w.enclose(n, x, function+"Key")
	w.edit(n.Index, func() {
		w.Open(n.Index, w.Hooked("Key"))
		w.Close(n.Index, ")")
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

// updateOf is the name that the hook's Peek gets for an update of x by an operator: empty if
// updates by that operator may not commute, as those of floating-point numbers.
func (f *facts) updateOf(x ast.Expr, op string) string {
	terms := unit.Terms(f.In.Info.TypeOf(x))
	if len(terms) == 0 || slices.ContainsFunc(terms, isNoInteger) || updates[op] == "" {
		return "Peek("
	}
	return "Update(" + f.Hook + "." + updates[op] + ", "
}

func isNoInteger(t types.Type) bool {
	b, is := t.Underlying().(*types.Basic)
	return !is || b.Info()&types.IsInteger == 0
}
