package pointsto

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/load"
)

var (
	measure = flag.String("measure", "", "analyse a `MODULE@VERSION`, which is fetched, and print what it costs")
	pattern = flag.String("pattern", ".", "package of the module to measure")
	depth   = flag.Int("depth", DefaultDepth, "length of contexts to measure with")
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
	r, err := load.Load(load.Config{Dir: dir, Patterns: []string{*pattern}, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")})
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
	t.Logf("points-to %v, peak %d MB, %+v", lap(&clock), peak(), res.Stats())
	channels(t, res)
	lap(&clock)
	vta.CallGraph(ssautil.AllFunctions(r.SSA()), nil)
	t.Logf("VTA %v, peak %d MB", lap(&clock), peak())
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
	dir := t.TempDir()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = dir
	out, err := cmd.Output()
	var info struct{ Dir string }
	if json.Unmarshal(out, &info) != nil || info.Dir == "" {
		t.Skipf("%s cannot be fetched: %v", module, err)
	}
	if err := os.CopyFS(dir+"/module", os.DirFS(info.Dir)); err != nil {
		t.Fatal(err)
	}
	return dir + "/module"
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
