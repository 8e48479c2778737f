package differ

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

var (
	programs  = flag.Int("programs", 5, "compare `n` programs")
	runs      = flag.Int("runs", 30, "run each `n` times as plain Go")
	firstSeed = flag.Uint64("seed", 1, "`seed` of the first program")
	most      = flag.Int("most", 2000, "let an exploration end after `n` executions")
	merge     = flag.Bool("merge", false, "explore with context-sensitive independence, too")
	recorded  = flag.String("record", "",
		"leave out the programs that `file` has, and append the others to it")
)

// batch is how many programs are built together.
const batch = 50

// TestDiffer compares programs.
func TestDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs many programs")
	}
	all := openRecords(t, *recorded)
	t.Run("programs", func(t *testing.T) {
		list := all.missing(*firstSeed, *programs)
		for ; len(list) > 0; list = list[min(batch, len(list)):] {
			compareAll(t, list[:min(batch, len(list))], all)
		}
	})
	sum := all.sum(*firstSeed, *programs)
	t.Log(sum)
	if sum.complete < sum.programs*3/4 || sum.exhaustive < sum.programs/2 {
		t.Error("too few explorations are complete")
	}
	if sum.wrong > 0 {
		t.Errorf("%d programs are wrong", sum.wrong)
	}
}

// TestAssigned compares programs that assign and copy sync objects, half as many.
func TestAssigned(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs many programs")
	}
	all := openRecords(t, "")
	n := (*programs + 1) / 2
	for from := 0; from < n; from += batch {
		var list []*goprog.Program
		for i := from; i < min(from+batch, n); i++ {
			list = append(list, goprog.NewAssigned(*firstSeed+uint64(i)))
		}
		t.Run("programs", func(t *testing.T) { compareAll(t, list, all) })
	}
	sum := all.sum(*firstSeed, n)
	t.Log(sum)
	if sum.complete < sum.programs*3/4 || sum.wrong > 0 {
		t.Errorf("%d of %d programs are wrong, %d are explored completely", sum.wrong, sum.programs,
			sum.complete)
	}
}

func compareAll(t *testing.T, list []*goprog.Program, all *records) {
	b := build(t, list)
	for _, p := range list {
		t.Run(p.Name(), func(t *testing.T) {
			t.Parallel()
			c := compare(t, b, p, *runs)
			t.Log(c)
			all.add(t, c)
			if c.wrong != "" {
				t.Errorf("%s\n%s", c.wrong, p.Source(goprog.Plain))
			}
			if c.wrong != "" && c.racy == "" {
				shrink(t, c)
			}
		})
	}
}

// comparison is what was found out about one program.
type comparison struct {
	p        *goprog.Program
	explored [][]*explored // for each clock, by each strategy
	native   *native
	// a data race: the program may do anything, which proves nothing against others
	racy  string
	wrong string // what must not be
}

// strategies are those that must agree. The first is the one that is used if none is asked for.
var strategies = [][]string{{"-strategy=dpor", "-sleep"}, {"-strategy=dpor"},
	{"-strategy=exhaustive"}}

// merging are those that cut off what leads to equal states, and so leave traces out; with -merge.
var merging = [][]string{{"-strategy=optimal", "-independence=context"},
	{"-strategy=dpor", "-sleep", "-independence=context"}}

// clocks are the meanings of time by which a program is explored. The first is that of the native
// runs.
func clocks(p *goprog.Program) [][]string {
	if p.Timed {
		return [][]string{{"-clock=idle"}, {"-clock=explore", "-max-fires=1"}}
	}
	return [][]string{{"-clock=idle"}}
}

// compare explores and runs p.
func compare(t *testing.T, b *binaries, p *goprog.Program, runs int) *comparison {
	t.Helper()
	c := &comparison{p: p}
	for _, clock := range clocks(p) {
		var by []*explored
		ways := strategies
		if *merge {
			ways = slices.Concat(strategies, merging)
		}
		for _, strategy := range ways {
			flags := slices.Concat(strategy, clock,
				[]string{"-timeout=0", fmt.Sprint("-max-executions=", *most)})
			by = append(by, explore(t, b.controlled, p, flags...))
		}
		for _, x := range by[len(strategies):] {
			x.traces = by[0].traces
		}
		c.explored = append(c.explored, by)
	}
	if c.racy = c.race(); c.racy != "" {
		c.wrong = "the generator made a program with a " + c.racy
		return c
	}
	c.native = runNative(t, b.native, p, runs)
	c.wrong = c.judge()
	return c
}

// race is the first data race that was found.
func (c *comparison) race() string {
	for _, x := range slices.Concat(c.explored...) {
		for _, race := range x.races {
			return race
		}
	}
	return ""
}

// judge says what must not be.
func (c *comparison) judge() string {
	for _, by := range c.explored {
		for _, x := range by {
			if x.trouble != "" {
				return x.trouble
			}
			if s := agree(by[0], x); s != "" {
				return s
			}
		}
	}
	for _, x := range c.explored[0] {
		if s := c.native.within(x, c.p); s != "" {
			return s
		}
	}
	return ""
}
