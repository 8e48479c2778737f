package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rehearse-go/rehearse/analysis/blocking"
	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/discipline/sendclosed"
)

// TestDoc checks that each doc has the rule, the reason, an example, the remedy and the limits. It
// also names the law of actors that the check rests on, or says that there is none.
func TestDoc(t *testing.T) {
	for _, a := range Analyzers {
		for _, part := range []string{"check that ", "\n\nExample:\n\n\t", "\n\nFix: ",
			"\n\nNot reported: ", "\n\nLaw: "} {
			if !strings.Contains(a.Doc, part) {
				t.Errorf("%s: its doc has no %q", a.Name, part)
			}
		}
	}
}

// all runs all checks.
var all = &analysis.Analyzer{
	Name: "all", Doc: "run all checks",
	Requires: []*analysis.Analyzer{discipline.Code, discipline.Survey},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, a := range Analyzers {
			if slices.Contains(a.Requires, blocking.Search) {
				// the goroutines of these fixtures wait for ever, and have silent twins of their
				// own
				continue
			}
			if _, err := a.Run(pass); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
}

// TestSilent runs all checks on code that none of them may report: a check must not report code
// that another one calls legal.
func TestSilent(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), all, "silent", "patterns")
}

// An actor with 2^40 ways through its functions, f39 and g39 to f0 and g0, which each call both of
// the next.
const manyWays = `package p

type S struct {
	in chan int
	n  int
}

func New() *S {
	s := &S{in: make(chan int)}
	go s.loop()
	return s
}

func (s *S) loop() {
	s.f39(1, s.in)
	for m := range s.in {
		s.g39(m, s.in)
	}
}

func (s *S) Put(m int) { s.in <- m }
func (s *S) N() int    { return s.n } // want "S.N reads S.n here"

func (s *S) f0(m int, to chan int) {
	s.n++
	s.f39(m, to)
}

func (s *S) g0(m int, to chan int) {
	s.in <- m // want "S.g0 sends to its own mailbox"
	to <- m   // want "S.g0 sends to its own mailbox"
}
`

// TestManyWays runs all checks on an actor with so many ways that no check may go each of them.
func TestManyWays(t *testing.T) {
	var b strings.Builder
	b.WriteString(manyWays)
	for i := 1; i < 40; i++ {
		for _, f := range "fg" {
			fmt.Fprintf(&b,
				"\nfunc (s *S) %c%d(m int, to chan int) {\n\ts.f%d(m, to)\n\ts.g%d(m, to)\n}\n",
				f, i, i-1, i-1)
		}
	}
	dir, cleanup, err := analysistest.WriteFiles(map[string]string{"p/p.go": b.String()})
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	analysistest.Run(t, dir, all, "p")
}

// TestBeside checks that sendclosed leaves to closetwice what that reports, and nothing else.
func TestBeside(t *testing.T) {
	i := slices.IndexFunc(Checks(), func(a *analysis.Analyzer) bool {
		return a.Name == sendclosed.Analyzer.Name
	})
	analysistest.Run(t, analysistest.TestData(), Checks()[i], "both")
	alone := Checks("closetwice")[i]
	raw := analysistest.Run(quiet{t}, analysistest.TestData(), alone, "both")
	if n := len(raw[0].Diagnostics); n != 2 {
		t.Errorf("alone, sendclosed has %d findings, not 2", n)
	}
}

// TestOffBy: arguments leave checks out as package unitchecker has it.
func TestOffBy(t *testing.T) {
	for args, want := range map[string]int{
		"x.cfg": 0, "-json x.cfg": 0, "-closetwice=false x.cfg": 1, "--closetwice=false": 1,
		"-closetwice": len(Analyzers) - 1, "-leak.count -leak -closetwice=true": len(Analyzers) - 2,
		"-leak -closetwice=false": len(Analyzers) - 1,
	} {
		if off := offBy(strings.Fields(args)); len(off) != want {
			t.Errorf("%s: %v, want %d", args, off, want)
		}
	}
}
