package blocking

import (
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var (
	kernelTable = flag.Bool("kernels", false, "print what is found in each kernel of GOROOT")
	oneKernel   = flag.String("kernel", "", "print the executions of the kernel of this `name`")
)

// The kernels of real bugs, and small leaks, that the Go project tests its goroutine leak profile
// with. They are read where they are, in GOROOT.
const corpusDir = "src/runtime/testdata/testgoroutineleakprofile"

// wantKernels of 63 kernels and wantSmall of 20 small leaks have a finding of level 1.
const (
	wantKernels = 55
	wantSmall   = 17
)

// silent are programs of the corpus without a leak.
var silent = map[string]bool{"NoLeakGlobal": true, "DaisyChain": true}

// TestKernels counts what is found in the corpus. A program counts if a finding of level 1 has a
// goroutine that waits where the Go project's own test says that one leaks.
func TestKernels(t *testing.T) {
	pkg, fset := parseKernels(t)
	want := expected(t)
	found, small := 0, 0
	for _, fn := range registered(pkg) {
		isSmall := !strings.Contains(fset.Position(fn.Pos()).Filename, "goker")
		true1, text := judged(pkg, fset, fn, want[fn.Name()])
		if *kernelTable {
			fmt.Printf("%-22s %v %s\n", fn.Name(), true1, text)
		}
		switch {
		case silent[fn.Name()]:
			if strings.Contains(text, "[1 ") {
				t.Errorf("%s has no leak: %s", fn.Name(), text)
			}
		case true1 && isSmall:
			small++
		case true1:
			found++
		}
	}
	t.Logf("%d kernels, %d small leaks", found, small)
	if found < wantKernels || small < wantSmall {
		t.Errorf("found %d kernels and %d small leaks, want %d and %d", found, small, wantKernels,
			wantSmall)
	}
}

// leakAt is a place of which the Go project's test says that a goroutine leaks there.
type leakAt struct{ fn, state string }

// expected reads what the test of the goroutine leak profile expects, by program. Numbers of
// function literals are left out: they are counted in another way there.
func expected(t *testing.T) map[string][]leakAt {
	t.Helper()
	path := filepath.Join(build.Default.GOROOT, "src/runtime/goroutineleakprofile_test.go")
	out := map[string][]leakAt{}
	ast.Inspect(parse(t, token.NewFileSet(), path, nil), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if id, ok := call.Fun.(*ast.Ident); !ok ||
			id.Name != "makeTest" && id.Name != "makeFlakyTest" {
			return true
		}
		var texts []string
		for _, a := range call.Args {
			if lit, ok := a.(*ast.BasicLit); ok {
				text, _ := strconv.Unquote(lit.Value)
				texts = append(texts, text)
			}
		}
		for _, pattern := range texts[1:] {
			fn, state, _ := strings.Cut(pattern, ` \[`)
			fn, _, _ = strings.Cut(strings.NewReplacer(`\(\*`, "", `\(*`, "", `\)`, "", `\.`, ".",
				`.*`,
				"").Replace(fn), `\(`)
			out[texts[0]] = append(out[texts[0]], leakAt{baseName(fn), strings.NewReplacer(`\`, "",
				"(RW)?", "").Replace(state)})
		}
		return true
	})
	return out
}

// baseName is the function that a function literal is in.
func baseName(fn string) string {
	if before, _, ok := strings.Cut(fn, ".func"); ok {
		return before
	}
	return fn
}

// states are the words of goroutine profiles for what a goroutine waits to do.
var states = map[trace.Kind]string{trace.Send: "chan send", trace.Recv: "chan receive",
	trace.Select: "select",
	trace.WgWait: "sync.WaitGroup.Wait", trace.CondWait: "sync.Cond.Wait", trace.Lock: "Mutex.Lock",
	trace.WLock: "Mutex.Lock", trace.WWait: "Mutex.Lock", trace.RLock: "RWMutex.RLock",
	trace.Once: "Mutex.Lock"}

// leaksAt reports whether a process that waits does so where it is expected.
func leaksAt(w *witness, want []leakAt) bool {
	return slices.ContainsFunc(w.stuck, func(a wait) bool {
		return slices.ContainsFunc(want, func(l leakAt) bool {
			return (l.fn == baseName(a.name) || l.fn == baseName(a.where)) &&
				strings.Contains(l.state,
					states[a.kind])
		})
	})
}

// judged returns whether the expected leaks of a program are found at level 1, and all its
// findings.
func judged(pkg *ssa.Package, fset *token.FileSet, fn *ssa.Function, want []leakAt) (ok bool,
	text string) {
	funcs := functions(pkg, fset.File(fn.Pos()))
	prog := skeleton.NewProgram(pkg.Prog, funcs, nil)
	if *oneKernel == fn.Name() {
		trace1(prog, fset, fn)
	}
	for _, root := range roots(prog, funcs) {
		if !calls(fn, root, map[*ssa.Function]bool{}) {
			continue
		}
		s := newScope(prog, root)
		s.explore(standard)
		for _, w := range s.found {
			level := 1
			if w.why != "" {
				level = 2
			}
			expected := leaksAt(w, want)
			ok = ok || level == 1 && expected
			mark := "?"
			if expected {
				mark = ""
			}
			text += fmt.Sprintf("[%d %s%s %s %s:%d %s]", level, root.Name(), mark, w.check,
				filepath.Base(fset.Position(w.stuck[0].pos).Filename),
				fset.Position(w.stuck[0].pos).Line,
				w.why)
		}
		if len(s.found) == 0 {
			text += fmt.Sprintf("(%s %d %v)", root.Name(), s.Executions, s.Unfinished)
		}
	}
	return ok, text
}

// calls reports whether f comes to call or mention g, or is g.
func calls(f, g *ssa.Function, seen map[*ssa.Function]bool) bool {
	if f == g {
		return true
	}
	if f == nil || seen[f] || f.Pkg != g.Pkg {
		return false
	}
	seen[f] = true
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			for _, v := range i.Operands(nil) {
				if h, ok := (*v).(*ssa.Function); ok && calls(h, g, seen) {
					return true
				}
			}
		}
	}
	return false
}

// trace1 prints the executions of a program.
func trace1(prog *skeleton.Program, fset *token.FileSet, fn *ssa.Function) {
	s := &search{prog: prog, root: fn, cfg: defaults}
	s.run(Budget{Executions: 20, Work: 40_000}, func(m *machine.Machine, x *trace.Execution) bool {
		fmt.Println("--", x.End, len(x.Events), m.Crash)
		for i, st := range m.Steps {
			text := ""
			if st.Decision != nil {
				text = st.Decision.Text[st.Choice]
			}
			fmt.Printf("  %d %s %v %v %v %s\n", st.Proc.ID, st.Func, x.Events[i].Kind,
				x.Events[i].Obj,
				fset.Position(st.Pos), text)
		}
		return true
	})
	fmt.Println(s.Executions, s.Complete, s.Unfinished)
}

// parseKernels builds the corpus as one package.
func parseKernels(t *testing.T) (*ssa.Package, *token.FileSet) {
	t.Helper()
	dir := filepath.Join(build.Default.GOROOT, corpusDir)
	paths, err := filepath.Glob(filepath.Join(dir, "goker", "*.go"))
	if err != nil || len(paths) == 0 {
		t.Skip("this GOROOT has no test data: ", err)
	}
	fset := token.NewFileSet()
	const main = "package main\nconst yieldCount = 10\nvar registry []func()\n" +
		"func register(_ string, f func()) { registry = append(registry, f) }\nfunc main() {}\n"
	files := []*ast.File{parse(t, fset, "main.go", main)}
	for _, p := range append(paths, filepath.Join(dir, "simple.go"), filepath.Join(dir,
		"commonpatterns.go"),
		filepath.Join(dir, "stresstests.go")) {
		if filepath.Base(p) != "main.go" {
			files = append(files, parse(t, fset, p, nil))
		}
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "gc", exports(t))}
	pkg, _, err := ssautil.BuildPackage(conf, fset, types.NewPackage("main", "main"), files,
		ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, fset
}

// exports finds the export data of the standard library's packages that the corpus imports.
func exports(t *testing.T) importer.Lookup {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}",
		"context", "errors", "fmt", "io", "log", "math/rand", "net", "os", "runtime",
		"runtime/pprof",
		"sync", "sync/atomic", "testing", "time", "unsafe").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

func parse(t *testing.T, fset *token.FileSet, name string, src any) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// registered lists the functions that the corpus registers as its programs, in source order.
func registered(pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	for name, m := range pkg.Members {
		fn, ok := m.(*ssa.Function)
		if !ok || !strings.HasPrefix(name, "init#") {
			continue
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(*ssa.Call); ok && len(call.Call.Args) == 2 {
					out = append(out, call.Call.Args[1].(*ssa.Function))
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Function) int {
		return strings.Compare(a.Name(), b.Name())
	})
	return out
}

// functions lists the functions of a file.
func functions(pkg *ssa.Package, file *token.File) []*ssa.Function {
	var out []*ssa.Function
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if fn.Pkg == pkg && fn.Blocks != nil && fn.Synthetic == "" && fn.Pos().IsValid() &&
			int(fn.Pos()) >= file.Base() && int(fn.Pos()) < file.Base()+file.Size() {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Function) int { return int(a.Pos() - b.Pos()) })
	return out
}
