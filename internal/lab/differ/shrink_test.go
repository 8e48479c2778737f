package differ

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// shrink makes a program smaller as long as something is wrong with it, and prints what is left.
func shrink(t *testing.T, c *comparison) {
	for smaller := smallerOne(t, c); smaller != nil; smaller = smallerOne(t, c) {
		c = smaller
	}
	t.Logf("a smaller program (%d statements): %s\n%v\n%s", c.p.Size(), c.wrong,
		c, c.p.Source(goprog.Plain))
}

// smallerOne returns the comparison of a program that is smaller than c's by one thing, and wrong,
// or nil if none is. One that has become racy, because its lock or the wait for a process is gone,
// shows nothing.
func smallerOne(t *testing.T, c *comparison) *comparison {
	list := compiling(c.p.Smaller())
	for ; len(list) > 0; list = list[min(batch, len(list)):] {
		some := list[:min(batch, len(list))]
		b := build(t, some)
		for _, p := range some {
			if d := compare(t, b, p, *runs); d.wrong != "" && d.racy == "" {
				return d
			}
		}
	}
	return nil
}

// exports finds the types of the standard library.
var exports = importer.Default()

// compiling returns those programs that compile.
func compiling(list []*goprog.Program) (good []*goprog.Program) {
	fset := token.NewFileSet()
	prelude, err := parser.ParseFile(fset, "prelude_test.go", goprog.Prelude,
		parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	for _, p := range list {
		f, err := parser.ParseFile(fset, "p_test.go", p.Source(goprog.Plain),
			parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		config := types.Config{Importer: exports}
		if _, err := config.Check("prog", fset, []*ast.File{prelude, f}, nil); err == nil {
			good = append(good, p)
		}
	}
	return good
}
