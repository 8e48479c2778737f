package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// observing is what a strategy saw of a program in which what nobody sees commutes.
type observing struct {
	executions, blocked, crashes int
	outcomes                     map[string]bool
	// of executions that do not end in a crash or an exit
	classes  map[uint64]bool
	fine     map[uint64]bool // all classes of the relation without observers
	complete bool
}

// watch explores m to its end, or up to limit executions. least is asked at the end of each
// execution: where it changes, the search begins again.
func watch(m *micro.Machine, s explore.Strategy, limit int, least func() int32,
	equal bool) *observing {
	r := &observing{outcomes: map[string]bool{}, classes: map[uint64]bool{},
		fine: map[uint64]bool{}}
	bound := least()
	var coarse, fine depend.Order
	for s.Begin() {
		if r.executions+r.blocked >= limit {
			return r
		}
		x := m.Execute(s, false)
		s.End(x)
		l := least()
		begun := r.executions+r.blocked > 0
		if bound, l = l, bound; begun && l != bound {
			*r = observing{outcomes: r.outcomes, classes: map[uint64]bool{},
				fine: map[uint64]bool{}}
			continue
		}
		if x.End == trace.Cut {
			r.blocked++
			continue
		}
		r.executions++
		if x.End == trace.Crashed || x.End == trace.Exited {
			r.crashes++
			r.outcomes[ending(x)] = true
			continue
		}
		r.outcomes[m.Observed()] = true
		coarse.Observe(x, bound, joining(equal))
		r.classes[coarse.Hash()] = true
		fine.Rewind(0)
		for range x.Events {
			fine.Add(x)
		}
		r.fine[fine.Hash()] = true
	}
	r.complete = true
	return r
}

// observed explores m with optimal and observers.
func observed(m *micro.Machine, limit int) (*optimal.Search, *observing) {
	s := optimal.New()
	s.Observers()
	return s, watch(m, s, limit, s.Least, false)
}

// TestObserversRandom compares with exhaustive search: the same outcomes, and one execution of each
// class, none of them cut off. Of a program that can crash only outcomes and classes are compared.
func TestObserversRandom(t *testing.T) {
	var compared, executions, fine, failed int
	for n := *firstOne; n < *firstOne+uint64(*programs) && failed < *keepGoing; n++ {
		text := micro.RandomRoomy(rand.New(rand.NewPCG(n, 21)))
		m := micro.New(micro.Parse(text))
		s, got := observed(m, 2**largest)
		want := watch(m, exhaustive.New(), *largest, s.Least, false)
		if !want.complete {
			continue
		}
		compared++
		if why := observersFault(s, got, want); why != "" {
			failed++
			t.Errorf("program %d: %s\n%s", n, why, text)
		}
		if want.crashes == 0 {
			executions, fine = executions+got.executions, fine+len(want.fine)
		}
	}
	t.Logf(
		"%d programs; those that cannot crash have %d executions, and would have %d without observers",
		compared, executions, fine)
}

// TestObserversLazy is TestObserversRandom with programs in which most operations need an observer.
// The outcomes are compared with those of optimal without observers.
func TestObserversLazy(t *testing.T) {
	var compared, executions, fine, failed int
	for n := *firstOne; n < *firstOne+uint64(*programs) && failed < *keepGoing; n++ {
		text := micro.RandomLazy(rand.New(rand.NewPCG(n, 26)))
		m := micro.New(micro.Parse(text))
		first := int(n % 3)
		s, got := observedFrom(m, first, *largest/10)
		want := watch(m, optimal.New(), *largest/10, s.Least, false)
		if !want.complete {
			continue
		}
		compared, executions, fine = compared+1, executions+got.executions, fine+len(want.fine)
		if why := observersFault(s, got, want); why != "" {
			failed++
			t.Errorf("program %d, from alternative %d on: %s\n%s", n, first, why, text)
		}
	}
	t.Logf("%d programs have %d executions, and would have %d without observers", compared,
		executions,
		fine)
}

// observedFrom is observed where the processes go on in another order: see rotated.
func observedFrom(m *micro.Machine, first, limit int) (*optimal.Search, *observing) {
	s := optimal.New()
	s.Observers()
	s.Prefer(rotated{first, first})
	return s, watch(m, s, limit, s.Least, false)
}

// TestObserversOrders: the number of executions does not depend on which process goes on first.
func TestObserversOrders(t *testing.T) {
	for n := *firstOne; n < *firstOne+uint64(*programs)/2; n++ {
		text := micro.RandomRoomy(rand.New(rand.NewPCG(n, 22)))
		m := micro.New(micro.Parse(text))
		for shift := range 3 {
			s, got := observedFrom(m, shift, *largest)
			want := watch(m, exhaustive.New(), *largest/4, s.Least, false)
			if why := observersFault(s, got, want); want.complete && why != "" {
				t.Fatalf("program %d, from alternative %d on: %s\n%s", n, shift, why, text)
			}
		}
	}
}

