// Package mailboxes finds the channels that a delivery model other than Go's relaxes: those by
// which an actor gets its messages.
//
// Vocabulary: a make is the call of make that makes a channel; a mark is a comment
// //rehearse:mailbox. A mark stands on the line of a make, or of a declaration of a variable or a
// field, or on the line above. At a declaration it marks all makes that are assigned to the
// variable or field.
//
// Guarantees: a channel is a mailbox if analysis/actors calls it a data mailbox of an actor and
// knows the make, or if its make is marked. All others stay channels. A mark that marks nothing is
// an error.
//
// LIMITS: a channel that a function makes and returns, or that is passed on before it is stored, is
// found by the marked make only, not by a marked declaration.
package mailboxes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Make is a place where mailboxes are made.
type Make struct {
	Call *ast.CallExpr
	In   string         // directory of its package
	Pos  token.Position // of the call, as the program's positions are printed
	Why  string         // "mailbox of Server.loop", or "marked"
}

// String is the make for people: "server.go:12:9 mailbox of Server.loop".
func (m Make) String() string { return fmt.Sprintf("%s %s", m.Pos, m.Why) }

// Find lists the makes of mailboxes in the main modules' packages, by position. The error names the
// first mark that marks nothing.
func Find(l *load.Result) ([]Make, error) { return In(l, actors.Find(l)) }

// In is Find where it is known which goroutines are actors.
func In(l *load.Result, v facts.Inventory) ([]Make, error) {
	f := &finder{l: l, owners: owners(v), marked: map[types.Object]*mark{}}
	for _, p := range l.InMain() {
		f.marks(p)
	}
	for _, p := range l.InMain() {
		f.makes(p)
	}
	slices.SortFunc(f.found, func(a, b Make) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), a.Pos.Offset-b.Pos.Offset)
	})
	return f.found, f.idle()
}

// finder is one search.
type finder struct {
	l      *load.Result
	owners map[facts.Pos]string   // by the make's position: the actor that has the mailbox
	list   []*mark                // all
	marked map[types.Object]*mark // variables and fields whose declarations are marked
	lines  map[line]*mark         // of the file in hand: what a mark stands for
	found  []Make
}

type line struct {
	file string
	n    int
}

// mark is a comment //rehearse:mailbox.
type mark struct {
	at   token.Position
	used bool
}

// owners lists the makes of actors' data mailboxes.
func owners(v facts.Inventory) map[facts.Pos]string {
	m := map[facts.Pos]string{}
	for _, a := range v.Actors {
		for _, b := range a.Mailboxes {
			for _, pos := range b.Makes {
				if b.Kind == facts.Data && m[pos] == "" {
					m[pos] = a.Name
				}
			}
		}
	}
	return m
}

// directive is the text of a mark; text behind it, after a blank, is for people.
const directive = "//rehearse:mailbox"

// marks finds the marks of p, and the declarations that they stand at.
func (f *finder) marks(p *load.Package) {
	if f.lines == nil {
		f.lines = map[line]*mark{}
	}
	for _, file := range p.Syntax {
		code := f.codeLines(file)
		for _, group := range file.Comments {
			for _, c := range group.List {
				if text, ok := strings.CutPrefix(c.Text, directive); ok &&
					(text == "" || text[0] == ' ') {
					f.mark(c, code)
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool { f.declaration(p, n); return true })
	}
}

// codeLines lists the lines on which something of the program begins.
func (f *finder) codeLines(file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		lines[f.l.Place(n.Pos()).Line] = true
		return true
	})
	return lines
}

// mark notes a mark: for its own line, or for the next one if it has a line to itself.
func (f *finder) mark(c *ast.Comment, code map[int]bool) {
	m := &mark{at: f.l.Place(c.Pos())}
	at := line{m.at.Filename, m.at.Line}
	if !code[at.n] {
		at.n++
	}
	if f.lines[at] == nil { // a file may belong to several packages
		f.lines[at] = m
		f.list = append(f.list, m)
	}
}

// at returns the mark for the line of a node, nil if there is none.
func (f *finder) at(n ast.Node) *mark {
	p := f.l.Place(n.Pos())
	return f.lines[line{p.Filename, p.Line}]
}

// declaration notes the variables of a marked declaration that are channels, or have them.
func (f *finder) declaration(p *load.Package, n ast.Node) {
	var names []*ast.Ident
	switch n := n.(type) {
	case *ast.Field:
		names = n.Names
	case *ast.ValueSpec:
		names = n.Names
	}
	for _, id := range names {
		if v, ok := p.Info.Defs[id].(*types.Var); ok && kernel.Is[*types.Chan](v.Type()) {
			if m := f.at(id); m != nil {
				f.marked[v] = m
			}
		}
	}
}

// makes finds the makes of p that are of mailboxes.
func (f *finder) makes(p *load.Package) {
	into := map[ast.Expr]*mark{} // what is assigned to marked variables
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			f.assigned(p, n, into)
			if c, ok := n.(*ast.CallExpr); ok && makesChan(p, c) {
				f.add(p, c, into[c])
			}
			return true
		})
	}
}

// add adds make c if it is one of a mailbox; m is the mark of what it is assigned to, or nil.
func (f *finder) add(p *load.Package, c *ast.CallExpr, m *mark) {
	at := f.l.Place(c.Pos())
	owner := ""
	for _, pos := range [...]token.Pos{c.Pos(), c.Lparen} {
		place := f.l.Place(pos)
		owner = cmp.Or(owner, f.owners[kernel.Position(place)])
	}
	for _, m := range [...]*mark{m, f.at(c)} {
		if m != nil {
			m.used = true
			owner = cmp.Or(owner, directive)
		}
	}
	switch owner {
	case "":
	case directive:
		f.found = append(f.found, Make{c, p.Dir, at, "marked"})
	default:
		f.found = append(f.found, Make{c, p.Dir, at, "mailbox of " + owner})
	}
}

// assigned notes what n, if it is an assignment of any form, assigns to marked variables.
func (f *finder) assigned(p *load.Package, n ast.Node, into map[ast.Expr]*mark) {
	to := func(target, value ast.Expr) {
		if m := f.marked[variable(p, target)]; m != nil {
			into[ast.Unparen(value)] = m
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i := range min(len(n.Lhs), len(n.Rhs)) {
			to(n.Lhs[i], n.Rhs[i])
		}
	case *ast.ValueSpec:
		for i := range min(len(n.Names), len(n.Values)) {
			to(n.Names[i], n.Values[i])
		}
	case *ast.KeyValueExpr:
		to(n.Key, n.Value)
	}
}

// variable returns the variable or field that e names, or nil.
func variable(p *load.Package, e ast.Expr) types.Object {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	if v, ok := p.Info.ObjectOf(id).(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

func makesChan(p *load.Package, c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := p.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "make" && kernel.Is[*types.Chan](p.Info.TypeOf(c))
}

// idle returns an error for the first mark that marks nothing.
func (f *finder) idle() error {
	for _, m := range f.list {
		if !m.used {
			return fmt.Errorf(
				"%s: %s marks no make of a channel: write it on the line of the make, on that of the variable or field that the make is assigned to, or on the line above",
				m.at, directive)
		}
	}
	return nil
}
