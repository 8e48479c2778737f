package differ

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/explore/exec/goprog"
)

var (
	programs  = flag.Int("programs", 25, "compare `n` programs")
	runs      = flag.Int("runs", 50, "run each `n` times as plain Go")
	firstSeed = flag.Uint64("seed", 1, "`seed` of the first program")
	most      = flag.Int("most", 2000, "let an exploration end after `n` executions")
)

// batch is how many programs are built together.
const batch = 50

// tally counts what was compared.
type tally struct {
	sync.Mutex
	programs, timed, complete, exhaustive, outcomes, native, runs, unknown int
}

// TestDiffer compares programs.
func TestDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs many programs")
	}
	var sum tally
	t.Run("programs", func(t *testing.T) {
		for from := 0; from < *programs; from += batch {
			var list []*goprog.Program
			for i := from; i < min(from+batch, *programs); i++ {
				list = append(list, goprog.New(*firstSeed+uint64(i)))
			}
			compareAll(t, list, &sum)
		}
	})
	t.Logf("%d programs, %d of them with timers: %d explored completely, %d of these exhaustively, too; %d outcomes explored; "+
		"%d outcomes in %d native runs, %d more runs of unknown outcome",
		sum.programs, sum.timed, sum.complete, sum.exhaustive, sum.outcomes, sum.native, sum.runs, sum.unknown)
	if sum.complete < sum.programs*3/4 || sum.exhaustive < sum.programs/2 {
		t.Error("too few explorations are complete")
	}
}

func compareAll(t *testing.T, list []*goprog.Program, sum *tally) {
	b := build(t, list)
	for _, p := range list {
		t.Run(p.Name(), func(t *testing.T) {
			t.Parallel()
			c := compare(t, b, p, *runs)
			sum.add(c)
			t.Log(c)
			if c.wrong != "" {
				t.Errorf("%s\n%s", c.wrong, p.Source(goprog.Plain))
				shrink(t, c)
			}
		})
	}
}

// comparison is what was found out about one program.
type comparison struct {
	p      *goprog.Program
	dpor   []*explored // for each clock
	all    []*explored // likewise, exhaustively
	native *native
	wrong  string // what must not be
}

// clocks are the meanings of time by which a program is explored. The first is that of the native runs.
func clocks(p *goprog.Program) [][]string {
	if p.Timed {
		return [][]string{{"-clock=idle"}, {"-clock=explore", "-max-fires=1"}}
	}
	return [][]string{{"-clock=idle"}}
}

// compare runs and explores p.
func compare(t *testing.T, b *binaries, p *goprog.Program, runs int) *comparison {
	t.Helper()
	c := &comparison{p: p}
	for _, clock := range clocks(p) {
		c.dpor = append(c.dpor, explore(t, b.controlled, p, append(clock, "-strategy=dpor", "-races=false", "-timeout=0", fmt.Sprint("-max-executions=", *most))...))
		c.all = append(c.all, explore(t, b.controlled, p,
			append(clock, "-strategy=exhaustive", "-races=false", "-timeout=0", fmt.Sprint("-max-executions=", *most))...))
	}
	c.native = runNative(t, b.native, p, runs)
	c.wrong = c.judge()
	return c
}

// judge says what must not be.
func (c *comparison) judge() string {
	for i, d := range c.dpor {
		if d.trouble+c.all[i].trouble != "" {
			return d.trouble + "\n" + c.all[i].trouble
		}
		if s := agree(d, c.all[i]); s != "" {
			return s
		}
	}
	for _, x := range []*explored{c.dpor[0], c.all[0]} {
		if s := c.native.within(x, c.p); s != "" {
			return s
		}
	}
	return ""
}

// agree compares two explorations.
func agree(d, x *explored) string {
	if !d.complete || !x.complete {
		return ""
	}
	for o := range x.outcomes {
		if !d.outcomes[o] {
			return fmt.Sprintf("%v does not find what %v finds: %v", d.flags, x.flags, o)
		}
	}
	for o := range d.outcomes {
		if !x.outcomes[o] {
			return fmt.Sprintf("%v does not find what %v finds: %v", x.flags, d.flags, o)
		}
	}
	if d.traces != x.traces && len(x.panics) == 0 { // a crash cuts traces short, at any place
		return fmt.Sprintf("%v has %d traces, %v has %d", d.flags, d.traces, x.flags, x.traces)
	}
	return ""
}

// within compares native outcomes with those of an exploration.
func (r *native) within(x *explored, p *goprog.Program) string {
	if !x.complete {
		return ""
	}
	for o, n := range r.outcomes {
		if !x.has(o, p) {
			return fmt.Sprintf("%d native runs show what %v does not find: %v\nbut only %v", n, x.flags, o, x.sorted())
		}
	}
	for text, n := range r.panics {
		if !x.panics[text] {
			return fmt.Sprintf("%d native runs panic with %q; %v has only %v", n, text, x.flags, x.panics)
		}
	}
	return ""
}

// has reports whether an exploration has a native outcome.
func (x *explored) has(o outcome, p *goprog.Program) bool {
	if x.outcomes[o] {
		return true
	}
	switch {
	case o.kind == "leak" && p.Global(): // receivers of the package's channels may wait
		return x.outcomes[outcome{"pass", o.log}]
	case o.kind == "panic":
		return x.hasBefore(o)
	case !p.Joins():
		return x.hasWithMore(o)
	}
	return false
}

// hasBefore reports whether an exploration has a panic with a log that o's begins with: others went on while Go reported
// the panic.
func (x *explored) hasBefore(o outcome) bool {
	for e := range x.outcomes { // others went on while Go reported the panic
		if e.kind == "panic" && (e.log == "" || strings.HasPrefix(o.log, e.log+"\n")) {
			return true
		}
	}
	return false
}

// hasWithMore reports whether an exploration has o with one line more: package testing loses a line that is logged at
// the very moment at which the test ends.
func (x *explored) hasWithMore(o outcome) bool {
	for e := range x.outcomes {
		lines := strings.Split(e.log, "\n")
		for i := range lines {
			less := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n")
			if e.kind == o.kind && less == o.log {
				return true
			}
		}
	}
	return false
}

func (x *explored) sorted() []string {
	var list []string
	for o := range x.outcomes {
		list = append(list, o.String())
	}
	slices.Sort(list)
	return list
}

func (c *comparison) String() string {
	var b strings.Builder
	for i, d := range c.dpor {
		x := c.all[i]
		fmt.Fprintf(&b, "%v: %d executions, %d traces, %d outcomes, complete %t %s; exhaustive: %d executions, complete %t %s\n",
			d.flags, d.executions, d.traces, len(d.outcomes), d.complete, d.reason, x.executions, x.complete, x.reason)
	}
	fmt.Fprintf(&b, "native: %d outcomes", len(c.native.outcomes))
	return b.String()
}

func (s *tally) add(c *comparison) {
	s.Lock()
	defer s.Unlock()
	s.programs++
	s.unknown += c.native.unknown
	s.native += len(c.native.outcomes)
	for _, n := range c.native.outcomes {
		s.runs += n
	}
	if c.p.Timed {
		s.timed++
	}
	if d := c.dpor[0]; d.complete {
		s.complete++
		s.outcomes += len(d.outcomes)
		if c.all[0].complete {
			s.exhaustive++
		}
	}
}
