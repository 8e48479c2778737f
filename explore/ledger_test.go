package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// many is a strategy, and its own executor: all its executions have different traces and, if it
// logs, outcomes.
type many struct {
	n, most   int
	logs      bool
	panics    bool // each in a way of its own
	distinct  bool
	doubtFrom int // the execution from which on it is not sure that traces are distinct; 0: never
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
		x.Log = []string{fmt.Sprint(m.n)}
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

func TestManyOutcomes(t *testing.T) {
	m := &many{most: 20_000, logs: true}
	r := explore.Run(m, m, explore.Limits{}, nil)
	if len(r.Outcomes)+r.Unlisted != m.most || r.Unlisted == 0 {
		t.Errorf("%d outcomes, %d executions unlisted", len(r.Outcomes), r.Unlisted)
	}
	if r.Complete || len(r.Cut) != 1 || !strings.Contains(r.Reason, "outcomes beyond 16384") {
		t.Errorf("complete: %v, %q, cut: %v", r.Complete, r.Reason, r.Cut)
	}
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
