package strategy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var randomised = strategy.Names(func(r *strategy.Row) bool { return r.Endless })

func newSeeded(t testing.TB, name string, seed uint64) explore.Strategy {
	t.Helper()
	s, err := strategy.New(strategy.Plan{Name: name, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runs makes n executions and calls see after each.
func runs(t testing.TB, m *micro.Machine, s explore.Strategy, n int, see func(x *trace.Execution)) {
	t.Helper()
	for range n {
		if !s.Begin() {
			t.Fatal("a randomised strategy has come to an end")
		}
		x := m.Execute(s, false)
		s.End(x)
		see(x)
	}
}

// TestSeeds: one seed, the same executions; another one, others.
func TestSeeds(t *testing.T) {
	text := nsenders(4) + "chan u\nR: <-u; select <-u | default\nA: u<-1\nB: select u<-2 | c<-9"
	for _, name := range randomised {
		made := func(seed uint64) (all []string) {
			runs(t, micro.New(micro.Parse(text)), newSeeded(t, name, seed), 30,
				func(x *trace.Execution) {
					all = append(all, fmt.Sprint(explore.Choices(x)))
				})
			return all
		}
		if a, b := fmt.Sprint(made(5)), fmt.Sprint(made(5)); a != b {
			t.Errorf("%s: one seed, different executions", name)
		}
		if a, b := fmt.Sprint(made(5)), fmt.Sprint(made(6)); a == b {
			t.Errorf("%s: two seeds, the same executions", name)
		}
	}
}

// TestMissed: of many rows of executions by pct, no larger part misses an outcome than pct says,
// for bugs that need one order and two.
func TestMissed(t *testing.T) {
	const rows, length = 400, 12
	text := "chan c 3\nchan d 3\nR: <-c; <-c; <-c\nA: c<-1; d<-1; c<-2\nB: c<-3"
	for i, hit := range []string{"3", "1 3"} { // 3 comes first; 3 comes after 1, and before 2
		depth := i + 1
		missed, bound := 0, 0.0
		for seed := range uint64(rows) {
			s := sample.NewPCT(seed)
			found := false
			runs(t, micro.New(micro.Parse(text)), s, length, func(x *trace.Execution) {
				var sent []string
				for i := range x.Events {
					if e := &x.Events[i]; e.Kind == trace.Send && e.Obj == 0 {
						sent = append(sent, map[int32]string{1: "1", 2: "3"}[e.Proc])
					}
				}
				found = found || strings.HasPrefix(strings.Join(sent, " "), hit)
			})
			bound += s.Chance().Missed(depth)
			if !found {
				missed++
			}
		}
		if bound /= rows; float64(missed)/rows > bound || bound > 0.95 {
			t.Errorf("depth %d: %d of %d rows miss it, the bound is %.3f", depth, missed, rows,
				bound)
		}
		t.Logf("depth %d: %d of %d rows miss it, the bound is %.3f", depth, missed, rows, bound)
	}
}

// chiSquare samples a program and compares the frequencies of its outcomes, of which there are to
// be classes, with the uniform distribution.
func chiSquare(t *testing.T, name, text string, classes, samples int) float64 {
	m := micro.New(micro.Parse(text))
	count := map[string]int{}
	runs(t, m, newSeeded(t, name, 11), samples, func(*trace.Execution) { count[m.Observed()]++ })
	if len(count) > classes {
		t.Fatalf("%d classes, want at most %d", len(count), classes)
	}
	want := float64(samples) / float64(classes)
	sum := float64(classes-len(count)) * want
	for _, n := range count {
		sum += (float64(n) - want) * (float64(n) - want) / want
	}
	return sum
}

// limit is mean plus six standard deviations of the chi-square distribution.
func limit(classes int) float64 {
	k := float64(classes - 1)
	return k + 6*math.Sqrt(2*k)
}

// oneAndMany has one sender of one message and one of five, and the receiver sees their order: 6
// classes.
const oneAndMany = "chan c 6\nmain: <-c; <-c; <-c; <-c; <-c; <-c\nA: c<-1\nB: c<-2; c<-2; c<-2; c<-2; c<-2"

// TestUniform: surw takes each order of the events on one channel with the same probability; forks
// are foreseen. The plain walk does so only where all processes are alike, which shows that the
// test can fail.
func TestUniform(t *testing.T) {
	forked := strings.NewReplacer("A:", "*A:", "B:", "*B:", "main: ",
		"main: go P; ").Replace(oneAndMany) + "\nchan q 1\n*P: go A; q<-1; go B"
	busy := strings.Replace(oneAndMany, "A: ",
		"chan own 9\nA: own<-1; own<-1; own<-1; own<-1; own<-1; own<-1; own<-1; ", 1)
	for _, c := range []struct {
		what, text string
		classes    int
		plain      bool // uniform under the plain walk, too
	}{
		{"nsenders(4)", nsenders(4), 24, true},
		{"one and many", oneAndMany, 6, false},
		{"busy elsewhere", busy, 6, false},
		{"forked", forked, 6, false},
	} {
		got, plain := chiSquare(t, "surw", c.text, c.classes, 3000),
			chiSquare(t, "random", c.text, c.classes, 3000)
		t.Logf("%s: chi-square %.1f, of the plain walk %.1f, limit %.1f", c.what, got, plain,
			limit(c.classes))
		// With "busy elsewhere" and "forked", the other objects of interest, or all events, are
		// drawn now and then.
		uniform := c.what == "nsenders(4)" || c.what == "one and many"
		if uniform && got > limit(c.classes) || got > plain/2 && !c.plain {
			t.Errorf("%s: chi-square %.1f, of the plain walk %.1f", c.what, got, plain)
		}
		if c.plain != (plain <= limit(c.classes)) {
			t.Errorf("%s: the plain walk has chi-square %.1f", c.what, plain)
		}
	}
}

// depth3 fails when T1's two looks surround the second send of T0: three orders between the two, n
// = 2 and k = 16.
const depth3 = `chan a 2
chan x 9
T0: x<-1; x<-1; x<-1; a<-1; x<-1; x<-1; x<-1; a<-2
chan y 9
T1: y<-1; y<-1; y<-1; len a; if 1 6; y<-1; y<-1; y<-1; len a; if 2 1; fail
`

// TestPCTBound: pct finds a bug of depth 3 at least as often as the paper promises, 1/(n k^2), in
// those executions, at least one of five, that are after such a depth.
func TestPCTBound(t *testing.T) {
	const n, k, samples = 2, 17, 20000
	for seed := range uint64(3) {
		m := micro.New(micro.Parse(depth3))
		found := 0
		runs(t, m, newSeeded(t, "pct", seed), samples, func(x *trace.Execution) {
			if len(x.Events) > k {
				t.Fatalf("%d steps, the bound is for %d", len(x.Events), k)
			}
			if x.Failed {
				found++
			}
		})
		least := float64(samples) / 5 / (n * k * k)
		t.Logf("seed %d: found in %d of %d executions, at least %.1f are promised", seed, found,
			samples,
			least)
		if float64(found) < least {
			t.Errorf("seed %d: found in %d executions, %.1f are promised", seed, found, least)
		}
	}
}

// TestRandomisedFind: every strategy finds the bugs of small programs.
func TestRandomisedFind(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       explore.FindingKind
	}{
		{"abba",
			"mutex a\nmutex b\nT0: lock a; lock b; unlock b; unlock a\nT1: lock b; lock a; unlock a; unlock b",
			explore.Deadlock},
		{"leak", "chan c\nmain: <-c; log got\nW1: c<-1\nW2: c<-2", explore.Leak},
		{"panic", "chan c 1\nT0: c<-1\nT1: close c\nT2: yield", explore.Panic},
		{"select",
			"chan a 1\nchan b 1\nmain: a<-1; b<-1; select <-a | <-b; if 0 1; yield; <-b; log both",
			explore.Deadlock},
		{"depth", depth3, explore.Fail},
	} {
		for _, name := range randomised {
			r := explore.Run(micro.New(micro.Parse(c.text)), newSeeded(t, name, 1),
				explore.Limits{MaxExecutions: 3000}, nil)
			found := false
			for _, f := range r.Findings {
				found = found || f.Kind == c.kind
			}
			if !found || r.Complete {
				t.Errorf("%s, %s: findings %v, complete %v", c.name, name, r.Findings, r.Complete)
			}
		}
	}
}

// TestRandomisedInventNothing: on random programs, no outcome that exhaustive search does not see.
func TestRandomisedInventNothing(t *testing.T) {
	seen, all := map[string]int{}, 0
	for n := range uint64(*programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 21)))
		m := micro.New(micro.Parse(text))
		want := run(m, exhaustive.New(), 3000)
		if !want.complete {
			continue
		}
		all += len(want.outcomes)
		for _, name := range randomised {
			got := run(m, newSeeded(t, name, n), 60)
			if more := missing(got.outcomes, want.outcomes); len(more) > 0 {
				t.Errorf("program %d, %s: outcomes invented: %q\n%s", n, name, more, text)
			}
			seen[name] += len(got.outcomes)
		}
	}
	t.Logf("of %d outcomes, 60 executions see %v", all, seen)
	for _, name := range randomised {
		if seen[name]*2 < all {
			t.Errorf("%s sees %d of %d outcomes", name, seen[name], all)
		}
	}
}
