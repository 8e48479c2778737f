package pointsto

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
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
	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var (
	measure = flag.String("measure", "",
		"analyse a `MODULE@VERSION`, which is fetched, and print what it costs")
	pattern = flag.String("pattern", ".", "package of the module to measure")
	depth   = flag.Int("depth", DefaultDepth, "length of contexts to measure with")
	differ  = flag.Bool("differ", false,
		"list the callees that only VTA has, and the make sites that only the flow by fields has")
	deps = flag.Bool("deps", false, "load dependencies from source, too")
)

// TestMeasure prints processor seconds, memory, and how many channel operations have one make site,
// beside VTA. It runs on request:
//
//	go test ./analysis/pointsto -run TestMeasure -v -measure github.com/nats-io/nats-server/v2@v2.15.2
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("no -measure")
	}
	dir := fetch(t, *measure)
	debug.SetGCPercent(200) // as rehearse actors does
	clock := processor()
	r, err := load.Load(load.Config{Dir: dir, Patterns: []string{*pattern},
		Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), Deps: *deps})
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
	lap(&clock)
	graph := vta.CallGraph(ssautil.AllFunctions(r.SSA()), nil)
	t.Logf("VTA %v, peak %d MB", lap(&clock), peak())
	flow := flowOf(graph, res.Functions())
	t.Logf("flow of channels by fields %v, peak %d MB", lap(&clock), peak())
	compareCalls(t, res, graph)
	compareChannels(t, res, flow)
}

func printStats(t *testing.T, s Stats) {
	t.Helper()
	t.Logf(
		"%d functions, %d instances with contexts of length %d, %d nodes, %d objects, %d cells, %d steps",
		s.Functions, s.Instances, s.Depth, s.Nodes, s.Objects, s.Cells, s.Steps)
}

// compareCalls counts the calls through interfaces and function values in functions that are
// reached, and lists callees that VTA has and the points-to analysis has not.
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
			if e.Site == nil || e.Site.Common().StaticCallee() != nil ||
				e.Callee.Func.Blocks == nil {
				continue
			}
			if all[e.Site] == nil {
				all[e.Site] = map[*ssa.Function]bool{}
			}
			all[e.Site][e.Callee.Func] = true
		}
		for site, callees := range all {
			sites++
			theirs += len(callees)
			for _, direct := range mine[site] {
				if direct {
					ours++
				}
			}
			for callee := range callees {
				if _, is := mine[site][callee]; is {
					both++
				} else {
					missed[callee.String()]++
					at[callee.String()] = place(fn.Prog.Fset, site.Pos())
				}
			}
		}
	}
	t.Logf("%d dynamic calls that VTA resolves: %d callees, %d of VTA, %d of both", sites, ours,
		theirs, both)
	reached := map[string]bool{}
	for _, fn := range res.Functions() {
		reached[fn.String()] = true
	}
	never := 0
	for _, name := range slices.Sorted(maps.Keys(missed)) {
		if !reached[name] {
			never++
			if *differ {
				t.Logf("  not reached at all: %s (%d calls, one at %s)", name, missed[name],
					at[name])
			}
		} else if *differ {
			t.Logf("  only of VTA: %s (%d calls, one at %s)", name, missed[name], at[name])
		}
	}
	t.Logf("%d functions are only callees of VTA at some call, %d of them are not reached",
		len(missed), never)
}

// calleesOf returns what the calls of fn through interfaces and function values call; false: by way
// of the library only.
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
				out[site][e.Callee.Func] = out[site][e.Callee.Func] || !e.Library
			}
		}
	}
	return out
}

// compareChannels prints, for sends and for all operations on channels, how many may work on the
// channels of one make site, beside a field-based flow over VTA's call graph. Channels that the
// library makes have no site.
func compareChannels(t *testing.T, res *Result, flow *fieldFlow) {
	t.Helper()
	var sends, all comparison
	for _, op := range operations(res) {
		ours := map[*ssa.MakeChan]bool{}
		for _, o := range res.PointsTo(op.ch).Objects() {
			if m, ok := o.Value.(*ssa.MakeChan); ok {
				ours[m] = true
			}
		}
		theirs := flow.sites[op.ch]
		all.add(ours, theirs)
		if op.verb == "senders" {
			sends.add(ours, theirs)
		}
		if *differ {
			for m := range theirs {
				if !ours[m] {
					t.Logf("  only by fields: %s at %s", place(m.Parent().Prog.Fset, m.Pos()),
						place(m.Parent().Prog.Fset, op.instr.Pos()))
				}
			}
		}
	}
	t.Logf("sends: %v", sends)
	t.Logf("channel operations: %v", all)
}

// operations returns the operations of all instances, each once.
func operations(res *Result) []channelOp {
	type operation struct {
		instr ssa.Instruction
		state int
	}
	seen := map[operation]bool{}
	return slices.DeleteFunc(res.channelOps(), func(op channelOp) bool {
		key := operation{op.instr, op.index}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// comparison counts operations by their make sites, and pairs of an operation and a site.
type comparison struct {
	ops                     int
	ours, theirs            [3]int // operations with no site, one, several
	targets, flowed, common int
}

func (c *comparison) add(ours, theirs map[*ssa.MakeChan]bool) {
	c.ops++
	c.ours[min(len(ours), 2)]++
	c.theirs[min(len(theirs), 2)]++
	c.targets, c.flowed = c.targets+len(ours), c.flowed+len(theirs)
	for m := range ours {
		if theirs[m] {
			c.common++
		}
	}
}

func (c comparison) String() string {
	per := func(n int) float64 { return float64(n) / float64(max(1, c.ops)) }
	return fmt.Sprintf(
		"%d; one make site, several, none: %d, %d, %d, by fields %d, %d, %d; targets of each: %.2f, by fields %.2f, of both %.2f",
		c.ops, c.ours[1], c.ours[2], c.ours[0], c.theirs[1], c.theirs[2], c.theirs[0],
		per(c.targets), per(c.flowed), per(c.common))
}

// fetch makes a copy of a module that the go command may write into.
func fetch(t *testing.T, module string) string {
	t.Helper()
	dir := modules.Copy(t, module)
	dropReplacements(t, dir)
	return dir
}

// dropReplacements makes a module that was cut out of its repository take the others from where all
// do.
func dropReplacements(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(dir + "/go.mod")
	if err != nil {
		return
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"),
		func(l string) bool { return strings.Contains(l, " => .") })
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
