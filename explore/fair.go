package explore

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Fairness: M. Musuvathi, S. Qadeer, "Fair Stateless Model Checking", PLDI 2008.
//
// A process that polls (a select with default, TryLock, Gosched, an atomic load, or a section of a
// mutex in a loop that only looks) can do so for ever while others could move. No Go scheduler
// would let it. Such executions say nothing about the program, and there are infinitely many of
// them.
//
//	paper                          here
//	yield(t)                       a repeated poll: an idle step like one before, with idle steps between them only
//	t has lower priority than u    Fair.Waits: u is enabled and has not moved since t last did
//
// Deviations. The paper's programs say where they yield, and give way at the second one. Go's polls
// need not be in a loop, so a process gives way after more than Bound repetitions only. A step with
// a partner never waits: it is no poll. Neither is a step in a place where the process has not been
// since it began to poll, nor the step by which it learns that a channel is closed. The strategy
// knows which steps were held back, and must report that something was left out, if Loses says so.
//
// Not every loop that waits consists of idle steps: a loop that looks under a mutex may count its
// rounds, and two processes can exchange messages while a third one never moves. So a process that
// could have moved for Patience steps comes next, whatever the others do.
//
// A select whose cases are ready chooses at random. So a process that receives from one closed
// channel again and again takes another case in the end, if one is ready each time. Here it does
// after Bound repetitions.
//
// Of the enabled processes, the one that has waited longest never has to wait, so some alternative
// is always left.

// DefaultSpins is the bound of a Fair whose Bound is 0.
const DefaultSpins = 10

// DefaultPatience is the patience of a Fair whose Patience is 0.
const DefaultPatience = 1000

// Blink is the number of steps for which a process that is kept waiting may be blocked in between.
const Blink = 64

// Fair watches one execution and knows the processes that have to give way. The zero value is
// ready.
type Fair struct {
	Bound int // repetitions of a poll before a process gives way; 0: DefaultSpins
	// steps that a process which can move is kept waiting, or more if there are many others;
	// nothing is measured before so many; 0: DefaultPatience
	Patience int

	procs  []poller
	seen   int   // events
	over   int   // processes beyond the bound
	hungry int32 // a process that has been kept waiting; -1: none
	lost   bool  // see Loses
	alts   []trace.Alt
	ops    []*trace.Op // as alts, of the last state
	// the least of poller.moved of the enabled processes, if there are some beyond the bound
	oldest int32
}

// poller is what is known of one process.
type poller struct {
	moved   int32   // its last event
	able    int32   // the last state, of those measured, in which it could move
	since   int32   // it has been able to since then, but for short gaps
	idle    int32   // idle steps in a row
	repeats int32   // of the poll
	loose   int32   // idle steps that are not known to be in a loop that only looks
	still   bool    // the last one is
	holds   bool    // the last one has locked a mutex: the next one does not wait
	anchor  poll    // the step that counts as the poll
	closed  []int32 // the channels of which it has learned that they are closed
	from    int32   // the channel that its last select has found closed
	same    int32   // how many of its selects in a row have
}

// poll tells idle steps apart.
type poll struct {
	kind  trace.Kind
	obj   int32
	cases int
}

// Reset begins a new execution.
func (f *Fair) Reset() { f.procs, f.seen, f.over, f.hungry = f.procs[:0], 0, 0, -1 }

// See must be called with each state of the execution. Waits is about the last one.
func (f *Fair) See(s *trace.State) {
	f.alts, f.ops = s.Alts, s.Procs
	for len(f.procs) < len(s.Procs) {
		f.procs = append(f.procs, poller{moved: -1, able: -Blink - 1})
	}
	for ; f.seen < s.Depth; f.seen++ {
		e := &s.Events[f.seen]
		f.step(e.Proc, e)
		if e.Partner >= 0 {
			f.step(e.Partner, e)
		}
	}
	if f.over > 0 {
		f.findOldest(s.Alts)
	}
	f.hungry = -1
	if s.Depth >= f.patience() || s.Forced > 0 {
		f.findHungry(s)
	}
}

// fairShare is the number of steps that each of the other processes may take before a process has
// waited for long. If each of a thousand goroutines does something, the last one waits for all of
// them.
const fairShare = 16

func (f *Fair) patience() int {
	return max(cmp.Or(f.Patience, DefaultPatience), fairShare*len(f.procs))
}

// spinning is the patience if the others are known to spin.
const spinning = 64

// findHungry finds the process that has been kept waiting longest.
func (f *Fair) findHungry(s *trace.State) {
	patience := f.patience()
	if s.Forced > 0 {
		patience = min(patience, spinning)
	}
	first := int32(s.Depth - patience)
	for i := range s.Alts {
		a := &s.Alts[i]
		for _, q := range [...]int32{a.Proc, a.Partner} {
			if q < 0 {
				continue
			}
			p := &f.procs[q]
			if int32(s.Depth)-p.able > Blink {
				p.since = int32(s.Depth)
			}
			p.able = int32(s.Depth)
			if waited := max(p.since, p.moved); waited < first {
				f.hungry, first = q, waited
			}
		}
	}
}

