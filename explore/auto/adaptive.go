package auto

import (
	"cmp"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/pop"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Adaptive searches with optimal as long as that costs no more than it saves. It decides by counts,
// not by time: the same program gives the same executions. Optimal gives up when
//   - an execution has more than optimal.MostEvents events: every execution is searched as a whole,
//     which takes more than linear time;
//   - the search for the races of one execution takes more than optimal.WorkSlack +
//     optimal.WorkPerEvent steps for each of its events. A step takes about as long as an event
//     takes dpor, or less;
//   - it has to leave out orders that dpor would explore (see Search.Partial);
//   - its trees take more than optimal.MostHeld bytes.
//
// In the last case pop goes on: it also runs one execution for each trace, and its memory does not
// grow. In the other cases dpor goes on. Dpor also goes on when executions have more than
// mostStudied events, for which pop would take too long, and when pop refuses the program or has to
// leave orders out.
//
// Nearly always the first execution decides, so dpor is shown that one, too, and goes on from
// there. Later, the next strategy has to begin again: then some traces are run twice, and
// Last.Distinct says so.
//
// Dpor cuts executions off at states where all that is possible sleeps. Of executions that end with
// many processes in races with others, one in a hundred may come to its end. So if many are cut
// off, and only its work had ended optimal, optimal begins once more. An execution of optimal then
// saves several of dpor, and may cost as much more.
//
// If exact is set, as for -strategy optimal, only the size of trees ends optimal, and pop goes on
// however long executions are.
//
// LIMITS: optimal with observers (observed.go) is never replaced, and its trees are not bounded.
type Adaptive struct {
	explore.Strategy // the one at work
	makers           Makers
	exact            bool
	// makes the execution under way, too, which is the first one; else nil
	shadow *dpor.Search
	hash   uint64 // of the trace of the last execution
	// the names of the strategies after which it has begun again: then some executions may have
	// been run twice
	past  string
	notes []string
	ran   int // complete executions
	lost  int // those of them that the one at work has not seen
	trial trial
}

// trial is a run of dpor in the place of optimal, which took too much work. Dpor is judged after
// Tried executions, then after twice as many more, and so on: redundant ones may come late.
type trial struct {
	on       bool
	ran, cut int // since it was judged
	due      int // it is judged after so many
}

// Tried is after how many executions dpor is judged.
var Tried = 100

// ample is how much more work optimal may do than dpor's redundant executions are worth. Its first
// executions take the most work: later ones share their races.
const ample = 8

// times says how much higher the bounds of optimal are to be, if dpor is judged after x, and if
// many of its executions are cut off.
func (t *trial) times(x *trace.Execution) (n int, many bool) {
	if !t.on {
		return 0, false
	}
	if t.ran++; x.End == trace.Cut {
		t.cut++
	}
	if t.ran < max(t.due, Tried) {
		return 0, false
	}
	n, many = ample*t.ran/max(t.ran-t.cut, 1), 3*t.cut > t.ran
	*t = trial{on: !many, due: 2 * t.ran}
	return n, many
}

// mostStudied is the number of events beyond which pop would take too long.
var mostStudied = 100

// Makers make the searches among which Adaptive chooses.
type Makers struct {
	Optimal func() *optimal.Search
	DPOR    func() *dpor.Search // with sleep sets
	POP     func() *pop.Search  // nil: it knows nothing of what is wanted
}

// NewAdaptive returns the strategy before its first execution.
func NewAdaptive(m Makers) *Adaptive {
	s := m.Optimal()
	s.Bounded, s.Hasty = true, true
	a := &Adaptive{Strategy: s, makers: m, shadow: m.DPOR()}
	a.shadow.Begin()
	return a
}

// NewExact returns an Adaptive that is exact.
func NewExact(m Makers) *Adaptive {
	s := m.Optimal()
	s.Bounded = true
	return &Adaptive{Strategy: s, makers: m, exact: true}
}

// Choose implements explore.Strategy.
func (a *Adaptive) Choose(s *trace.State) int {
	i := a.Strategy.Choose(s)
	if a.shadow != nil && a.shadow.Choose(s) != i {
		a.shadow = nil
	}
	return i
}

// End implements explore.Strategy.
func (a *Adaptive) End(x *trace.Execution) {
	a.Strategy.End(x)
	a.hash = a.Strategy.Last().Hash
	if x.End != trace.Cut {
		a.ran++
	}
	switch at := a.Strategy.(type) {
	case *optimal.Search:
		a.replaceOptimal(at, x)
	case *sequel:
		if at.LeavesOut() || !a.exact && len(x.Events) > mostStudied {
			a.restart(cmp.Or(at.Summary().Partial, "executions are too long"), a.makers.DPOR())
		}
	default:
		if n, many := a.trial.times(x); many {
			s := a.makers.Optimal()
			s.Bounded, s.Hasty, s.Times = true, true, n
			a.restart("many executions are redundant", s)
		}
	}
	a.shadow = nil
}

// replaceOptimal gives optimal up if x was too much for it.
func (a *Adaptive) replaceOptimal(at *optimal.Search, x *trace.Execution) {
	slow := !a.exact && (at.Over || at.LeavesOut())
	a.trial.on = slow && !at.LeavesOut() && !at.Full && at.Times == 0
	switch {
	case !slow && !at.Full:
	case a.shadow != nil:
		a.shadow.End(x)
		a.Strategy = a.shadow
	case slow:
		a.restart(cmp.Or(at.Summary().Partial, "it takes too much work"), a.makers.DPOR())
	case a.makers.POP == nil, x.Arrives: // pop does not know who rests
		a.restart(tooLarge(), a.makers.DPOR())
	case a.exact || len(x.Events) <= mostStudied:
		a.restart(tooLarge(), newSequel(at, a.makers.POP()))
	default:
		a.restart(tooLarge(), a.makers.DPOR())
	}
}

func tooLarge() string {
	return fmt.Sprintf("its trees take more than %d kB", optimal.MostHeld>>10)
}

// restart begins again with s.
func (a *Adaptive) restart(why string, s explore.Strategy) {
	before, ran := a.working(), a.ran-a.lost
	a.past += before + ", then "
	a.Strategy, a.lost = s, a.ran
	a.notes = append(a.notes,
		fmt.Sprintf("strategy %s has begun again after %d executions of %s: %s",
			a.working(), ran, before, why))
}

// working is the name of the search at work.
func (a *Adaptive) working() string {
	switch a.Strategy.(type) {
	case *optimal.Search:
		return "optimal"
	case *sequel:
		return "pop"
	}
	return "dpor"
}

// Last implements explore.Strategy. Crashes that pop runs again count, as those of optimal do.
func (a *Adaptive) Last() explore.Last {
	l := a.Strategy.Last()
	l.Hash, l.Distinct, l.Repeats = a.hash, a.past == "" && l.Distinct, false
	return l
}

// Summary implements explore.Strategy.
func (a *Adaptive) Summary() explore.Summary {
	s := a.Strategy.Summary()
	s.Name, s.Notes = a.past+a.working(), a.notes
	if s.Total > 0 {
		s.Total += float64(a.lost)
	}
	return s
}

// sequel is pop in optimal's place: it runs as many executions as optimal would have.
type sequel struct {
	*pop.Search
	total, spread float64 // as optimal has estimated it; 0: it has not
	ran           int     // complete executions
}

// newSequel returns p as the sequel of s, before its first execution.
func newSequel(s *optimal.Search, p *pop.Search) *sequel {
	n := &sequel{Search: p}
	before := s.Summary()
	n.total, n.spread = before.Total, before.Spread
	return n
}

// End implements explore.Strategy.
func (s *sequel) End(x *trace.Execution) {
	s.Search.End(x)
	if x.End != trace.Cut {
		s.ran++
	}
}

// Summary implements explore.Strategy.
func (s *sequel) Summary() explore.Summary {
	sum := s.Search.Summary()
	if s.total > 0 {
		sum.Total, sum.Spread = max(s.total, float64(s.ran)), s.spread
	}
	return sum
}

// Ran returns the complete executions of the search at work.
func (a *Adaptive) Ran() int { return a.ran - a.lost }

// Held returns the size of the trees, in bytes; there are none when optimal has been given up.
func (a *Adaptive) Held() int {
	if d, ok := a.Strategy.(*optimal.Search); ok {
		return d.Held()
	}
	return 0
}
