package differ

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/blocking"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var closed = flag.Int("closed", 10,
	"run rehearse vet's finder on `n` programs of each kind, and explore those in which it finds something")

// TestFinder compares the static finder with exploration, on programs without a caller. A finding
// of level 1 happens in some order, so a complete exploration has a finding, too. Of 2,000
// programs, -closed 1000.
func TestFinder(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs many programs")
	}
	sum := &agreement{}
	for _, make := range []func(seed uint64) *goprog.Program{goprog.New, goprog.NewMixed} {
		for from := 0; from < *closed; from += 250 {
			var list []*goprog.Program
			for i := from; i < min(from+250, *closed); i++ {
				list = append(list, make(*firstSeed+uint64(i)))
			}
			sum.compare(t, list)
		}
	}
	t.Logf("%d programs: the finder is sure of %d, exploration agrees on %d, and cannot say for %d",
		sum.programs, sum.sure, sum.agreed, sum.open)
	if sum.agreed == 0 {
		t.Error("no program has a finding of both")
	}
}

// agreement counts programs.
type agreement struct{ programs, sure, agreed, open int }

// compare looks at programs that are one package.
func (a *agreement) compare(t *testing.T, list []*goprog.Program) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, list, goprog.Plain)
	found := sure(t, dir)
	a.programs += len(list)
	list = slices.DeleteFunc(list, func(p *goprog.Program) bool {
		return found["Test"+p.Name()] == ""
	})
	if len(list) == 0 {
		return
	}
	a.sure += len(list)
	dir = t.TempDir()
	write(t, dir, list, goprog.Plain)
	packages, err := exec.Build(dir, options.Default(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		flags := []string{"-timeout=0", fmt.Sprint("-max-executions=", *most)}
		x := explore(t, packages[0].Binary, p, append(flags, clocks(p)[len(clocks(p))-1]...)...)
		switch {
		case x.trouble != "":
			t.Errorf("%s: %s", p.Name(), x.trouble)
		case blocks(x):
			a.agreed++
		case !x.complete || fails(x): // what a failed test leaves behind is no finding
			a.open++
		default:
			t.Errorf("the finder is sure of %s, and exploration finds %v in %d executions\n%s",
				found["Test"+p.Name()], x.findings, x.executions, p.Source(goprog.Plain))
		}
	}
}

// blocks reports whether an exploration has a finding that the finder may mean.
func blocks(x *explored) bool {
	for f := range x.findings {
		if kind, _, _ := strings.Cut(f, ":"); kind == "deadlock" || kind == "leak" ||
			kind == "panic" {
			return true
		}
	}
	return false
}

func fails(x *explored) bool {
	for f := range x.findings {
		if strings.HasPrefix(f, "fail:") {
			return true
		}
	}
	return false
}

// sure runs the finder on the tests of the package in dir, and returns what it is sure of, by test.
func sure(t *testing.T, dir string) map[string]string {
	t.Helper()
	r, err := load.Load(load.Config{Dir: dir, Patterns: []string{"."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	pkg := r.SSAPackage(r.Targets[0].Package)
	var funcs []*ssa.Function
	for fn := range ssautil.AllFunctions(r.SSA()) {
		if fn.Pkg == pkg && fn.Blocks != nil {
			funcs = append(funcs, fn)
		}
	}
	slices.SortFunc(funcs, func(a, b *ssa.Function) int { return int(a.Pos() - b.Pos()) })
	prog := skeleton.NewProgram(r.SSA(), funcs, nil)
	out := map[string]string{}
	for _, fn := range funcs {
		if fn.Parent() != nil || !strings.HasPrefix(fn.Name(), "TestSeed") {
			continue
		}
		for _, place := range blocking.Sure(prog, fn) {
			out[fn.Name()] += fmt.Sprintf("%s %s ", place.Check, r.Fset.Position(place.Pos))
		}
	}
	return out
}
