package state

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// source declares variables whose names say what is right: c... may change, k... is only read.
const source = `package p

type pair struct{ a, b int }
func (p *pair) set()     { p.a = 1 }
func (p pair) get() int  { return p.a }

type list struct { next *list; n int }

var (
	cAssigned, cInc, cOp, cAddressed, cRanged int
	kRead, kUnused                            int
	kTable                                    = map[string]int{"a": 1}
	kMatrix                                   = [2][2]int{}
	kPairs                                    = []pair{{1, 2}}
	kField                                    pair
	kFunc                                     = func() int { return 1 }
	kText                                     = "abc"
	cMap                                      = map[string]int{}
	cDeleted                                  = map[string]int{}
	cElement                                  [2]int
	cSliced                                   [2]int
	cFieldSet                                 pair
	cMethod                                   pair
	cPassed                                   = []int{1}
	cPointer                                  = &list{}
	cDeep                                     = []*list{{}}
	cChan                                     = make(chan int)
	cIface                                    any
	cFunc                                     = func() int { return 1 }
	cRangedDeep                               = map[string][]int{}
)

func use(list []int) {}

func f() int {
	cAssigned = 1
	cInc++
	cOp += 1
	_ = &cAddressed
	for cRanged = range 3 {}
	x := kRead + kTable["a"] + kMatrix[0][1] + kPairs[0].b + kField.a + kFunc() + len(kText[1:]) + len(kPairs)
	for _, p := range kPairs { x += p.a }
	for k, v := range kTable { x += v + len(k) }
	cMap["b"] = 1
	delete(cDeleted, "a")
	cElement[1] = 2
	_ = cSliced[:]
	cFieldSet.a = 1
	cMethod.set()
	use(cPassed)
	cPointer.n = 1
	cDeep[0].n++
	cChan <- 1
	println(cIface)
	cFunc = nil
	for _, l := range cRangedDeep { l[0] = 1 }
	return x
}
`

func TestChanging(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: importer.Default()}
	p, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	changing := Changing([]Package{{[]*ast.File{file}, info}})
	for _, name := range p.Scope().Names() {
		v, ok := p.Scope().Lookup(name).(*types.Var)
		if ok && changing(v) != strings.HasPrefix(name, "c") {
			t.Errorf("%s: may change: %v", name, changing(v))
		}
	}
}
