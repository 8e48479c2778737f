package blocking

import (
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

var gobench = flag.String("gobench", "",
	"look at the programs below this `directory`, gobench/goker/blocking of the suite GoBench")

var mended = flag.Bool("mended", false,
	"with -gobench: the programs are mended, so that a finding is false")

var showSteps = flag.Bool("steps", false, "with -gobench: print the steps of each finding")

// wantGoBench of the 68 blocking programs of the suite have a finding of level 1.
const wantGoBench = 55

// TestGoBench prints what is found in the programs of GoBench (T. Yuan et al., GoBench: A Benchmark
// Suite of Real-World Go Concurrency Bugs, CGO 2021), as they are. A program counts if it has a
// finding of level 1, and if that is where the Go project's test of the same program expects a
// leak: five programs are not among those tests, and count as they are. The mended programs, which
// go test ./internal/lab/goker -goker DIR -copy OUT writes, must have no finding of level 1.
func TestGoBench(t *testing.T) {
	if *gobench == "" {
		t.Skip("without -gobench")
	}
	files, err := filepath.Glob(filepath.Join(*gobench, "*", "*", "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files PROJECT/NUMBER/NAME_test.go: %v", *gobench, err)
	}
	want, lookup := expected(t), exports(t)
	found := 0
	for _, file := range files {
		pkg, funcs := parseProgram(t, file, lookup)
		name := filepath.Base(filepath.Dir(filepath.Dir(file))) + "/" +
			filepath.Base(filepath.Dir(file))
		ok, text := findings(pkg, funcs, translate(want[programOf(file)], programOf(file)))
		if ok {
			found++
		}
		fmt.Printf("%-20s %-5v %s\n", name, ok, text)
		if *mended && strings.Contains(text, " level 1 ") {
			t.Errorf("%s is mended: %s", name, text)
		}
	}
	t.Logf("%d of %d programs", found, len(files))
	if len(files) == 68 && !*mended && found < wantGoBench {
		t.Errorf("found %d of 68 programs, want %d", found, wantGoBench)
	}
}

// programOf names the program of a file as the Go project does: cockroach584_test.go is
// Cockroach584.
func programOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), "_test.go")
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// translate writes the functions of a program as the suite does: the Go project has put all
// programs into one package, with other names.
func translate(want []leakAt, program string) []leakAt {
	var out []leakAt
	for _, l := range want {
		fn := strings.ReplaceAll(l.fn, "_"+strings.ToLower(program), "")
		if fn == program {
			fn = "Test" + program
		}
		out = append(out, leakAt{fn, l.state})
	}
	return out
}

// parseProgram builds the package of one file. Its language is that of the suite's go.mod: loop
// variables are shared by the rounds.
func parseProgram(t *testing.T, file string, lookup importer.Lookup) (*ssa.Package,
	[]*ssa.Function) {
	t.Helper()
	fset := token.NewFileSet()
	f := parse(t, fset, file, nil)
	conf := &types.Config{Importer: importer.ForCompiler(fset, "gc", lookup), GoVersion: "go1.13"}
	pkg, _, err := ssautil.BuildPackage(conf, fset, types.NewPackage(f.Name.Name, f.Name.Name),
		[]*ast.File{f},
		ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, functions(pkg, fset.File(f.Pos()))
}

// findings searches all scopes of a program. It is ok if one of level 1 is expected; if nothing is
// expected, one of level 1 will do.
func findings(pkg *ssa.Package, funcs []*ssa.Function, want []leakAt) (ok bool, text string) {
	prog := skeleton.NewProgram(pkg.Prog, funcs, nil)
	for _, root := range roots(prog, funcs) {
		s := newScope(prog, root)
		s.explore(standard)
		for _, w := range s.found {
			expected := len(want) == 0 || leaksAt(w, want)
			ok = ok || w.why == "" && expected
			text += fmt.Sprintf("[%s %s:%d level %d %v %s]", root.Name(), w.check,
				pkg.Prog.Fset.Position(w.stuck[0].pos).Line, 1+min(1, len(w.why)), expected, w.why)
			for _, x := range w.steps {
				if *showSteps {
					text += fmt.Sprintf("\n  %s:%d %s", x.fn, pkg.Prog.Fset.Position(x.pos).Line,
						x.text)
				}
			}
		}
		if len(s.found) == 0 {
			text += fmt.Sprintf("(%s %d %v)", root.Name(), s.Executions, s.Unfinished)
		}
	}
	return ok, text
}
