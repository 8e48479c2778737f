package pointsto

import (
	"flag"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/rehearse-go/rehearse/analysis/load"
)

var (
	dir     = flag.String("dir", "", "measure here")
	pattern = flag.String("pattern", ".", "")
	deps    = flag.Bool("deps", false, "")
	depth   = flag.Int("depth", DefaultDepth, "")
	doVTA   = flag.Bool("vta", false, "")
)

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func peak() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Maxrss / 1024
}

func TestMeasure(t *testing.T) {
	if *dir == "" {
		t.Skip()
	}
	t0 := cpu()
	r, err := load.Load(load.Config{Dir: *dir, Patterns: []string{*pattern}, Deps: *deps, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")})
	if err != nil {
		t.Fatal(err)
	}
	t1 := cpu()
	c := ConfigOf(r)
	c.Depth = *depth
	for _, p := range c.Source {
		p.Build()
	}
	t2 := cpu()
	t.Logf("load %v ssa %v peak %d MB", t1-t0, t2-t1, peak())
	res := Analyze(c)
	t3 := cpu()
	t.Logf("points-to %v peak %d MB stats %+v", t3-t2, peak(), res.Stats())
	one, zero, all := 0, 0, 0
	seen := map[[2]any]bool{}
	for _, op := range res.ChannelOps() {
		k := [2]any{op.Instr, op.Case}
		if seen[k] {
			continue
		}
		seen[k] = true
		sites := map[any]bool{}
		for _, o := range res.PointsTo(op.Chan).Objects() {
			sites[o.Value] = true
		}
		all++
		switch len(sites) {
		case 0:
			zero++
			t.Logf("zero: %s %s", r.Position(op.Instr.Pos()), op.Chan)
		case 1:
			one++
		}
	}
	t.Logf("ops %d one %d zero %d", all, one, zero)
	if *doVTA {
		t4 := cpu()
		g := vta.CallGraph(ssautil.AllFunctions(r.SSA()), nil)
		t.Logf("vta %v nodes %d", cpu()-t4, len(g.Nodes))
	}
}
