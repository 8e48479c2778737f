package strategy_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/strategy"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var (
	programs = flag.Int("programs", 100, "random programs")
	firstOne = flag.Uint64("first", 0, "number of the first random program")
	largest  = flag.Int("largest", 20000,
		"executions of the largest random program that is compared")
)

// seen is what a strategy saw of a program.
type seen struct {
	executions, blocked, crashes int
	outcomes                     map[string]bool
	traces                       map[uint64]bool
	twice                        bool // some trace was run twice, be it one that ends in a crash
	complete                     bool
}

// trial is a random program that is small enough for exhaustive search, and what that has seen.
type trial struct {
	number uint64
	text   string
	m      *micro.Machine
	want   *seen
}

// trials makes random programs, and yields those that exhaustive search gets to the end of within
// limit executions.
func trials(stream uint64, make func(*rand.Rand) string, limit int) func(func(trial) bool) {
	return func(yield func(trial) bool) {
		for n := *firstOne; n < *firstOne+uint64(*programs); n++ {
			text := make(rand.New(rand.NewPCG(n, stream)))
			m := micro.New(micro.Parse(text))
			want := run(m, exhaustive.New(), limit)
			if want.complete && !yield(trial{n, text, m, want}) {
				return
			}
		}
	}
}

// mail makes random programs with mailboxes.
func mail(model string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return micro.RandomMail(r, model) }
}

// fault says what is wrong with what a strategy saw that runs one execution for each trace, and
// cuts off none. Of a program that can crash only the outcomes and the traces are compared: a crash
// hides what would have come next.
func fault(partial string, got, want *seen) string {
	switch why := outcomesFault(got.outcomes, want.outcomes); {
	case why != "":
		return why
	case len(missing(want.traces, got.traces)) > 0:
		return fmt.Sprintf("%d of %d traces lost", len(missing(want.traces, got.traces)),
			len(want.traces))
	case partial != "":
		return partial
	case want.crashes == 0 && (got.executions != len(want.traces) || got.blocked > 0):
		return fmt.Sprintf("%d executions and %d blocked of %d traces", got.executions, got.blocked,
			len(want.traces))
	}
	return ""
}

// outcomesFault says how the outcomes that were seen differ from those that there are.
func outcomesFault(got, want map[string]bool) string {
	switch lost, invented := missing(want, got), missing(got, want); {
	case len(lost) > 0:
		return fmt.Sprintf("outcomes lost: %q", lost)
	case len(invented) > 0:
		return fmt.Sprintf("outcomes invented: %q", invented)
	}
	return ""
}

// run explores p to its end, or up to limit executions.
func run(m *micro.Machine, s explore.Strategy, limit int) *seen {
	r := &seen{outcomes: map[string]bool{}, traces: map[uint64]bool{}}
	all := map[uint64]bool{}
	var o depend.Order
	for s.Begin() {
		if r.executions+r.blocked == limit {
			return r
		}
		x := m.Execute(s, false)
		s.End(x)
		if x.End == trace.Cut {
			r.blocked++
			continue
		}
		r.executions++
		o.Rewind(0)
		for range x.Events {
			o.Add(x)
		}
		r.twice = r.twice || all[o.Hash()]
		all[o.Hash()] = true
		if x.End == trace.Crashed || x.End == trace.Exited {
			r.crashes++
			r.outcomes[ending(x)] = true
			continue
		}
		r.outcomes[m.Observed()] = true
		if l := s.Last(); l.Hashed && l.Hash != o.Hash() {
			panic("the strategy's hash is not that of the execution")
		}
		r.traces[o.Hash()] = true
	}
	r.complete = true
	return r
}

// ending is what is seen of an execution that ends itself. Which process it is that makes a counter
// negative is not promised: see the LIMITS of package depend.
func ending(x *trace.Execution) string {
	if x.Crash == nil {
		return fmt.Sprint(x.ExitCode, x.Log)
	}
	if x.Crash.Text == "negative WaitGroup counter" {
		return fmt.Sprint(x.Crash.Text, x.Log)
	}
	return fmt.Sprint(x.Crash.Proc, x.Crash.Text, x.Log)
}

func missing[K comparable](all, some map[K]bool) (list []K) {
	for k := range all {
		if !some[k] {
			list = append(list, k)
		}
	}
	return list
}

// tally sums up what was compared.
type tally struct {
	compared, skipped, crashing, doubts int
	exhaustive, plain, reduced, blocked int
}

