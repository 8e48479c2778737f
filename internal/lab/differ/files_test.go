package differ

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	filePrograms = flag.Int("fileprograms", 3, "compare `n` programs over files")
	fileSeed     = flag.Uint64("fileseed", 1, "`seed` of the first program over files")
)

// TestFiles compares random programs whose goroutines share files: exhaustive search, which uses no
// dependence, with the strategies, and all of them with native runs.
func TestFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs many programs")
	}
	root := t.TempDir()
	plain, perturbed := filepath.Join(root, "plain"), filepath.Join(root, "perturbed")
	text := filePackage()
	write(t, plain, nil, goprog.Plain)
	writeFile(t, plain, "files_test.go", text+"\nfunc perturb() {}\n")
	write(t, perturbed, nil, goprog.Plain)
	writeFile(t, perturbed, "files_test.go",
		strings.Replace(text, "import (", "import (\n\t\"math/rand/v2\"\n\t\"runtime\"", 1)+
			perturbFiles)
	packages, err := exec.Build(plain, options.Default(), []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	native := filepath.Join(root, "native.test")
	cmd := osexec.Command("go", "test", "-c", "-vet=off", "-o", native, ".")
	cmd.Dir = perturbed
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	complete := 0
	for i := range *filePrograms {
		seed := *fileSeed + uint64(i)
		t.Run(fmt.Sprintf("F%d", seed), func(t *testing.T) {
			if compareFiles(t, packages[0].Binary, native, seed) {
				complete++
			}
		})
	}
	if complete < *filePrograms/2 {
		t.Errorf("only %d of %d explorations are complete", complete, *filePrograms)
	}
}

// fileStrategies must agree with exhaustive search, in which no two steps are independent.
var fileStrategies = []string{"-strategy=auto", "-strategy=optimal", "-strategy=dpor",
	"-strategy=pop", "-strategy=optimal -independence=observed"}

// compareFiles reports whether the exhaustive search was complete.
func compareFiles(t *testing.T, controlled, native string, seed uint64) bool {
	all := exploreFiles(t, controlled, seed, "-strategy=exhaustive")
	sets := map[string]*explored{}
	for _, s := range fileStrategies {
		x := exploreFiles(t, controlled, seed, s)
		sets[s] = x
		if x.complete && all.complete && !x.refused && !maps.Equal(x.outcomes, all.outcomes) {
			t.Errorf("%s: outcomes\n%v\nexhaustive: outcomes\n%v\n%s", s, x.outcomes, all.outcomes,
				fileProgram(seed))
		}
		if !x.refused {
			t.Logf("%s: %d executions, %d outcomes, complete %t (exhaustive: %d, %t)", s,
				x.executions,
				len(x.outcomes), x.complete, all.executions, all.complete)
		}
	}
	if strings.Contains(fileProgram(seed), "RemoveAll") {
		return all.complete // its parts are no steps, in any search
	}
	for text := range nativeFiles(t, native, seed) {
		for s, x := range sets {
			if x.complete && !x.refused && !x.outcomes[outcome{"pass", text}] {
				t.Errorf("%s has not found what a native run shows:\n%s\n%s\n%v", s, text,
					fileProgram(seed),
					x.outcomes)
			}
		}
	}
	return all.complete
}

func exploreFiles(t *testing.T, binary string, seed uint64, flags string) *explored {
	t.Helper()
	p := &goprog.Program{Seed: seed}
	args := append(strings.Fields(flags), "-timeout=0", "-max-executions=1500")
	x := explore(t, binary, p, args...)
	if x.trouble != "" {
		t.Fatalf("%s: %s\n%s", flags, x.trouble, fileProgram(seed))
	}
	return x
}

// nativeFiles are the logs of native runs.
func nativeFiles(t *testing.T, binary string, seed uint64) map[string]bool {
	t.Helper()
	p := &goprog.Program{Seed: seed}
	out, err := osexec.Command(binary, "-test.v", "-test.count=150",
		"-test.run=^Test"+p.Name()+"$").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	logs := map[string]bool{}
	for _, m := range logLine.FindAllStringSubmatch(string(out), -1) {
		logs[m[1]] = true
	}
	if len(logs) == 0 {
		t.Fatalf("no logs in\n%s", out)
	}
	return logs
}

// filePackage is the source of all programs.
func filePackage() string {
	var b strings.Builder
	b.WriteString(fileOperations)
	for i := range *filePrograms {
		b.WriteString(fileProgram(*fileSeed + uint64(i)))
	}
	return b.String()
}

