package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/papers/transdpor"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// orderNames are the values of -order that are built; the empty one is none.
var orderNames = []string{"", "fifo", "eca", "lca"}

func orderOf(t *testing.T, name string) search.Order {
	o, err := search.NewOrder(name)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestRandomActors compares both forms of Fig. 2, with and without sleep sets, under each order,
// with exhaustive search: the same outcomes and the same traces, and TransDPOR never needs more
// than DPOR. With sleep sets no trace is run twice. Larger programs are compared with dpor and
// sleep sets.
func TestRandomActors(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		for size := 1; size <= 2; size++ {
			compared, executions := 0, map[string]int{}
			for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
				text := micro.RandomActors(rand.New(rand.NewPCG(n, uint64(20+i))), model, size)
				oracle := explore.Strategy(exhaustive.New())
				if size > 1 {
					oracle = dpor.New(true)
				}
				want := run(micro.New(micro.Parse(text)), oracle, *largest/10)
				if !want.complete {
					continue
				}
				compared++
				executions["exhaustive"] += want.executions
				executions["traces"] += len(want.traces)
				compareActors(t, fmt.Sprintf("%s, size %d, program %d", model, size, n), text, want,
					executions)
			}
			t.Logf("%s, size %d: %d programs: %v", model, size, compared, executions)
		}
	}
}

// TestNilCases: a case on a nil channel makes no difference. Each receive is also a select with
// such a case here.
func TestNilCases(t *testing.T) {
	receive := regexp.MustCompile(`([:;|] |select )(<-\w+)`)
	compared, executions := 0, map[string]int{}
	for n := *firstOne; n < *firstOne+uint64(*programs)/2 && !t.Failed(); n++ {
		text := receive.ReplaceAllStringFunc(micro.RandomActors(rand.New(rand.NewPCG(n, 20)), "bag",
			1),
			func(s string) string {
				before, channel, _ := strings.Cut(s, "<-")
				if strings.ContainsAny(before, ":;") {
					before += "select "
				}
				return before + "<-nil | <-" + channel
			})
		want := run(micro.New(micro.Parse(text)), exhaustive.New(), *largest/10)
		if !want.complete {
			continue
		}
		compared++
		compareActors(t, fmt.Sprintf("program %d", n), text, want, executions)
	}
	t.Logf("%d programs: %v", compared, executions)
}

func compareActors(t *testing.T, what, text string, want *seen, executions map[string]int) {
	m := micro.New(micro.Parse(text))
	for _, order := range orderNames[1:] {
		for _, sleep := range []bool{false, true} {
			dpor, trans := transdpor.NewDPOR(sleep, orderOf(t, order)),
				transdpor.New(sleep, orderOf(t, order))
			all, some := run(m, dpor, 20**largest), run(m, trans, 20**largest)
			what := fmt.Sprintf("%s, order %s, sleep sets %v", what, order, sleep)
			check(t, what+", dpor", text, all, want)
			check(t, what+", transdpor", text, some, want)
			if !sleep && trans.Summary().Deliveries > dpor.Summary().Deliveries ||
				some.executions > all.executions {
				t.Errorf("%s: transdpor %d/%d, dpor %d/%d\n%s", what, some.executions,
					trans.Summary().Deliveries, all.executions, dpor.Summary().Deliveries, text)
			}
			if sleep && (all.twice || some.twice) {
				t.Errorf("%s: some trace was run twice\n%s", what, text)
			}
			if dpor.Summary().Refusal != nil || trans.Summary().Refusal != nil {
				t.Errorf("%s: refused: %+v %+v\n%s", what, dpor.Summary().Refusal,
					trans.Summary().Refusal,
					text)
			}
			executions[fmt.Sprint("dpor ", sleep)] += all.executions
			executions[fmt.Sprint("transdpor ", sleep)] += some.executions
		}
	}
}

// TestOrders: an order changes nothing but the number of executions, whatever the strategy, the
// delivery model and the program; optimal has one for each trace. transdpor refuses programs for
// which it is not sound, and dpor takes all.
func TestOrders(t *testing.T) {
	for i, model := range []string{"go", "actor", "pairs"} {
		compared, refused := 0, 0
		for n := *firstOne; n < *firstOne+uint64(*programs)/2 && !t.Failed(); n++ {
			text := micro.RandomMail(rand.New(rand.NewPCG(n, uint64(30+i))),
				[]string{"chan", "bag", "pairs"}[i])
			m := micro.New(micro.Parse(text))
			want := run(m, exhaustive.New(), *largest/10)
			if !want.complete {
				continue
			}
			compared++
			for _, order := range orderNames {
				o := strategy.Plan{Model: model, Order: order}
				refused += compareOrder(t, m,
					fmt.Sprintf("%s, program %d, order %s", model, n, order), text,
					o, want)
			}
		}
		t.Logf("%s: %d programs, transdpor refused %d of %d times", model, compared, refused,
			2*len(orderNames)*compared)
	}
}

