package audit

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// commuting are programs with neighbours that commute, of each kind: processes that wait for each
// other's end, or look at what has come out.
var commuting = []string{
	"group w\nT: add w 2; wait w\nA: add w 1; add w -1\nB: add w 1; add w -1; add w -1\nC: add w -1",
	"atomic n\ngroup w\nT: add w 2; wait w; load n\nA: sum n 1; add w -1\nB: sum n 2; add w -1",
	"atomic n\ngroup w\nT: add w 2; wait w; load n\nA: load n; add w -1\nB: load n; add w -1",
	"flag f\nT: store f 1; load f\nA: store f 1\nB: store f 1",
	"map m\nT: get m 3\nA: put m 1 7; get m 1\nB: put m 2 8; get m 2",
	"rw r\nT: rlock r; runlock r\nA: rlock r; runlock r\nB: wlock r; wunlock r",
	"once o\nT: once o; once o\nA: once o",
	"chan c 3\nT: c<-1; c<-2; close c\nA: <-c\nB: <-c",
	"chan c\nT: c<-1\nA: <-c\nB: c<-2\nC: <-c",
}

// TestNeighbours: pairs that commute are met, and nothing differs when they change places.
func TestNeighbours(t *testing.T) {
	met := 0
	for _, text := range commuting {
		m := micro.New(micro.Parse(text))
		s := sampling(m, 1, 1)
		if r := explore.Run(s, dpor.New(false), explore.Limits{MaxExecutions: 2000},
			nil); !r.Complete {
			t.Errorf("%q: not complete: %s", text, r.Reason)
		}
		for _, p := range s.Pairs() {
			v := p.Run(m)
			if v.Unknown != "" || v.Difference != "" {
				t.Errorf("%q: steps %d and %d: %s%s", text, p.First, p.Second, v.Unknown,
					v.Difference)
			}
		}
		met += len(s.Pairs())
	}
	if met < 40 {
		t.Errorf("only %d pairs", met)
	}
}

// TestWholeNeighbours: of executions with whole steps nothing is kept, as it could not be done in
// another order.
func TestWholeNeighbours(t *testing.T) {
	const text = "tcp c\nA: write c 0 1; ~write c 0 1\n~B: read c 1 9; read c 1 9; past c 1 0"
	s := sampling(micro.New(micro.Parse(text)), 1, 1)
	explore.Run(s, exhaustive.New(), explore.Limits{MaxExecutions: 2000}, nil)
	plain := sampling(micro.New(micro.Parse(strings.ReplaceAll(text, "~", ""))), 1, 1)
	explore.Run(plain, exhaustive.New(), explore.Limits{MaxExecutions: 2000}, nil)
	if len(s.Pairs()) > 0 || len(plain.Pairs()) == 0 {
		t.Errorf("%d pairs, and %d without whole steps", len(s.Pairs()), len(plain.Pairs()))
	}
}

// TestWrongNeighbours: if steps were taken to commute that do not, that shows in each of these
// programs.
func TestWrongNeighbours(t *testing.T) {
	before := commute
	defer func() { commute = before }()
	commute = func(a, b *trace.Event) bool { return a.Proc != b.Proc }
	for _, text := range []string{
		// the last store stays
		"flag f\nT: store f 1\nA: store f 2\nB: yield; load f; if 1 1; log one",
		"map m\nT: put m 1 7; yield; get m 1; if 7 1; log seven\nA: put m 1 8",
		"chan c 2\nT: c<-1; yield; <-c; if 1 1; log one\nA: c<-2",
		"mutex m\nT: lock m; unlock m\nA: lock m; unlock m",
		"group w\nT: add w 1; wait w; yield\nA: add w -1",
	} {
		m := micro.New(micro.Parse(text))
		s := sampling(m, 1, 1)
		explore.Run(s, dpor.New(false), explore.Limits{MaxExecutions: 2000}, nil)
		differ := 0
		for _, p := range s.Pairs() {
			if p.Run(m).Difference != "" {
				differ++
			}
		}
		if differ == 0 {
			t.Errorf("%q: none of %d pairs differs", text, len(s.Pairs()))
		}
	}
}
