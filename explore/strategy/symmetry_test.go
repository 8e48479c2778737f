package strategy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/symmetry"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var twinPrograms = flag.Int("twins", 10, "random programs with twins")

// alikeness is what a strategy saw of a program with twins. Of executions that end in a crash or an
// exit only the outcome counts.
type alikeness struct {
	executions, blocked, crashes int
	outcomes                     map[string]bool // but for which twin is which
	traces                       map[uint64]bool
	complete                     bool
}

// compareTwins explores m to its end, or up to limit executions, and puts the traces that it sees
// into orbits, if there are some.
func compareTwins(m *micro.Machine, s explore.Strategy, limit int, all orbits) *alikeness {
	r := &alikeness{outcomes: map[string]bool{}, traces: map[uint64]bool{}}
	for s.Begin() {
		if r.executions+r.blocked >= limit {
			return r
		}
		x := m.Execute(s, false)
		s.End(x)
		switch {
		case x.End == trace.Cut:
			r.blocked++
			continue
		case x.End == trace.Crashed || x.End == trace.Exited:
			r.crashes++
			r.outcomes[unnamedEnding(x)] = true
		default:
			r.outcomes[m.Unnamed()] = true
			r.traces[hashOf(x)] = true
			if all != nil {
				all.see(x)
			}
		}
		r.executions++
	}
	r.complete = true
	return r
}

// unnamedEnding is ending, but for which twin it is.
func unnamedEnding(x *trace.Execution) string {
	y := *x
	if x.Crash != nil {
		y.Crash = &trace.Crash{Text: x.Procs[x.Crash.Proc].Name + x.Crash.Text}
		if x.Crash.Text == "negative WaitGroup counter" {
			y.Crash.Text = x.Crash.Text
		}
	}
	return ending(&y)
}

func hashOf(x *trace.Execution) uint64 {
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	return o.Hash()
}

// orbits are the classes of traces that are the same but for which twin is which: each trace points
// towards the one that stands for its class.
type orbits map[uint64]uint64

func (o orbits) of(trace uint64) uint64 {
	for o[trace] != trace {
		trace = o[trace]
	}
	return trace
}

func (o orbits) add(trace uint64) uint64 {
	if _, known := o[trace]; !known {
		o[trace] = trace
	}
	return o.of(trace)
}

// see puts x, and all that it becomes if two twins change places before either has moved, into one
// class.
func (o orbits) see(x *trace.Execution) {
	own := o.add(hashOf(x))
	y := *x
	y.Procs = slices.Clone(x.Procs)
	for q := range y.Procs {
		for p := int(y.Procs[q].Twin) - 1; p >= 0; p = int(y.Procs[p].Twin) - 1 {
			if firstOf(x, p) < int(y.Procs[q].Born) {
				continue
			}
			changePlaces(&y, p, q)
			o[o.add(hashOf(&y))] = own
			changePlaces(&y, p, q)
		}
	}
}

// count returns the number of classes.
func (o orbits) count() (n int) {
	for trace, next := range o {
		if trace == next {
			n++
		}
	}
	return n
}

// lost counts the classes none of whose traces is in seen.
func (o orbits) lost(seen map[uint64]bool) int {
	reached := map[uint64]bool{}
	for h := range seen {
		reached[o.of(h)] = true
	}
	return o.count() - len(reached)
}

func firstOf(x *trace.Execution, p int) int {
	for k := range x.Events {
		if x.Events[k].Involves(int32(p)) {
			return k
		}
	}
	return len(x.Events)
}

// changePlaces exchanges the names of processes p and q, and of those that they have started.
func changePlaces(x *trace.Execution, p, q int) {
	x.Procs[p].Born, x.Procs[q].Born = x.Procs[q].Born, x.Procs[p].Born
	a, b := x.Procs[p].Path, x.Procs[q].Path
	for k := range x.Procs {
		path := &x.Procs[k].Path
		switch {
		case *path == a || strings.HasPrefix(*path, a+"."):
			*path = b + (*path)[len(a):]
		case *path == b || strings.HasPrefix(*path, b+"."):
			*path = a + (*path)[len(b):]
		}
	}
}

// twinsFault compares what was seen with what exhaustive search sees of the program, and of the one
// in which twins begin in order.
func twinsFault(partial string, got, chained, plain, all *alikeness, classes orbits) string {
	switch why := outcomesFault(got.outcomes, all.outcomes); {
	case !got.complete:
		return "the search does not end"
	case why != "":
		return why
	case classes.lost(got.traces) > 0:
		return fmt.Sprintf("%d of %d orbits lost", classes.lost(got.traces), classes.count())
	case len(missing(chained.traces, got.traces)) > 0:
		return fmt.Sprintf("%d of %d traces in which twins begin in order lost",
			len(missing(chained.traces, got.traces)), len(chained.traces))
	case partial != "":
		return partial
	case all.crashes == 0 && got.executions+got.blocked > plain.executions+plain.blocked:
		return fmt.Sprintf("%d executions, %d blocked; %d, %d without symmetry", got.executions,
			got.blocked, plain.executions, plain.blocked)
	case all.crashes == 0 && (got.executions != len(chained.traces) || got.blocked > 0):
		return fmt.Sprintf(
			"%d executions and %d blocked of %d traces in which twins begin in order",
			got.executions, got.blocked, len(chained.traces))
	}
	return ""
}

