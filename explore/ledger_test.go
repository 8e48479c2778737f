package explore_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// many is a strategy, and its own executor: all its executions have different traces and, if it
// logs, outcomes.
type many struct {
	n, most int
	logs    bool
	// of these, so many; the next one is step away from the one before
	distinctLogs, step int
	panics             bool // each in a way of its own
	distinct           bool
	// the execution from which on it is not sure that traces are distinct; 0: never
	doubtFrom int
}

func (m *many) Begin() bool              { m.n++; return m.n <= m.most }
func (m *many) Choose(*trace.State) int  { return 0 }
func (m *many) End(*trace.Execution)     {}
func (m *many) Summary() explore.Summary { return explore.Summary{Planned: -1} }

func (m *many) Last() explore.Last {
	distinct := m.distinct && (m.doubtFrom == 0 || m.n < m.doubtFrom)
	return explore.Last{Hash: uint64(m.n) * 0x9e3779b97f4a7c15, Hashed: true, Distinct: distinct}
}

func (m *many) Execute(trace.Chooser, bool) *trace.Execution {
	x := &trace.Execution{MainDone: true}
	if m.panics {
		x.End, x.Crash = trace.Crashed, &trace.Crash{Text: strings.Repeat("x", m.n)}
	}
	if m.logs {
		n := m.n * m.step % m.distinctLogs
		x.Log, x.Failed = []string{fmt.Sprint(n)}, n%10 == 0
	}
	return x
}

// TestManyTraces: what is counted is right, or said to be a lower bound.
func TestManyTraces(t *testing.T) {
	const kept, most, doubt = 3 << 16, 200_000, 198_000
	for _, c := range []struct {
		name string
		m    many
		want int
		more bool
	}{
		{"few", many{most: kept}, kept, false},
		{"repeating", many{most: most}, kept, true},
		{"distinct", many{most: most, distinct: true}, most, false},
		{"in doubt at last", many{most: most, distinct: true, doubtFrom: doubt}, doubt - 1, true},
	} {
		r := explore.Run(&c.m, &c.m, explore.Limits{}, nil)
		if r.Executions != c.m.most || r.Traces != c.want || r.MoreTraces != c.more {
			t.Errorf("%s: %d executions, %d traces, more %v; want %d, %v", c.name, r.Executions,
				r.Traces,
				r.MoreTraces, c.want, c.more)
		}
	}
}

// TestManyOutcomes: which outcomes are listed, with all their executions, is one question, and
// whether the search is complete another. Neither depends on the order, or on parts.
func TestManyOutcomes(t *testing.T) {
	const distinct, kept, times = 17_000, 16384, 2
	search := func(step int) *many {
		return &many{most: times * distinct, logs: true, step: step, distinctLogs: distinct}
	}
	var want []explore.Outcome
	for _, step := range []int{1, 7919} {
		whole, part := search(step), search(step)
		p := explore.PreparePart(part, part, explore.Limits{})
		p.Run()
		for name, r := range map[string]explore.Result{
			"one":   explore.Run(whole, whole, explore.Limits{}, nil),
			"parts": gathered(search(step), p.Part()),
		} {
			r.Sort()
			for i := range r.Outcomes {
				r.Outcomes[i].Choices = nil // the first ones have some
			}
			if want == nil {
				want = r.Outcomes
			}
			if !reflect.DeepEqual(r.Outcomes, want) || len(want) != kept || !r.Complete ||
				r.Unlisted != times*(distinct-kept) {
				t.Errorf("%s, step %d: %d outcomes, %d executions unlisted, %q", name, step,
					len(r.Outcomes), r.Unlisted, r.Reason)
			}
		}
	}
	fails := 0
	for _, o := range want {
		if o.Count != times {
			t.Fatalf("%q counts %d times", o.Log, o.Count)
		}
		if o.Kind != "" {
			fails++
		}
	}
	if fails != distinct/10 {
		t.Errorf("%d failing outcomes are listed", fails)
	}
}

// gathered is the result of a search that has one part.
func gathered(m *many, part explore.Part) explore.Result {
	x, parts := explore.PrepareWhole(m, m, explore.Limits{}, 0, nil), []explore.Part{part}
	return x.Gather(func() (p explore.Part, ok bool) {
		if len(parts) == 0 {
			return p, false
		}
		p, parts = parts[0], nil
		return p, true
	})
}

// TestManyFindings: those that are not listed are not silent.
func TestManyFindings(t *testing.T) {
	for most, complete := range map[int]bool{200: true, 201: false} {
		m := &many{most: most, panics: true}
		r := explore.Run(m, m, explore.Limits{}, nil)
		if len(r.Findings) != 200 || r.Complete != complete || len(r.Cut) == 0 != complete {
			t.Errorf("of %d, %d findings, complete: %v, cut: %v", most, len(r.Findings), r.Complete,
				r.Cut)
		}
	}
}

// TestHashOf: short texts, of which most outcomes are made, have hashes of their own, also where
// one ends and the next begins elsewhere.
func TestHashOf(t *testing.T) {
	seen := map[uint64][]string{}
	add := func(texts ...string) {
		h := explore.HashOf(texts)
		if other, ok := seen[h]; ok {
			t.Fatalf("%q and %q have one hash", texts, other)
		}
		seen[h] = texts
	}
	add()
	for a := 1; a < 256; a++ {
		add(string([]byte{byte(a)}))
		for b := 1; b < 256; b++ {
			add(string([]byte{byte(a), byte(b)}))
			add(string([]byte{byte(a)}), string([]byte{byte(b)}))
		}
	}
	add("", "ab")
	add("a", "", "b")
}
