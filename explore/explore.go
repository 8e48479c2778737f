// Package explore runs a program again and again, each time under another order of messages, until
// a strategy says that every order that matters has been seen.
//
// Vocabulary: an execution is one run of the program; an Executor makes one, choice by choice; a
// Strategy makes the choices. Mechanism (goroutines, coroutines, the models of Go's primitives) is
// the executor's business, policy the strategy's, and neither knows the other. A finding is
// something that is wrong with an execution; findings with one identity are one. A deviation is a
// step of an execution that is not the one Onward would have chosen.
//
// Guarantees: every execution is judged and counted; some are repeated, and differences reported as
// nondeterminism; memory does not grow with the number of executions beyond the bounds below.
//
// LIMITS: at most maxTraces traces, maxOutcomes outcomes and maxFindings findings are kept apart;
// the Result says when there were more. More traces are counted if the strategy runs none of them
// twice. With more outcomes a search may be complete all the same: each failing outcome is a
// finding, too.
package explore

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore/delay"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Executor runs the program under test once.
//
// Laws: the same choices give the same execution, event for event. c is asked at every state that
// has at least one enabled alternative, also when there is only one. The result is valid until the
// next call.
type Executor interface {
	// Execute runs one execution. With sites, it also records the source positions and names of
	// trace.Execution's last block of fields, which is slower.
	Execute(c trace.Chooser, sites bool) *trace.Execution
}

// Strategy decides which executions to run.
//
// Laws: Begin, Choose for each state of one execution, End, in this order, until Begin returns
// false. A Choose that returns a negative number cuts the execution off (it is known to be
// equivalent to one already seen); End is called all the same, with Execution.End == trace.Cut.
// Last and Summary may be called between executions, Last also during one, of the one before.
type Strategy interface {
	Begin() bool
	trace.Chooser
	End(x *trace.Execution)
	Last() Last
	Summary() Summary
}

// Mismatch is the panic of a strategy that replays a prefix and reaches another state than the
// first time.
type Mismatch struct {
	Depth int
	Want  string // what was done at this depth the first time
	Got   string // what is possible now
}

// Shape looks at where the executions of a search part.
type Shape interface {
	Counted(x *trace.Execution, redundant, fails bool)
	Reset() // the search begins again
}

// Study looks at findings while the search waits, and may run executions for that.
type Study interface {
	// Seen is told of a new finding by the execution that shows it, which is valid until it
	// returns.
	Seen(f *Finding, x *trace.Execution)
	Found(f *Finding) // it is in the result, and has been shown once
	// the executor has not returned from an execution of the study: the search goes on without it
	Lost()
}

// Refiner decides whether a search takes sends of equal values as one.
type Refiner interface {
	// Ahead is shown an execution that passes, before any has been counted. If it returns a
	// strategy, that one begins, and the execution is not counted: an equivalent one will be run
	// again.
	Ahead(x *trace.Execution) Strategy
	// Back is shown each execution that is counted. If it returns a strategy, that one begins, and
	// all executions until now are redundant.
	Back(x *trace.Execution) Strategy
}

// Sections is what an executor learns of sections of mutexes: see package runtime/model/sections.
type Sections interface {
	// whether x has shown something new: then what was explored until now counts for nothing
	Learn(x *trace.Execution) bool
	Again() Strategy // one that begins, with what was learned
}

// FindingKind classifies what is wrong with an execution; the values are those of the JSON output.
type FindingKind string

// The kinds of findings.
const (
	Deadlock       FindingKind = "deadlock"
	Leak           FindingKind = "leak"
	Panic          FindingKind = "panic"
	Fail           FindingKind = "fail"
	Livelock       FindingKind = "livelock"
	Nondeterminism FindingKind = "nondeterminism"
	Uncontrolled   FindingKind = "uncontrolled"
	Race           FindingKind = "race"

	// Suspect is a problem after a forced move of the clock, in an order that may end without that
	// move; or a leak that a finalizer of the program may end; or a failure that depends on
	// statistics, see package pace. It is listed, and does not make a test fail.
	Suspect FindingKind = "suspect"
)

// Finding is one distinct thing that is wrong, with a schedule that shows it: that of its witness.
type Finding struct {
	Problem             // as the witness shows it
	Choices []trace.Alt // the schedule, one per event
	Rank    Rank        // of the witness
	Count   int         // executions that showed it
	sampled int         // those of them that were samples
	Delay   delay.Delay // the least, of the executions that showed it, if that is measured
	Site    string      // Nondeterminism: where in the source the executions part, if known
	Stage   int         // how often the search had begun again because of Limits.Separate
	// the randomised strategy whose sample found it first, if a systematic search made samples
	Sampler string

	// Filled by Minimise.
	Deviations []int       // the steps of Choices, from 0, that are deviations
	Passing    []trace.Alt // a passing execution with one deviation less; nil if none was found
	Early      bool        // it was ended early, so fewer deviations, or events, may do
}

