package rewrite_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// sameLines checks that the rewritten files have their statements on the lines that they were on,
// by the count of newlines and by the positions that compilers report.
func sameLines(t *testing.T, in *unit.Input, result map[string][]byte) {
	t.Helper()
	for _, f := range in.Files {
		name := in.Fset.File(f.Package).Name()
		before, after := in.Sources[name], result[name]
		counted := after
		if raised := []byte("//go:build go1.21\n\n"); !bytes.HasPrefix(before, raised) {
			counted = bytes.TrimPrefix(after, raised)
		}
		if bytes.Count(before, []byte("\n")) != bytes.Count(counted, []byte("\n")) {
			t.Errorf("%s: the number of lines changed", name)
		}
		was, is := identLines(t, name, before), identLines(t, name, after)
		for id, lines := range was {
			if !slices.Contains(replaced, id) && !subset(lines, is[id]) {
				t.Errorf("%s: %s is on lines %v, was on %v", name, id, is[id], lines)
			}
		}
	}
}

// identLines returns the lines on which each identifier stands.
func identLines(t *testing.T, name string, text []byte) map[string][]int {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string][]int)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			line := fset.Position(id.Pos()).Line
			lines[id.Name] = append(lines[id.Name], line)
		}
		return true
	})
	return lines
}

// replaced are the names that rewriting takes away.
var replaced = []string{"close", "len", "cap", "runtime", "rt", "os", "atomic", "Gosched", "Goexit",
	"Exit", "_",
	"gc", "iter", "Pull", "Pull2", "signal", "Notify", "Stop", "Ignore", "Ignored", "Reset", "maps",
	"Keys", "Values", "All", "slices", "Insert", "Backward", "append", "copy",
	"debug", "FreeOSMemory", "rand", "Seed", "syscall", "testing", "weak", "Make"}

// subset reports whether each of the lines is among the others.
func subset(lines, others []int) bool {
	for _, l := range lines {
		if !slices.Contains(others, l) {
			return false
		}
	}
	return true
}
