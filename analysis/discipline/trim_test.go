package discipline

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// The code that is not in a test, and a test file of it. The names of functions in the test file
// say whether their bodies have to be seen.
const (
	trimCode = `package p

type order struct{ kind int }
type hidden struct{}
type handlers func(func() []*hidden)
type Public struct{}

type box struct {
	in  chan any
	op  chan order
	on  func(order)
	by  handlers
	set map[order]int
	out []chan int
}

func (b *box) post(m any) {}
func (b *box) ask() *order { return nil }
func (b *box) local()      {}
func handler()             {}

func (b *box) serve() {
	for m := range b.in {
		switch m.(type) {
		case hidden, Public:
		}
	}
}
`
	trimTests = `package p

func seenGo()          { go handler() }
func seenSend(b *box)  { b.in <- 1 }
func seenField(b *box) { _ = len(b.out) }
func seenMade(b *box)  { b.post(hidden{}) }
func seenAsked(b *box) { b.post(b.ask()) }
func seenSet(b *box)   { b.ask().kind = 1 }
func seenClose()       { close(make(chan int)) }
func seenInside()      { func() { select {} }() }
func seenStarts()      { go seenByGo() }
func seenByGo()        { seenDeep(1) }
func seenDeep[T any](T) {}
func seenInTable()     {}
func seenCalls(b *box) { _ = b.on }
func seenType(h handlers)     {}
func seenNamed(b *box)        { b.by(nil) }
func (h handlers) seenMethod() {}
func seenKeys(b *box)  { clear(b.set) }
func leftCaller()      { seenStarts() }
func left(b *box)      { b.local(); f := handler; f() }
func leftPublic()      { var a any = Public{}; _ = a }

var table = []func(){seenInTable}
`
)

func TestTrim(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, src := range [][2]string{{"p.go", trimCode}, {"p_test.go", trimTests}} {
		f, err := parser.ParseFile(fset, src[0], src[1], 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		FileVersions: map[*ast.File]string{}}
	pkg, err := (&types.Config{Importer: importer.Default(), GoVersion: "go1.26"}).Check("p", fset,
		files, info)
	if err != nil {
		t.Fatal(err)
	}
	got := trim(&analysis.Pass{Fset: fset, Files: files, Pkg: pkg, TypesInfo: info})
	if got.files[0] != files[0] || got.files[1] == files[1] {
		t.Error("only test files are to be copied")
	}
	for i, f := range got.files {
		if v := got.info.FileVersions[f]; v != info.FileVersions[files[i]] || v == "" {
			t.Errorf("file %d has version %q", i, v)
		}
	}
	for i, d := range got.files[1].Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if want := fn.Name.Name[:4] == "seen"; (fn.Body != nil) != want {
			t.Errorf("%s has a body: %t", fn.Name.Name, fn.Body != nil)
		}
		if files[1].Decls[i].(*ast.FuncDecl).Body == nil {
			t.Errorf("the driver's %s has lost its body", fn.Name.Name)
		}
	}
	var called []string
	for fn := range maps.Keys(got.called) {
		called = append(called, fn.Name())
	}
	if slices.Sort(called); !slices.Equal(called, []string{"handler", "local", "seenStarts"}) {
		t.Errorf("called: %v", called)
	}
}
