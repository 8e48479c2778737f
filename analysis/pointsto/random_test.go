package pointsto

import (
	"fmt"
	"go/constant"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestRandom runs random programs and holds the analysis against what happens, and against a naive
// one.
//
//   - Every object that a run shows at a probe is in the points-to set there: soundness.
//   - Every points-to set, without its contexts, is a subset of that of naive: contexts only add
//     precision.
//
// An object is known by the line on which it is allocated, a probe by its number.
func TestRandom(t *testing.T) {
	const seed, programs = 20, 10
	t.Logf("seed %d, %d programs", seed, programs)
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(randomPrograms(seed, programs)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module example.org/random\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := load.Load(load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	seen := execute(t, dir)
	for depth := range 3 {
		c := ConfigOf(r)
		c.Depth = depth
		checkRandom(t, Analyze(c), r, seen)
	}
}

// checkRandom compares the sets at all probes.
func checkRandom(t *testing.T, res *Result, r *load.Result, seen map[[2]int]bool) {
	t.Helper()
	oracle := naive(res.Functions())
	total, coarse := 0, 0
	for _, fn := range res.Functions() {
		for probe, v := range probes(fn) {
			got := linesOf(r, res.PointsTo(v))
			want := oracle.lines(r, v)
			total, coarse = total+len(got), coarse+len(want)
			for _, line := range got {
				if !slices.Contains(want, line) {
					t.Errorf("depth %d, probe %d: line %d, which naive does not have", res.a.Depth,
						probe, line)
				}
			}
			for at := range seen {
				if at[0] == probe && !slices.Contains(got, at[1]) {
					t.Errorf("depth %d, probe %d: line %d was seen, the set has %v", res.a.Depth,
						probe, at[1], got)
				}
			}
		}
	}
	if len(seen) < 30 || total == 0 {
		t.Errorf("only %d objects seen", len(seen))
	}
	t.Logf("depth %d: %d objects seen, %d in the sets, %d in the naive ones", res.a.Depth,
		len(seen), total, coarse)
}

// probes returns the second arguments of the calls of see in fn by their first.
func probes(fn *ssa.Function) map[int]ssa.Value {
	out := map[int]ssa.Value{}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if !ok || c.Call.StaticCallee() == nil || c.Call.StaticCallee().Name() != "see" {
				continue
			}
			if n, ok := c.Call.Args[0].(*ssa.Const); ok {
				probe, _ := constant.Int64Val(n.Value)
				out[int(probe)] = c.Call.Args[1]
			}
		}
	}
	return out
}

func linesOf(r *load.Result, s Set) []int {
	var out []int
	for _, o := range s.Objects() {
		out = append(out, r.Fset.Position(o.Pos()).Line)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// execute runs the program, which prints a probe and a line for each object that comes there.
func execute(t *testing.T, dir string) map[[2]int]bool {
	t.Helper()
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[2]int]bool{}
	for line := range strings.Lines(string(out)) {
		var at [2]int
		if _, err := fmt.Sscan(line, &at[0], &at[1]); err != nil {
			t.Fatal(err)
		}
		seen[at] = true
	}
	return seen
}

// writer writes random programs, a statement to a line.
type writer struct {
	rand   *rand.Rand
	lines  []string
	probes int
	prefix string // of a program's functions
}

const prelude = `package main

import "os"

type node struct {
	line int
	a, b *node
	ch   chan *node
	m    map[int]*node
	s    []*node
	i    any
	f    func(*node) *node
}

type getter interface{ get(*node) *node }

func (n *node) get(x *node) *node { if x != nil && x.a != nil { return x.a }; return n }

type other struct{ n *node }

func (o other) get(x *node) *node { return o.n }

var fuel int

var global *node

func see(probe int, n *node) {
	if n != nil && n.line > 0 { os.Stdout.WriteString(itoa(probe) + " " + itoa(n.line) + "\n") }
}

func itoa(n int) string {
	if n < 10 { return string(rune('0' + n)) }
	return itoa(n/10) + string(rune('0'+n%10))
}
`

const (
	functions  = 4
	statements = 14
	variables  = 5
)

func randomPrograms(seed uint64, programs int) string {
	w := &writer{rand: rand.New(rand.NewPCG(seed, seed)), lines: strings.Split(prelude, "\n")}
	for p := range programs {
		w.prefix = fmt.Sprintf("p%d_", p)
		for f := range functions {
			w.function(f)
		}
	}
	w.line("func main() {")
	for p := range programs {
		w.line("fuel, global = 200, nil")
		w.line("p%d_f0(nil, nil)", p)
	}
	w.line("}")
	return strings.Join(w.lines, "\n") + "\n"
}

func (w *writer) line(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// alloc is an allocation on the next line.
func (w *writer) alloc() string {
	return fmt.Sprintf("&node{line: %d, ch: make(chan *node, 3), m: map[int]*node{}}",
		len(w.lines)+1)
}

func (w *writer) v() string { return fmt.Sprintf("v%d", w.rand.IntN(variables)) }

func (w *writer) function(f int) {
	w.line("func %sf%d(x, y *node) *node {", w.prefix, f)
	w.line("if fuel--; fuel < 0 { return x }")
	w.line("v0, v1 := x, y")
	for v := 2; v < variables; v++ {
		w.line("v%d := %s", v, w.alloc())
	}
	for range statements {
		w.statement()
	}
	for v := range variables {
		w.probes++
		w.line("see(%d, v%d)", w.probes, v)
	}
	w.line("return %s", w.v())
	w.line("}")
}

// statement writes one of all that the analysis treats differently.
func (w *writer) statement() {
	x, y, z := w.v(), w.v(), w.v()
	field := []string{"a", "b"}[w.rand.IntN(2)]
	g := fmt.Sprintf("%sf%d", w.prefix, w.rand.IntN(functions))
	forms := []string{
		x + " = " + w.alloc(),
		x + " = " + y,
		fmt.Sprintf("if %s != nil { %s.%s = %s }", x, x, field, y),
		fmt.Sprintf("if %s != nil { %s = %s.%s }", y, x, y, field),
		fmt.Sprintf("%s = %s(%s, %s)", x, g, y, z),
		fmt.Sprintf("if %s != nil { select { case %s.ch <- %s: default: } }", x, x, y),
		fmt.Sprintf("if %s != nil { select { case n := <-%s.ch: %s = n; default: } }", y, y, x),
		fmt.Sprintf("if %s != nil && %s.m != nil { %s.m[1] = %s }", x, x, x, y),
		fmt.Sprintf("if %s != nil { for _, n := range %s.m { %s = n } }", y, y, x),
		fmt.Sprintf("if %s != nil { %s.s = append(%s.s, %s) }", x, x, x, y),
		fmt.Sprintf("if %s != nil && len(%s.s) > 0 { %s = %s.s[0] }", y, y, x, y),
		fmt.Sprintf("if %s != nil { %s.i = %s }", x, x, y),
		fmt.Sprintf("if %s != nil { if n, ok := %s.i.(*node); ok { %s = n } }", y, y, x),
		fmt.Sprintf(
			"if %s != nil { %s.f = func(n *node) *node { if n != nil { return n.%s }; return %s } }",
			x, x,
			field, y),
		fmt.Sprintf("if %s != nil && %s.f != nil { if fuel--; fuel > 0 { %s = %s.f(%s) } }", y, y,
			x, y, z),
		fmt.Sprintf(
			"{ var g getter = other{%s}; if fuel %% 2 == 0 && %s != nil { g = %s }; %s = g.get(%s) }",
			y, z,
			z, x, y),
		fmt.Sprintf("{ p := &%s; *p = %s }", x, y),
		fmt.Sprintf("if %s != nil { p := &%s.%s; q := *p; *p = %s; %s = q }", y, y, field, z, x),
		"global = " + x,
		x + " = global",
		fmt.Sprintf("if %s != nil { h := %s.get; %s = h(%s) }", y, y, x, z),
		fmt.Sprintf("{ done := make(chan *node); go func() { done <- %s }(); %s = <-done }", y, x),
		fmt.Sprintf("{ t := other{%s}; u := t; %s = u.n }", y, x),
		fmt.Sprintf("for _, n := range []*node{%s, %s} { %s = n }", y, z, x),
	}
	w.line("%s", forms[w.rand.IntN(len(forms))])
}
