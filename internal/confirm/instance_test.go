package confirm

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// The package that has the functions of findings, and the packages that drivers need.
const instanceCode = `package p

type Set interface{ Has() bool }
type bits uint8
func (*bits) Has() bool { return true }

type Box[K comparable, V any] struct { key K; value V }
func NewBox[K comparable, V any](k K) *Box[K, V] { return &Box[K, V]{key: k} }
func (b *Box[K, V]) Put(K, V) {}

type Number interface{ ~int | ~float64 }

func Sum[N Number](list []N) (n N)                  { return n }
func Sort[S ~[]E, E ~string](list S)                {}
func Ask[T any, P interface{ *T; Set }](x P)        {}
func Odd[T interface{ ~complex64; Missing() }](x T) {}
func Uses(b *Box[string, int])                      {}
`

var fakes = map[string]string{
	"testing":      "package testing; type T struct{}",
	"math/rand/v2": "package rand; func IntN(int) int",
	"errors":       "package errors; func New(string) error",
}

func TestInstance(t *testing.T) {
	pkg, err := check("p", instanceCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, want string
		by         way
	}{
		{"p.Sum[N]", "Sum[int](", literal},
		{"p.Sort", "Sort[[]string, string](", literal},
		{"p.Ask", "Ask[bits, *bits](", literal},
		{"(*p.Box[K, V]).Put", ":= NewBox[int, int](", constructed},
		{"(*p.Box[K, V]).Put", ":= new(Box[int, int])", literal},
		{"p.Uses", ":= NewBox[string, int](", constructed},
		{"p.Odd", "", literal},
	} {
		text, err := driver(pkg, Finding{Functions: []string{x.name}, Text: x.name}, x.by)
		var no *noDriver
		switch {
		case x.want == "":
			if !errors.As(err, &no) || no.what != "no type arguments are known for Odd" {
				t.Errorf("%s: %v", x.name, err)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", x.name, err)
			continue
		case !strings.Contains(string(text), x.want):
			t.Errorf("%s: no %s in\n%s", x.name, x.want, text)
		}
		if _, err := check("p", instanceCode, string(text)); err != nil {
			t.Errorf("%s: %v\n%s", x.name, err, text)
		}
	}
}

// check checks the types of a package.
func check(path string, code ...string) (*load.Package, error) {
	fset := token.NewFileSet()
	out := &load.Package{}
	for i, text := range code {
		name := fmt.Sprint(path, i)
		f, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			return nil, err
		}
		out.Syntax, out.Compiled = append(out.Syntax, f), append(out.Compiled, name)
	}
	conf := &types.Config{Importer: importer{}, GoVersion: "go1.26", IgnoreFuncBodies: path != "p"}
	out.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	var err error
	out.Types, err = conf.Check(path, fset, out.Syntax, out.Info)
	return out, err
}

// importer makes the packages that drivers need.
type importer struct{}

// Import implements types.Importer.
func (importer) Import(path string) (*types.Package, error) {
	pkg, err := check(path, fakes[path])
	return pkg.Types, err
}