// TestTwins compares with exhaustive search: the same outcomes, but for which twin is which, and
// one execution for each trace in which twins begin in order.
func TestTwins(t *testing.T) {
	for i, model := range []string{"go", "bag", "pairs", "moves"} {
		var compared, executions, plain, orbs, calm, exact, failed int
		var plainly [2]int // executions, and those cut off
		for n := *firstOne; n < *firstOne+uint64(*twinPrograms) && failed < *keepGoing; n++ {
			text := micro.RandomTwins(rand.New(rand.NewPCG(n, uint64(31+i))),
				strings.TrimPrefix(model, "go"))
			m := micro.New(micro.Parse(text))
			classes := orbits{}
			all := compareTwins(m, exhaustive.New(), *largest/20, classes)
			if !all.complete {
				continue
			}
			compared++
			chained := compareTwins(m, unhashed{&symmetry.Chained{Strategy: exhaustive.New()}},
				*largest/20,
				nil)
			s := symmetry.New(func() *optimal.Search {
				o := optimal.New()
				o.Prefer(rotated{int(n % 3), int(n % 2)}) // whoever goes first
				return o
			})
			got := compareTwins(m, s, 2**largest, nil)
			without := compareTwins(m, optimal.New(), 2**largest, nil)
			for name, s := range map[string]*symmetry.Search{
				"dpor -sleep": symmetry.New(func() *dpor.Search { return dpor.New(true) }),
				"adaptive":    symmetry.New(newAdaptive),
			} {
				got := compareTwins(m, s, 4**largest, nil)
				why := outcomesFault(got.outcomes, all.outcomes)
				if why != "" || classes.lost(got.traces) > 0 ||
					len(missing(chained.traces, got.traces)) > 0 {
					failed++
					t.Errorf("%s, %s, program %d: %s, %d orbits and %d traces lost\n%s", name,
						model, n, why,
						classes.lost(got.traces),
						len(missing(chained.traces, got.traces)), text)
				}
				if name == "dpor -sleep" && all.crashes == 0 {
					plainly[0], plainly[1] = plainly[0]+got.executions, plainly[1]+got.blocked
				}
			}
			if why := twinsFault(s.Summary().Partial, got, chained, without, all,
				classes); why != "" {
				failed++
				t.Errorf("%s, program %d: %s\n%s", model, n, why, text)
			}
			if all.crashes == 0 {
				calm++
				executions, plain, orbs = executions+got.executions, plain+without.executions,
					orbs+classes.count()
				if got.executions == classes.count() {
					exact++
				}
			}
		}
		t.Logf(
			"%s: %d programs; the %d that cannot crash have %d executions, %d without symmetry, and %d orbits; exact in %d; dpor has %d and %d cut off",
			model, compared, calm, executions, plain, orbs, exact, plainly[0], plainly[1])
	}
}

// TestTwinsObserved: where what nobody sees commutes, too, nothing is lost. No more is run than
// without symmetry, but where twins receive what several others send: the first meeting of an elder
// is then in no joint meeting.
func TestTwinsObserved(t *testing.T) {
	for _, kind := range []string{"", "equal", "meetings"} {
		var compared, executions, plain, more, failed int
		for n := *firstOne; n < *firstOne+uint64(*twinPrograms) && failed < *keepGoing; n++ {
			text := micro.RandomTwins(rand.New(rand.NewPCG(n, 34)), kind)
			got, without, why := twinsObserved(text, kind != "")
			if got == nil {
				continue
			}
			compared++
			if got.crashes == 0 &&
				got.executions+got.blocked > without.executions+without.blocked {
				if more++; why == "" && kind != "meetings" {
					why = fmt.Sprintf("%d executions, %d blocked; %d, %d without symmetry",
						got.executions, got.blocked, without.executions, without.blocked)
				}
			}
			if why != "" {
				failed++
				t.Errorf("%s, program %d: %s\n%s", kind, n, why, text)
			}
			executions, plain = executions+got.executions, plain+without.executions
		}
		t.Logf("%s: %d programs, %d executions, %d without symmetry; more in %d", kind, compared,
			executions, plain, more)
	}
}

// twinsObserved explores a program with observers, and with equal values if equal: beside twins,
// and without. got is nil if the program is too large to compare. why says what is wrong with got.
func twinsObserved(text string, equal bool) (got, without *alikeness, why string) {
	m := micro.New(micro.Parse(text))
	all := compareTwins(m, exhaustive.New(), *largest/20, nil)
	if !all.complete {
		return nil, nil, ""
	}
	make := func() *optimal.Search {
		s := optimal.New()
		if s.Observers(); equal {
			s.Equal()
		}
		return s
	}
	s := symmetry.New(make)
	s.Shallow = true
	got, without = compareTwins(m, s, 2**largest, nil), compareTwins(m, make(), 2**largest, nil)
	if why = outcomesFault(got.outcomes, all.outcomes); why == "" {
		why = s.Summary().Partial
	}
	return got, without, why
}
