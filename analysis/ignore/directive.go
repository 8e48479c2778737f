package ignore

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
)

// directives is the analyzer that finds a package's directives. Checks run in parallel: of a
// directive, only the mark that it is used changes.
var directives = &analysis.Analyzer{
	Name:       "rehearsedirectives",
	Doc:        "find the comments that silence checks",
	ResultType: reflect.TypeFor[list](),
	Run:        find,
}

// directive is one comment that silences checks.
type directive struct {
	pos, end token.Pos // of the comment
	checks   []string  // as named; without the prefix rehearse/
	all      bool      // meant for every check
	ours     bool      // meant for us alone
	reason   string
	alone    bool // there is nothing else on its line
	nodes    bool // covers all of a node, and not just a line
	file     string
	first    int // line, as compiled: positions ignore //line
	last     int
	used     atomic.Bool // has covered a finding
}

func (d *directive) covers(check string, at token.Position) bool {
	return (d.all || slices.Contains(d.checks, check)) && at.Filename == d.file &&
		d.first <= at.Line && at.Line <= d.last
}

func find(pass *analysis.Pass) (any, error) {
	var out list
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if d := parse(c.Text); d != nil {
					d.pos, d.end = c.Pos(), c.End()
					d.place(pass.Fset, f, group)
					out = append(out, d)
				}
			}
		}
	}
	return out, nil
}

// parse returns what a comment says; nil if it is no directive.
func parse(comment string) *directive {
	if rest, ok := after(comment, "//rehearse:ignore"); ok {
		return withReason(rest, true)
	}
	if rest, ok := after(comment, "//lint:ignore"); ok {
		return lintIgnore(rest)
	}
	text, line := strings.CutPrefix(comment, "//")
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), "nolint"); ok && line {
		return noLint(rest)
	}
	return nil
}

// after cuts a prefix that is a word.
func after(s, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(s, prefix)
	return rest, ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// withReason parses "CHECK,CHECK reason".
func withReason(rest string, ours bool) *directive {
	d := &directive{ours: ours}
	names, reason := cutWord(strings.TrimSpace(rest))
	for name := range strings.SplitSeq(names, ",") {
		name, prefixed := strings.CutPrefix(name, "rehearse/")
		d.ours = d.ours || prefixed
		if name != "" {
			d.checks = append(d.checks, name)
		}
	}
	d.reason = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(reason), "//"))
	return d
}

func cutWord(s string) (word, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

// lintIgnore is staticcheck's form. Without a reason it has no effect there, and so it has none
// here.
func lintIgnore(rest string) *directive {
	d := withReason(rest, false)
	if d.reason == "" && !d.ours {
		return nil
	}
	if d.ours { // it may name checks of other tools, too, which are not our matter
		d.checks = only(rest)
	}
	return d
}

// only returns the names in a list that have the prefix rehearse/, without it.
func only(rest string) []string {
	var out []string
	names, _ := cutWord(strings.TrimSpace(rest))
	for name := range strings.SplitSeq(names, ",") {
		if name, ok := strings.CutPrefix(name, "rehearse/"); ok {
			out = append(out, name)
		}
	}
	return out
}

// noLint is golangci-lint's form: ":NAME,NAME // explanation", or nothing for all linters.
func noLint(rest string) *directive {
	d := &directive{nodes: true}
	names, ok := strings.CutPrefix(rest, ":")
	if !ok {
		d.all = true
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return nil // another word
		}
		return d
	}
	names, _, _ = strings.Cut(names, "//")
	for name := range strings.SplitSeq(names, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		d.all = d.all || name == "all" || name == "rehearse"
		d.checks = append(d.checks, name)
	}
	return d
}

// place finds what d covers. It is part of group.
func (d *directive) place(fset *token.FileSet, f *ast.File, group *ast.CommentGroup) {
	at := fset.PositionFor(d.pos, false)
	d.file, d.first = at.Filename, at.Line
	if !holdsCode(fset, f, at.Line) {
		d.first = fset.PositionFor(group.End(), false).Line + 1
		d.alone = !slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
			return c.Pos() < d.pos && fset.PositionFor(c.End(), false).Line == at.Line
		})
	}
	d.last = d.first
	if d.nodes {
		d.last = max(d.last, lastLine(fset, f, d.first))
	}
}

// holdsCode reports whether a node begins or ends on a line.
func holdsCode(fset *token.FileSet, f *ast.File, line int) bool {
	found := false
	on := func(pos token.Pos) bool { return fset.PositionFor(pos, false).Line == line }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup:
			return false
		}
		found = found || on(n.Pos()) || on(n.End()-1)
		return !found
	})
	return found
}

// lastLine is the last line of the largest statement or declaration that begins on a line; 0 if
// there is none.
func lastLine(fset *token.FileSet, f *ast.File, line int) int {
	last := 0
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Stmt, ast.Decl, ast.Spec, *ast.Field:
			if fset.PositionFor(n.Pos(), false).Line == line {
				last = max(last, fset.PositionFor(n.End(), false).Line)
			}
		}
		return last == 0
	})
	return last
}