// Rank orders the executions that show one finding. Equivalent executions have one rank.
type Rank struct {
	// the execution is a sample, or the search has begun again after it: another division of the
	// search may lack it
	Apart  bool
	Events int    // of the trace; of a crash, those of its past
	Hash   uint64 // likewise
}

// highest is above the rank of every execution.
var highest = Rank{Apart: true, Events: math.MaxInt}

func (r Rank) compare(q Rank) int {
	if r.Apart != q.Apart {
		if r.Apart {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(r.Events, q.Events), cmp.Compare(r.Hash, q.Hash))
}

// Outcome is what one test observed: its verdict and its log. Outcomes are distinct.
type Outcome struct {
	Verdict string      // "pass" or "fail"
	Kind    FindingKind // of a failing one: what was wrong
	Log     string      // the texts of the log, joined by newlines
	Count   int
	sampled int         // as for a Finding
	Delay   delay.Delay // likewise
	// the schedule with that, if it is measured; of the first outcomes, one that shows it; else nil
	Choices []trace.Alt
}

// TimeIsUp is the Result.Reason of an exploration that came to its deadline.
const TimeIsUp = "the time is up"

// Result is what an exploration found.
type Result struct {
	// every inequivalent execution has been run, under what is Fixed; nothing is Cut
	Complete bool
	Reason   string // the first Cut in words, when not complete
	// packages of the library of whose orders only one was explored inside of each whole step;
	// "1 fault" if no execution had more, and some might have
	UpTo         []string
	trace.Limits      // what was fixed, and what was cut; places are sites
	Executions   int  // complete executions
	Sampled      int  // those of them that were samples beside an incomplete systematic search
	Blocked      int  // redundant executions: those cut off, and samples if Complete
	Transitions  int  // events over all executions
	Traces       int  // distinct inequivalent executions; at least that many if MoreTraces
	MoreTraces   bool // traces are no longer told apart
	Recounts     bool // some executions that are cut off may count more than once
	States       int  // distinct states, if the strategy counts them
	Messages     int  // received on the ways between them, likewise
	// of messages to actors, those that several executions begin with once, if the strategy
	// searches over deliveries
	Deliveries int
	MaxDepth   int  // events of the longest execution
	Skipped    int  // executions in which the test has skipped itself
	Held       bool // some timer could have fired early, and was not let
	Never      bool // some execution was left out because no process was late, see Impossible
	// two executions with the same steps had different logs: where these part; empty: none had
	LogDiffers string
	Elapsed    time.Duration
	Outcomes   []Outcome // in order of first appearance, as long as all are listed
	Findings   []Finding // likewise
	// executions whose outcome is none of the above, for there were too many
	Unlisted int
	// of an incomplete one, estimate of the executions of the systematic search in all, those that
	// are redundant left out; 0: none
	Total      float64
	Spread     float64 // the factor by which Total may well be wrong, in either direction
	Unfinished int     // steps of the first execution, if that did not come to its end
	// schedules of a few executions, spread over the search; nil: nobody has asked
	Specimens [][]trace.Alt
}

// Unlike returns how many of other executions, with those outcomes, have one that r does not have.
// It is 0 if r does not list all of its outcomes.
func (r *Result) Unlike(others []Outcome) (n int) {
	if r.Unlisted > 0 {
		return 0
	}
	for _, o := range others {
		if !slices.ContainsFunc(r.Outcomes, func(p Outcome) bool {
			return p.Kind == o.Kind && p.Log == o.Log
		}) {
			n += o.Count
		}
	}
	return n
}

// CutShort notes that something was cut, which makes the result incomplete. See trace.Limit.
func (r *Result) CutShort(what string, places ...string) {
	r.AddCut(what, places...)
	r.Complete = false
	r.Reason = cmp.Or(r.Reason, what)
}

// Progress is a snapshot of a running exploration.
type Progress struct {
	Result
	Planned int // alternatives known to be still unexplored, -1 if the strategy cannot say
	// of a search that other machines explore: those that are there, and pieces that are left
	Workers, Open int
}

// Rate is the number of executions per second so far, redundant ones included.
func (p *Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Executions+p.Blocked) / p.Elapsed.Seconds()
}

// Left estimates the time until the exploration is complete; ok is false if there is no saying.
func (p *Progress) Left() (left time.Duration, ok bool) {
	done := p.Executions - p.Sampled
	if p.Total <= 0 || done == 0 {
		return 0, false
	}
	const most = 100 * 365 * 24 * time.Hour
	left = most
	if l := p.Elapsed.Seconds() * max(p.Total/float64(done)-1, 0); l < most.Seconds() {
		left = time.Duration(l * float64(time.Second))
	}
	return left, true
}
