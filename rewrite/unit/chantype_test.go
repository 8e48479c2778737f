package unit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestTerms: the shortest of the lists that intersect counts, and a union with any lists nothing.
func TestTerms(t *testing.T) {
	const text = `package p
func int1[T int]()                                  {}
func int2[T ~int | int8]()                          {}
func int1Both[T interface{ int | int8; int }]()     {}
func none[T any]()                                  {}
func noneUnion[T int | any]()                       {}
func float2[T interface{ int | any; int | float64 }]() {}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("p", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"int1": 1, "int2": 2, "int1Both": 1, "none": 0,
		"noneUnion": 0, "float2": 2} {
		of := p.Scope().Lookup(name).(*types.Func).Signature().TypeParams().At(0)
		if got := Terms(of); len(got) != want {
			t.Errorf("%s: %v, want %d terms", name, got, want)
		}
	}
}