// fileProgram is one program: two or three goroutines with two or three operations each.
func fileProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 77))
	var b strings.Builder
	p := &goprog.Program{Seed: seed}
	fmt.Fprintf(&b, "\nfunc Test%s(t *testing.T) {\n\tw := begin(t, %q, %q)\n", p.Name(),
		pickOf(r, "", "a", "b", "d", "d/a"), pickOf(r, "", "d", "d/a"))
	n := 2 + r.IntN(4)/3
	for range n {
		b.WriteString("\tw.do(func(say func(...any)) {\n")
		for range 1 + r.IntN(3)*2/n {
			fmt.Fprintf(&b, "\t\t%s\n", fileOperation(r))
		}
		b.WriteString("\t})\n")
	}
	b.WriteString("\tw.end()\n}\n")
	return b.String()
}

func pickOf(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// fileOperation is a statement.
func fileOperation(r *rand.Rand) string {
	name := func() string {
		return fmt.Sprintf("w.path(%q)", pickOf(r, "a", "b", "a", "d", "d/a", "d/b"))
	}
	text := pickOf(r, "x", "yy", "zzz")
	switch r.IntN(20) {
	case 0, 1:
		return fmt.Sprintf("say(os.WriteFile(%s, []byte(%q), 0o666))", name(), text)
	case 2, 3:
		return fmt.Sprintf("say(read(%s))", name())
	case 4, 5:
		return fmt.Sprintf("say(lock(%s))", name())
	case 6:
		return fmt.Sprintf("say(os.Mkdir(%s, 0o777))", name())
	case 7:
		return fmt.Sprintf("say(os.%s(%s))", pickOf(r, "Remove", "RemoveAll"), name())
	case 8, 9:
		return fmt.Sprintf("say(os.Rename(%s, %s))", name(), name())
	case 10:
		return fmt.Sprintf("say(list(w.path(%q)))", pickOf(r, ".", "d"))
	case 11:
		return fmt.Sprintf("say(size(%s))", name())
	case 12:
		return fmt.Sprintf("say(os.Link(%s, %s))", name(), name())
	case 13:
		return fmt.Sprintf("say(os.Truncate(%s, %d))", name(), r.IntN(3))
	case 14, 15:
		return fmt.Sprintf("say(w.shared.WriteString(%q))", text)
	case 16:
		return fmt.Sprintf("say(w.shared.WriteAt([]byte(%q), %d))", text, r.IntN(2))
	case 17:
		return "say(readOn(w.shared))"
	case 18:
		return fmt.Sprintf("say(os.MkdirAll(w.path(%q), 0o777))", pickOf(r, "d", "d/a", "d/e"))
	default:
		return fmt.Sprintf("say(appendTo(%s, %q))", name(), text)
	}
}

// fileOperations are what the programs use. A program logs one line.
const fileOperations = `package prog

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

type world struct {
	t      *testing.T
	dir    string
	shared *os.File
	wg     sync.WaitGroup
	lines  []*[]string
}

// begin makes what there is at first: a file, a directory, and an open file.
func begin(t *testing.T, file, dir string) *world {
	w := &world{t: t, dir: t.TempDir()}
	if dir != "" {
		os.MkdirAll(w.path(dir), 0o777)
	}
	if file != "" {
		os.WriteFile(w.path(file), []byte("old"), 0o666)
	}
	w.shared, _ = os.OpenFile(w.path("a"), os.O_RDWR|os.O_CREATE, 0o666)
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) do(f func(say func(...any))) {
	lines := new([]string)
	w.lines = append(w.lines, lines)
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		f(func(args ...any) {
			*lines = append(*lines, said(args...))
			perturb()
		})
	}()
}

// end says what has been said, and what there is in the end.
func (w *world) end() {
	w.wg.Wait()
	var all []string
	for _, lines := range w.lines {
		all = append(all, strings.Join(*lines, ","))
	}
	filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.dir, path)
		if d.IsDir() {
			all = append(all, rel+"/")
		} else {
			b, _ := os.ReadFile(path)
			all = append(all, rel+"="+string(b))
		}
		return nil
	})
	w.shared.Close()
	w.t.Log(strings.ReplaceAll(strings.Join(all, "; "), "\x00", "0"))
}

func said(args ...any) string {
	var list []string
	for _, a := range args {
		if err, ok := a.(error); ok {
			a = errno(err)
		}
		list = append(list, fmt.Sprint(a))
	}
	return strings.Join(list, " ")
}
`

// perturbFiles makes native runs differ.
const perturbFiles = `
func perturb() {
	for range rand.IntN(4) {
		runtime.Gosched()
	}
	for i := range rand.IntN(20000) {
		runtime.KeepAlive(i)
	}
}
`
