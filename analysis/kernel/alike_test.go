package kernel

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestAlike asks of each two fields of a struct whether their types may be one.
func TestAlike(t *testing.T) {
	const src = `package p
type pair[A, B any] struct{ a A; b B }
type base[T any] interface{ m(T) }
type list[T any] struct{ next *list[T] }
type all[K comparable, V any, W comparable] struct {
	m1 map[K]V
	m2 map[W]int
	m3 map[string]int
	p1 pair[K, V]
	p2 pair[string, W]
	p3 pair[string, int]
	l1 *list[K]
	l2 *list[int]
	c1 chan K
	c2 <-chan K
	f1 func(K) V
	f2 func(int) W
	f3 func(int, int) W
	s1 struct{ x K }
	s2 struct{ y K }
	s3 struct{ x int }
	a1 [2]K
	a2 [3]K
	a3 [2]string
	i1 interface{ m(K) }
	i2 interface{ m(int) }
	i3 interface{ base[int] }
	i int
	j string
}`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	alike := map[string]bool{"m1 m2": true, "m1 m3": true, "m2 m3": true, "p1 p2": true,
		"p1 p3": true, "p2 p3": true, "l1 l2": true, "f1 f2": true, "s1 s3": true, "a1 a3": true,
		"i1 i2": true, "i1 i3": true, "i2 i3": true}
	s := p.Scope().Lookup("all").Type().Underlying().(*types.Struct)
	for x := range s.Fields() {
		for y := range s.Fields() {
			want := x == y || alike[x.Name()+" "+y.Name()] || alike[y.Name()+" "+x.Name()]
			if got := Alike(x.Type(), y.Type()); got != want {
				t.Errorf("%s %s: %v, want %v", x.Name(), y.Name(), got, want)
			}
		}
		want := x.Name() != "m3" && x.Name() != "p3" && x.Name() != "l2" && x.Name() != "s3" &&
			x.Name() != "a3" && x.Name() != "i" && x.Name() != "j" && x.Name() != "i2" &&
			x.Name() != "i3"
		if got := IsParametric(x.Type()); got != want {
			t.Errorf("%s is parametric: %v, want %v", x.Name(), got, want)
		}
	}
}