// compare explores one random program with exhaustive and with dpor: the same outcomes, the same
// traces.
func (c *tally) compare(t *testing.T, n uint64) {
	c.explore(t, n, micro.Random(rand.New(rand.NewPCG(n, 1))))
}

// explore is compare for the n-th program, whose text is given.
func (c *tally) explore(t *testing.T, n uint64, text string) {
	m := micro.New(micro.Parse(text))
	want := run(m, exhaustive.New(), *largest)
	if !want.complete {
		c.skipped++
		return
	}
	c.compared++
	c.exhaustive += want.executions
	if want.crashes > 0 {
		c.crashing++
	}
	plain := run(m, dpor.New(false), 2**largest)
	check(t, fmt.Sprintf("program %d, without sleep sets", n), text, plain, want)
	c.plain += plain.executions
	d := dpor.New(true)
	got := run(m, d, 2**largest)
	check(t, fmt.Sprintf("program %d, with sleep sets", n), text, got, want)
	if !d.Last().Distinct {
		c.doubts++
	} else if got.twice {
		t.Errorf("program %d: some trace was run twice\n%s", n, text)
	}
	c.reduced += got.executions
	c.blocked += got.blocked
	if got.crashes == 0 && got.executions != len(got.traces) {
		t.Errorf("program %d: %d executions of %d traces\n%s", n, got.executions, len(got.traces),
			text)
	}
}

func check(t *testing.T, what, text string, got, want *seen) {
	if lost := missing(want.outcomes, got.outcomes); len(lost) > 0 {
		t.Errorf("%s: outcomes lost: %q\n%s", what, lost, text)
	}
	if more := missing(got.outcomes, want.outcomes); len(more) > 0 {
		t.Errorf("%s: outcomes invented: %q\n%s", what, more, text)
	}
	if lost := missing(want.traces, got.traces); len(lost) > 0 {
		t.Errorf("%s: %d of %d traces lost\n%s", what, len(lost), len(want.traces), text)
	}
}

// TestSpinBound: with the least bound, what is said to be complete is, and nothing is invented.
func TestSpinBound(t *testing.T) {
	held := 0
	for n := range uint64(*programs) {
		text := micro.Random(rand.New(rand.NewPCG(n, 3))) +
			"\nchan zz 1\nP9: len zz; len zz; len zz; len zz\nQ9: zz<-1"
		m := micro.New(micro.Parse(text))
		all := run(m, exhaustive.New(), *largest/10)
		if !all.complete {
			continue
		}
		for _, name := range []string{"exhaustive", "dpor"} {
			s, err := strategy.New(strategy.Plan{Name: name, Spins: 1, Sleep: name == "dpor"})
			if err != nil {
				t.Fatal(err)
			}
			got := run(m, s, 2**largest)
			if s.Summary().Partial == "" {
				check(t, fmt.Sprintf("program %d, %s", n, name), text, got, all)
				continue
			}
			held++
			if more := missing(got.outcomes, all.outcomes); len(more) > 0 {
				t.Errorf("program %d, %s: outcomes invented: %q\n%s", n, name, more, text)
			}
		}
	}
	t.Logf("held back %d times", held)
}

func TestRandomPrograms(t *testing.T) {
	c := &tally{}
	for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
		c.compare(t, n)
	}
	t.Logf(
		"%d programs (%d skipped as too large, %d that can crash, %d in doubt): exhaustive %d, dpor %d, with sleep sets %d and %d blocked",
		c.compared, c.skipped, c.crashing, c.doubts, c.exhaustive, c.plain, c.reduced, c.blocked)
}

// TestRandomMail is the same, with mailboxes under either delivery model.
func TestRandomMail(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		c := &tally{}
		for n := *firstOne; n < *firstOne+uint64(*programs) && !t.Failed(); n++ {
			c.explore(t, n, micro.RandomMail(rand.New(rand.NewPCG(n, uint64(7+i))), model))
		}
		t.Logf(
			"%s: %d programs (%d skipped as too large, %d that can crash, %d in doubt): exhaustive %d, dpor %d, with sleep sets %d and %d blocked",
			model, c.compared, c.skipped, c.crashing, c.doubts, c.exhaustive, c.plain, c.reduced,
			c.blocked)
	}
}

// TestWide is the same, with nodes that do not keep their alternatives.
func TestWide(t *testing.T) {
	defer setWide(setWide(1))
	c := &tally{}
	for n := range uint64(*programs) / 3 {
		c.compare(t, n)
	}
}

// keys in order, for messages.
func keys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
