package pointsto

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/modules"
)

var (
	measure = flag.String("measure", "", "analyse a `MODULE@VERSION`, which is fetched, and print what it costs")
	pattern = flag.String("pattern", ".", "package of the module to measure")
	depth   = flag.Int("depth", DefaultDepth, "length of contexts to measure with")
	list    = flag.Bool("list", false, "list the callees that only VTA has")
	deps    = flag.Bool("deps", false, "load dependencies from source, too")
)

// TestMeasure prints processor seconds, memory, and how many channel operations have one make site, beside VTA.
// It runs on request:
//
//	go test ./analysis/pointsto -run TestMeasure -v -measure github.com/nats-io/nats-server/v2@v2.15.2
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("no -measure")
	}
	dir := fetch(t, *measure)
	clock := processor()
	r, err := load.Load(load.Config{Dir: dir, Patterns: []string{*pattern}, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), Deps: *deps})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("load %v", lap(&clock))
	c := ConfigOf(r)
	c.Depth = *depth
	for _, p := range c.Source {
		p.Build()
	}
	t.Logf("SSA %v, peak %d MB", lap(&clock), peak())
	res := Analyze(c)
	t.Logf("points-to %v, peak %d MB", lap(&clock), peak())
	printStats(t, res.Stats())
	channels(t, res)
	lap(&clock)
	graph := vta.CallGraph(ssautil.AllFunctions(r.SSA()), nil)
	t.Logf("VTA %v, peak %d MB", lap(&clock), peak())
	compareCalls(t, res, graph)
}

func printStats(t *testing.T, s Stats) {
	t.Helper()
	t.Logf("%d functions, %d instances with contexts of length %d, %d nodes, %d edges, %d objects, %d cells, %d steps",
		s.Functions, s.Instances, s.Depth, s.Nodes, s.Edges, s.Objects, s.Cells, s.Steps)
	for _, rule := range slices.Sorted(maps.Keys(s.Rules)) {
		t.Logf("  rule %-8s %8d elements", rule, s.Rules[rule])
	}
}

// compareCalls counts the calls through interfaces and function values in functions that are reached, and lists callees that
// VTA has and the points-to analysis has not.
func compareCalls(t *testing.T, res *Result, graph *callgraph.Graph) {
	t.Helper()
	sites, ours, theirs, both := 0, 0, 0, 0
	missed, at := map[string]int{}, map[string]string{}
	for _, fn := range res.Functions() {
		if graph.Nodes[fn] == nil {
			continue
		}
		mine, all := calleesOf(res, fn), map[ssa.CallInstruction]map[*ssa.Function]bool{}
		for _, e := range graph.Nodes[fn].Out {
			if e.Site == nil || e.Site.Common().StaticCallee() != nil || e.Callee.Func.Blocks == nil {
				continue
			}
			if all[e.Site] == nil {
				all[e.Site] = map[*ssa.Function]bool{}
			}
			all[e.Site][e.Callee.Func] = true
		}
		for site, callees := range all {
			sites++
			ours, theirs = ours+len(mine[site]), theirs+len(callees)
			for callee := range callees {
				if mine[site][callee] {
					both++
				} else {
					missed[callee.String()]++
					at[callee.String()] = place(fn.Prog.Fset, site.Pos())
				}
			}
		}
	}
	t.Logf("%d dynamic calls that VTA resolves: %d callees, %d of VTA, %d of both", sites, ours, theirs, both)
	reached := map[string]bool{}
	for _, fn := range res.Functions() {
		reached[fn.String()] = true
	}
	never := 0
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		if !reached[name] {
			never++
			if *list {
				t.Logf("  not reached at all: %s (%d calls, one at %s)", name, missed[name], at[name])
			}
		} else if *list {
			t.Logf("  only of VTA: %s (%d calls, one at %s)", name, missed[name], at[name])
		}
	}
	t.Logf("%d functions are only callees of VTA at some call, %d of them are not reached", len(missed), never)
}

func calleesOf(res *Result, fn *ssa.Function) map[ssa.CallInstruction]map[*ssa.Function]bool {
	out := map[ssa.CallInstruction]map[*ssa.Function]bool{}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			site, ok := instr.(ssa.CallInstruction)
			if !ok || site.Common().StaticCallee() != nil {
				continue
			}
			out[site] = map[*ssa.Function]bool{}
			for _, e := range res.Callees(site) {
				out[site][e.Callee.Func] = true
			}
		}
	}
	return out
}

// channels prints how many operations on channels have one make site.
func channels(t *testing.T, res *Result) {
	t.Helper()
	type operation struct {
		instr ssa.Instruction
		state int
	}
	seen, count := map[operation]bool{}, [3]int{} // none, one, several
	for _, op := range res.ChannelOps() {
		if seen[operation{op.Instr, op.Case}] {
			continue
		}
		seen[operation{op.Instr, op.Case}] = true
		sites := map[ssa.Value]bool{}
		for _, o := range res.PointsTo(op.Chan).Objects() {
			sites[o.Value] = true
		}
		count[min(len(sites), 2)]++
	}
	t.Logf("%d channel operations: %d with one make site, %d with several, %d with none", len(seen), count[1], count[2], count[0])
}

// fetch makes a copy of a module that the go command may write into.
func fetch(t *testing.T, module string) string {
	t.Helper()
	dir := modules.Copy(t, module)
	dropReplacements(t, dir)
	return dir
}

// dropReplacements makes a module that was cut out of its repository take the others from where all do.
func dropReplacements(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(dir + "/go.mod")
	if err != nil {
		return
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(l string) bool { return strings.Contains(l, " => .") })
	if err := os.WriteFile(dir+"/go.mod", []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// processor is the processor time of this process, without that of the go command.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// lap returns what has been used since the last lap.
func lap(since *time.Duration) time.Duration {
	now := processor()
	used := now - *since
	*since = now
	return used.Round(10 * time.Millisecond)
}

// peak is the largest resident size so far, in megabytes.
func peak() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Maxrss / 1024
}
