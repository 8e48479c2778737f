package pace

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// loop is an executor of a program in which process 0 loads a variable again and again, until a
// timer, process 1, has fired, or until it has done so often enough. It offers a forced move from
// step 10 on.
type loop struct {
	rounds int // loads after which the program ends by itself; 0: none
	max    int // the bound on steps
	runs   int
}

func (l *loop) Execute(c trace.Chooser, _ bool) *trace.Execution {
	l.runs++
	load, fire := trace.Op{Kind: trace.AtomicLoad}, trace.Op{Kind: trace.Fire, Obj: 1}
	x := &trace.Execution{Procs: []trace.Proc{{}, {}}, MainDone: true}
	for {
		n := len(x.Events)
		s := &trace.State{Depth: n, Last: 0, Events: x.Events, Procs: []*trace.Op{&load, &fire},
			Alts: []trace.Alt{{Partner: -1}}}
		if n >= 10 {
			s.Alts, s.Forced = append(s.Alts, trace.Alt{Proc: 1, Partner: -1}), 1
		}
		switch {
		case n == l.rounds && l.rounds > 0:
			return x
		case n == l.max:
			x.End, x.Enabled = trace.Steps, []int32{0}
			return x
		}
		i := c.Choose(s)
		if i < 0 {
			x.End = trace.Cut
			return x
		}
		e := trace.Event{Alt: s.Alts[i], Op: load, Kind: trace.AtomicLoad}
		if x.Events = append(x.Events, e); i == 1 {
			x.Events[n].Op, x.Events[n].Kind = fire, trace.Fire
			x.Forced, x.Failed, x.Log = []int32{int32(n)}, true, []string{"late"}
			return x
		}
	}
}

func TestPace(t *testing.T) {
	tests := map[string]struct {
		loop   loop
		forced bool
	}{
		"no end":       {loop{max: 1000}, true},
		"an early end": {loop{rounds: 300, max: 1000}, false},
		"a late end":   {loop{rounds: 999, max: 1000}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(&test.loop, nil)
			x := p.Execute(&explore.Script{}, false)
			if forced := len(x.Forced) > 0; forced != test.forced {
				t.Fatalf("forced: %v, after %d steps", forced, len(x.Events))
			}
			if kind, _, _ := explore.Judge(x); test.forced != (kind == explore.Fail) {
				t.Error("judged as", kind)
			}
			steps, runs := len(x.Events), test.loop.runs
			x = p.Execute(&explore.Script{}, false)
			if len(x.Events) != steps || test.loop.runs > runs+2 {
				t.Errorf(
					"the next execution has %d steps and takes %d runs, the first had %d steps",
					len(x.Events), test.loop.runs-runs, steps)
			}
		})
	}
}

// TestPaceAsksOnce: the execution that answers the question proves the forced move, too, which
// comes on its way.
func TestPaceAsksOnce(t *testing.T) {
	l := loop{max: 1000}
	x := New(&l, nil).Execute(&explore.Script{}, false)
	// up to the question, its answer, with the forced move, and once more with what that proves
	if !x.Proven || l.runs != 4 {
		t.Errorf("proven: %v, after %d executions", x.Proven, l.runs)
	}
}

// TestPaceSuspect follows a schedule with a forced move that was not due.
func TestPaceSuspect(t *testing.T) {
	for rounds, want := range map[int]explore.FindingKind{0: explore.Fail, 500: explore.Suspect} {
		alts := make([]trace.Alt, 100)
		for i := range alts {
			alts[i].Partner = -1
		}
		alts[99].Proc = 1
		p := New(&loop{rounds: rounds, max: 1000}, nil)
		p.Follow = true
		x := p.Execute(&explore.Script{Alts: alts}, false)
		if kind, message, _ := explore.Judge(x); kind != want {
			t.Errorf("%d rounds: %s %s, want %s", rounds, kind, message, want)
		}
	}
}

// TestPaceHeld follows schedules whose forced move comes at a step at which Paced makes none.
func TestPaceHeld(t *testing.T) {
	for at := 10; at < 60; at++ {
		alts := make([]trace.Alt, at+1)
		for i := range alts {
			alts[i].Partner = -1
		}
		alts[at].Proc = 1
		s := &explore.Script{Alts: alts}
		x := New(&loop{max: 1000}, nil).Execute(s, false)
		kind, _, _ := explore.Judge(x)
		if s.Missed > 0 || len(x.Events) != at+1 || kind != explore.Fail {
			t.Errorf("forced move at %d: %s after %d steps, missed: %s", at, kind, len(x.Events),
				s.Got)
		}
	}
}

// TestPaceEnough must come to its end though no question is answered.
func TestPaceEnough(t *testing.T) {
	x := New(&loop{max: 1000}, func() bool { return true }).Execute(&explore.Script{}, false)
	if len(x.Forced) > 0 || len(x.Events) != 1000 {
		t.Error(x.Forced, len(x.Events))
	}
}