func observersFault(s *optimal.Search, got, want *observing) string {
	switch why := outcomesFault(got.outcomes, want.outcomes); {
	case !got.complete:
		return "the search does not end"
	case why != "":
		return why
	case len(missing(want.classes, got.classes)) > 0:
		return fmt.Sprintf("%d of %d classes lost", len(missing(want.classes, got.classes)),
			len(want.classes))
	case s.Summary().Partial != "":
		return s.Summary().Partial
	case want.crashes == 0 && got.executions+got.blocked != len(want.classes):
		return fmt.Sprintf("%d executions and %d blocked of %d classes, %d without observers",
			got.executions, got.blocked, len(want.classes), len(want.fine))
	}
	return ""
}

// TestObservers has the programs whose numbers follow from their definitions.
func TestObservers(t *testing.T) {
	senders := func(n, received int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "chan c %d\nmain: %s\n", n, strings.Repeat("<-c; ", received))
		for i := range n {
			fmt.Fprintf(&b, "S%d: c<-%d\n", i, i)
		}
		return b.String()
	}
	writers := func(n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "atomic v\nwg w\nmain: add w %d; go R; %s\n*R: wait w; load v\n", n,
			strings.Repeat("go W; ", n))
		fmt.Fprintf(&b, "*W: store v 1; add w -1\n")
		return b.String()
	}
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nsenders(4)", senders(4, 4), 24},
		{"firstof(5)", senders(5, 1), 5},
		{"firstof(8)", senders(8, 1), 8},
		{"two of 5", senders(5, 2), 20},
		{"nobody receives", senders(6, 0), 1},
		{"lastwrite(5)", writers(5), 5},
		{"lastwrite(8)", writers(8), 8},
	} {
		s, got := observed(micro.New(micro.Parse(c.text)), 100000)
		if got.executions != c.want || got.blocked > 0 || len(got.classes) != c.want ||
			s.Summary().Partial != "" {
			t.Errorf("%s: %d executions, %d blocked, %d classes, want %d; %s", c.name,
				got.executions,
				got.blocked, len(got.classes), c.want, s.Summary().Partial)
		}
	}
}

// TestObserversTraps has programs that lose a class, or run one twice, or cut off an execution,
// where one thing is forgotten.
func TestObserversTraps(t *testing.T) {
	for _, c := range []struct {
		name, text string
		classes    int
	}{
		{"either send may be the first one that a receive sees which overtakes another case", `
			chan a 3
			chan b 1
			T: <-a; a<-1
			R: b<-0; select <-b | <-a
			S: a<-2
			U: a<-3`, 8},
		{"likewise, and an outcome is lost", `
			chan a 5
			R: select a<-3 | <-a
			S: a<-2; <-a
			T: a<-1
			U: a<-2; a<-3`, 18},
		{"a send has another number in the execution that a branch comes from", `
			chan a 1
			chan b 3
			S: b<-2; <-a
			T: b<-0
			U: <-a; b<-1
			V: a<-2
			R: <-b; <-b`, 8},
		{"nobody reads a variable that the station does not know", `
			chan a 2
			chan b 2
			atomic u
			S: b<-3; store u 1
			T: b<-0; a<-1; store u 0
			R: <-b; a<-2; <-a`, 4},
		{"later it turns out that nobody reads it", `
			chan a 2
			atomic u
			atomic v
			S: select a<-1 | a<-3; store v 0
			T: a<-0
			R: <-a; load u; store v 1`, 4},
	} {
		m := micro.New(micro.Parse(c.text))
		for first := range 3 {
			s, got := observedFrom(m, first, *largest)
			want := watch(m, exhaustive.New(), *largest, s.Least, false)
			if why := observersFault(s, got, want); why != "" || len(want.classes) != c.classes {
				t.Errorf("%s, from alternative %d on: %s; %d classes, want %d", c.name, first, why,
					len(want.classes), c.classes)
			}
		}
	}
}

// TestObserverOfTheOtherRace is a program in which the order of two sends is seen only where
// another race has gone the other way, too: it is lost if only the second send is put before the
// first one, and not what leads to their receiver.
func TestObserverOfTheOtherRace(t *testing.T) {
	m := micro.New(micro.Parse(`
		chan c 3
		atomic o
		chan d 1
		A: swap o 1
		F: c<-1
		Y: c<-2; swap o 2; if 0 1; d<-1
		R: <-d; <-c
	`))
	s, got := observed(m, 1000)
	want := watch(m, exhaustive.New(), *largest, s.Least, false)
	if why := observersFault(s, got, want); why != "" {
		t.Error(why)
	}
}

// TestObserversMail: observers make no difference to mailboxes, whose sends commute anyway, and do
// no harm.
func TestObserversMail(t *testing.T) {
	for i, model := range []string{"bag", "pairs"} {
		for n := range uint64(*programs) {
			text := micro.RandomMail(rand.New(rand.NewPCG(n, uint64(23+i))), model)
			m := micro.New(micro.Parse(text))
			s, got := observed(m, 2**largest)
			want := watch(m, exhaustive.New(), *largest, s.Least, false)
			if why := observersFault(s, got, want); want.complete && why != "" {
				t.Fatalf("%s, program %d: %s\n%s", model, n, why, text)
			}
		}
	}
}

// joining is what is taken to commute with equal values, or without.
func joining(equal bool) depend.Joining {
	if equal {
		return depend.Together
	}
	return depend.Apart
}
