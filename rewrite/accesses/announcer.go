package accesses

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/std"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// announcer brings announcements into the text of the file.
type announcer struct {
	*evaluation
	*Announcements
	found map[ast.Node][]func() // the edits, outermost first
	// how operands are used, as their parents have said; others are read
	place map[ast.Expr]use
	told  map[ast.Node]bool // what is said to be opaque
	adds  map[ast.Expr]bool // elements of maps to which something is added
	// holds names the variables that hold the values of calls
	holds map[ast.Expr]string
}

// use is what becomes of the variable that an expression denotes.
type use uint8

const (
	isRead    use = iota
	isWritten     //
	// its address is used, or a part of it, or it is written in a way that is announced elsewhere
	isLeft
)

// Announcements is what the rest of the rewriting has to know of accesses.
type Announcements struct {
	announced bool                         // some access is
	MapReads  map[*ast.RangeStmt]string    // loops over shared maps: which these are
	Atomics   map[*ast.SelectorExpr]string // methods of package sync/atomic: what is announced
	// loops over slices with shared elements: which these are
	SliceReads map[*ast.RangeStmt]string
}

// NewAnnouncements returns those of a file in which nothing is announced yet.
func NewAnnouncements() *Announcements {
	return &Announcements{
		MapReads:   make(map[*ast.RangeStmt]string),
		SliceReads: make(map[*ast.RangeStmt]string),
		Atomics:    make(map[*ast.SelectorExpr]string),
	}
}

// Instrumented tells package hook of the file's announcements, or that it may use objects of the
// library that announce what they do.
func Instrumented(f *unit.File, told *Announcements) {
	if told.announced || f.In.Shared != nil && usesSingle(f) {
		what := "Instrumented"
		if f.Announces() && resets(f) {
			what = "Resets"
		}
		f.AtEnd("; func init() { " + f.Hooked(what) + ") }")
	}
}

func usesSingle(f *unit.File) bool {
	return slices.ContainsFunc(f.Syntax.Imports, func(spec *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(spec.Path.Value)
		return path == "hash" || strings.HasPrefix(path, "crypto/") ||
			slices.Contains(std.Single(), path)
	})
}

// edit adds an edit at a node, inside of those that it has already.
func (w *announcer) edit(n ast.Node, f func()) {
	w.found[n] = append(w.found[n], f)
	w.announced = true
}

// tellOpaque makes an edit at a node, once.
func (w *announcer) tellOpaque(n ast.Node, f func()) {
	if !w.told[n] {
		w.told[n] = true
		w.found[n] = append(w.found[n], f) // by itself, it is no reason to watch anything
	}
}

// enclose makes a call of e, an operand of n, the present node.
func (w *announcer) enclose(n ast.Node, e ast.Expr, function string) {
	if w.late(e, function, "", "", w.What(e), n) {
		return
	}
	w.edit(e, func() {
		w.Open(e, w.Hooked(function))
		w.Close(e, ", "+w.What(e)+")")
	})
}

// encloseIf encloses the first argument of c.
func (w *announcer) encloseIf(is bool, c *ast.CallExpr, function string) {
	if is {
		w.enclose(c, ast.Unparen(c.Args[0]), function)
	}
}

// before puts text in front of a statement, and of the space before it: the beginning of the
// statement may be moved.
func (w *announcer) before(s ast.Stmt, text string) {
	at := w.Offset(s.Pos())
	if at > 0 && (w.Src[at-1] == ' ' || w.Src[at-1] == '\t') {
		at--
	}
	w.Edits.Open(at, edit.Text(text))
}

// late announces an access to x behind its host. It reports false if x has none. The announcement
// is a call of function with x between address and path. parents are the nodes from x's parent up
// to the present node.
func (w *announcer) late(
	x ast.Expr, function, address, path, what string, parents ...ast.Node,
) bool {
	if w.In.Live {
		return false
	}
	host, results := w.hostOf(x, parents)
	return w.atHost(host, results, x, function, address, path, what)
}

// atHost makes the announcement behind a host that is known; false if it is nil, or has too many
// results.
func (w *announcer) atHost(
	host ast.Expr, results int, x ast.Expr, function, address, path, what string,
) bool {
	if host == nil || results >= len(tuples) {
		return false
	}
	text, plain := w.plain(x)
	if w.mayWait([]ast.Expr{x}) {
		text, plain = w.held(x)
	}
	if !plain {
		return false
	}
	open, end := w.Hooked("First"), ", "
	if results > 1 {
		open, end = w.Hooked(tuples[results]), ").After("
	}
	w.edit(host, func() {
		w.Open(host, open)
		w.Close(host, end+w.Hooked(function)+address+text+path+", "+what+"))")
	})
	return true
}

// plain returns the text of x, if that means the same at the host: nothing in it is rewritten but
// accesses, which are announced there, too.
func (w *announcer) plain(x ast.Expr) (text string, ok bool) {
	text = string(w.Src[w.Offset(x.Pos()):w.Offset(x.End())])
	ok = !strings.Contains(text, "\n")
	ast.Inspect(x, func(n ast.Node) bool {
		_, function := n.(*ast.FuncLit)
		ok = ok && !function
		return ok
	})
	return text, ok
}