func (f *Fair) findOldest(alts []trace.Alt) {
	f.oldest = int32(f.seen)
	for _, a := range alts {
		f.oldest = min(f.oldest, f.procs[a.Proc].moved)
		if a.Partner >= 0 {
			f.oldest = min(f.oldest, f.procs[a.Partner].moved)
		}
	}
}

// Waits reports whether alternative a of the state seen last is held back. This is so if its
// process has polled in vain, and others that can move have not moved since, or if it is another
// process's turn.
func (f *Fair) Waits(a *trace.Alt) bool {
	if f.hungry >= 0 {
		waits := !a.Involves(f.hungry)
		f.lost = f.lost || waits
		return waits
	}
	p := &f.procs[a.Proc]
	waits := f.over > 0 && a.Partner < 0 && !p.holds && f.beyond(p) && p.moved > f.oldest ||
		int(p.same) > f.Limit() && f.again(a) && slices.ContainsFunc(f.alts, f.other(a))
	f.lost = f.lost || waits && !(p.still && int(p.loose) < f.Limit())
	return waits
}

// again reports whether a is the receive from a closed channel that the last select of its process
// was, too.
func (f *Fair) again(a *trace.Alt) bool {
	op := f.ops[a.Proc]
	if a.Partner >= 0 || op == nil || op.Kind != trace.Select || a.Case < 0 {
		return false
	}
	c := op.Cases[a.Case]
	return c.Kind == trace.Recv && c.Obj == f.procs[a.Proc].from
}

// other returns a function that reports whether the process of a can do another case instead.
func (f *Fair) other(a *trace.Alt) func(b trace.Alt) bool {
	return func(b trace.Alt) bool { return b.Involves(a.Proc) && !f.again(&b) }
}

// Loses reports whether orders are left out because something was held back, in any execution. A
// process that only looks, in a loop whose rounds change nothing, has looked often enough: without
// some of the looks in vain the same happens, and nobody waits.
func (f *Fair) Loses() bool { return f.lost }

func (f *Fair) beyond(p *poller) bool { return int(p.repeats) > f.Limit() }

// Limit is the bound in force.
func (f *Fair) Limit() int {
	if f.Bound == 0 {
		return DefaultSpins
	}
	return f.Bound
}

// step takes down that process q took part in e.
func (f *Fair) step(q int32, e *trace.Event) {
	p := &f.procs[q]
	was := f.beyond(p)
	p.moved = int32(f.seen)
	p.choose(e)
	p.next(e)
	switch is := f.beyond(p); {
	case is && !was:
		f.over++
	case was && !is:
		f.over--
	}
}

// choose counts selects that find the same channel closed.
func (p *poller) choose(e *trace.Event) {
	switch selects := e.Op.Kind == trace.Select; {
	case !selects && e.Kind != trace.Recv:
	case !selects || e.Kind != trace.Recv || !e.Closed:
		p.same = 0
	case p.same > 0 && e.Obj == p.from:
		p.same++
	default:
		p.from, p.same = e.Obj, 1
	}
}

// next counts repetitions. Neither the first step of a polling loop nor the number of its steps is
// known. So the step to compare with is exchanged at growing distances until it recurs.
func (p *poller) next(e *trace.Event) {
	news := !e.Idle() && e.Round != trace.SeenRound
	if e.Kind == trace.Recv && e.Closed && !slices.Contains(p.closed, e.Obj) {
		p.closed, news = append(p.closed, e.Obj), true
	}
	p.holds = false
	if news {
		p.idle, p.repeats, p.loose = 0, 0, 0
		return
	}
	p.idle++
	p.still = e.Round == trace.StillRound
	p.holds = e.Kind == trace.Lock || e.Kind == trace.WLock || e.Kind == trace.RLock
	if !p.still && e.Round != trace.FirstRound {
		p.loose++
	}
	switch now := pollOf(e); {
	case now == p.anchor && p.idle > 1 && e.Round != trace.FirstRound:
		p.repeats++
	case p.repeats == 0 && p.idle&(p.idle-1) == 0:
		p.anchor = now
	}
}

func pollOf(e *trace.Event) poll {
	p := poll{kind: e.Kind, obj: e.Obj, cases: len(e.Op.Cases)}
	if e.Kind == trace.Default && len(e.Op.Cases) > 0 {
		p.obj = e.Op.Cases[0].Obj
	}
	return p
}

// IsFair reports whether x, which the bound on steps ended, let every process move that could: each
// one of x.Enabled moved in the second half.
func IsFair(x *trace.Execution) bool {
	recent := make([]bool, len(x.Procs))
	for i := len(x.Events) / 2; i < len(x.Events); i++ {
		e := &x.Events[i]
		recent[e.Proc] = true
		if e.Partner >= 0 {
			recent[e.Partner] = true
		}
	}
	for _, p := range x.Enabled {
		if !recent[p] {
			return false
		}
	}
	return true
}