// compareOrder compares each strategy that takes an order, with options o, with exhaustive search.
func compareOrder(t *testing.T, m *micro.Machine, what, text string, o strategy.Plan,
	want *seen) (refused int) {
	names := map[string][]string{"go": {"dpor", "dpor+sleep", "optimal"}}[o.Model]
	if names == nil {
		names = []string{"dpor", "dpor+sleep", "transdpor", "transdpor+sleep"}
	}
	for _, name := range names {
		base, sleep := strings.CutSuffix(name, "+sleep")
		o.Name, o.Sleep = base, sleep
		s, err := strategy.New(o)
		if err != nil {
			t.Fatal(err)
		}
		got := run(m, s, 4**largest)
		if s.Summary().Refusal != nil {
			refused++
			continue
		}
		check(t, what+", "+name, text, got, want)
		if base == "optimal" && want.crashes == 0 &&
			(got.executions != len(want.traces) || got.blocked > 0) {
			t.Errorf("%s: %d executions and %d blocked of %d traces\n%s", what, got.executions,
				got.blocked,
				len(want.traces), text)
		}
		if s.Last().Distinct && got.twice {
			t.Errorf("%s, %s: some trace was run twice\n%s", what, name, text)
		}
	}
	return refused
}

// priority gives each process a place, whatever it does.
type priority uint64

// Rank implements search.Order.
func (p priority) Rank(s *trace.State, dst []int32) []int32 {
	for _, a := range s.Alts {
		r := rand.New(rand.NewPCG(uint64(p), uint64(a.Proc)))
		dst = append(dst, r.Int32())
	}
	return dst
}

// TestPriorities: optimal has one execution for each trace under any priority of processes, and
// dpor loses nothing.
func TestPriorities(t *testing.T) {
	compared := 0
	for n := *firstOne; n < *firstOne+uint64(*programs)/2; n++ {
		text := micro.Random(rand.New(rand.NewPCG(n, 33)))
		m := micro.New(micro.Parse(text))
		want := run(m, exhaustive.New(), *largest/4)
		if !want.complete {
			continue
		}
		compared++
		for p := range priority(5) {
			o, d := optimal.New(), dpor.New(true)
			o.Prefer(p)
			d.Prefer(p)
			if why := fault(o.Summary().Partial, run(m, o, 2**largest), want); why != "" {
				t.Fatalf("program %d, priorities %d: %s\n%s", n, p, why, text)
			}
			check(t, fmt.Sprintf("program %d, priorities %d, dpor", n, p), text,
				run(m, d, 2**largest), want)
		}
	}
	t.Logf("%d programs", compared)
}

// TestCrashAsleep: T1's send panics before T2's log or after it. Where T1 can also take another
// case, the send that was explored before must not sleep: it would be gone with that case, and the
// panic after the log with it.
func TestCrashAsleep(t *testing.T) {
	const text = "chan a\nchan b 2\nT0: <-a\nT1: select b<-$ | <-a | <-a | default\n" +
		"T2: select <-a | a<-2 | default; close a; log 0\nT3: close b"
	m := micro.New(micro.Parse(text))
	want := run(m, exhaustive.New(), 100000)
	for _, order := range orderNames {
		d, o := dpor.New(true), optimal.New()
		d.Prefer(orderOf(t, order))
		o.Prefer(orderOf(t, order))
		check(t, "dpor, order "+order, text, run(m, d, 1000), want)
		check(t, "optimal, order "+order, text, run(m, o, 1000), want)
	}
}

// TestTrapCrashHides: an event that ends an execution if it comes first sleeps after an independent
// event. The events that it would then hide must be explored all the same, even if a race asks for
// that event itself.
func TestTrapCrashHides(t *testing.T) {
	for name, text := range map[string]string{
		"counter": "wg w\nT0: add w -1\nT1: yield; log 1\nT2: add w 1",
		"value":   "chan c 1\nT0: len c; if 0 1; panic empty\nT1: yield; log 1\nT2: c<-1",
		// A send that panics before T2's receive sleeps after it, and has nothing to do with len.
		"len": "chan a 1\nT0: close a; len a\nT1: a<-1\nT2: <-a\nT3: a<-0",
		// T0 is the last event, is independent of T1's receive, and would come before T2's in vain.
		// Optimal would put the reversal behind the end of the branch of another process, or leave
		// it to a branch that averts the crash.
		"averted": "chan a 1\nT0: len a; if 0 1; panic len\nT1: a<-1\nT2: log z",
		"exit":    "atomic v\nT0: store v 1\nT1: log z\nT2: load v; if 0 1; exit 2",
		"two":     "wg w\nT0: add w -1\nT1: add w 1\nT2: yield; panic q\nT3: log l",
		"waits":   "wg w\nT0: wait w; panic p\nT1: yield; log g\nT2: add w 1\nT3: add w 1",
		"open":    "bag b\nT0: len b; if 0 1; panic q\nT1: yield; log k\nT2: log l\nT3: b<-1",
		"last":    "chan a 1\nchan b 1\nT0: len a; if 0 1; panic empty\nT1: <-b; log 1\nT2: select <-b | <-a; log 2\nT3: b<-9",
	} {
		m := micro.New(micro.Parse(text))
		want := run(m, exhaustive.New(), 1000)
		for _, order := range orderNames {
			for _, sleep := range []bool{false, true} {
				d := dpor.New(sleep)
				d.Prefer(orderOf(t, order))
				got := run(m, d, 1000)
				check(t, fmt.Sprintf("%s, sleep sets %v, order %q", name, sleep, order), text, got,
					want)
				if d.Last().Distinct && got.twice {
					t.Errorf("%s, order %q: some trace was run twice", name, order)
				}
			}
			d := optimal.New()
			d.Prefer(orderOf(t, order))
			check(t, fmt.Sprintf("%s, optimal, order %q", name, order), text, run(m, d, 1000), want)
		}
	}
}
