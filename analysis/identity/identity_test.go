package identity

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestOf compares names with types.Identical, for all pairs of the variables of a package.
func TestOf(t *testing.T) {
	const src = `package p
import "unsafe"
type A = []int
type N []int
type C int
type G[T any] struct{ x T }
type I = interface{ M(x int) (y error) }
var (
	a A; b []int; c N; d any; e interface{}; f byte; g uint8; h func(i int) A; i func(int) []int; j func(...int) A
	k map[string]func(x any); l map[string]func(interface{}); m chan A; n <-chan []int; o chan<- []int
	p G[A]; q G[[]int]; r G[N]; s I; u interface{ M(int) error }; v interface{ M(int8) error }
	w struct { A; b int }; x struct { A; b int "tag" }; y struct { A A; b int }; z [3]*A; aa [3]*[]int; bb [4]*A
	cc func(func(x int), int); dd func(func(int, int)); ee func(func(y int), int); ff unsafe.Pointer; gg rune; hh int32
	ii func(int, int); jj func(int) int; kk []func() map[C]A; ll []func() (z map[C][]int)
)`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, x := range pkg.Scope().Names() {
		for _, y := range pkg.Scope().Names() {
			a, b := pkg.Scope().Lookup(x).Type(), pkg.Scope().Lookup(y).Type()
			if want := types.Identical(a, b); want != (Of(a) == Of(b)) {
				t.Errorf("%s and %s: identical is %v, of %s and %s", x, y, want, Of(a), Of(b))
			} else if want && x != y {
				same++
			}
		}
	}
	if same < 20 {
		t.Errorf("%d pairs are identical", same)
	}
}
