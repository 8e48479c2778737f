package explore

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/ends"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds on the entries that are kept apart. They are such that an exploration never needs more
// than twice the memory that it needs after 10,000 executions.
const (
	maxOutcomes = 1 << 14
	maxFindings = 200
)

// The first outcomes keep the schedules that have shown them first, of so many events: some 3 MB.
const (
	maxExamples    = 20
	longestExample = 5000
)

var maxTraces = ends.Fullest << 16

// ledger finds the number of a text that has been seen, by its hash.
type ledger struct {
	index map[uint64]int
}

// number returns the number of the entry made of texts, and whether it is new. It returns -1 for a
// new one that would get number most.
func (l *ledger) number(most int, texts ...string) (n int, isNew bool) {
	if l.index == nil {
		l.index = map[uint64]int{}
	}
	h := hashOf(texts)
	n, seen := l.index[h]
	switch {
	case seen:
		return n, false
	case len(l.index) >= most:
		return -1, false
	}
	n = len(l.index)
	l.index[h] = n
	return n, true
}

// hashOf is FNV-1a with 64 bits, with a zero after each text. The standard library's hash/maphash
// is no choice: in a controlled binary its keys are those of the program under test.
func hashOf(texts []string) uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	h := uint64(offset)
	for _, t := range texts {
		for i := range len(t) {
			h = (h ^ uint64(t[i])) * prime
		}
		h *= prime
	}
	return h
}

// counted has the counts of an exploration: of executions that it is shown, or of parts. It does
// not know who runs them, or for how long.
type counted struct {
	result   Result
	traces   ends.Traces
	order    depend.Order // when the strategy has no hash of its own
	outcomes outcomes     // of result.Outcomes
	samples  samples      // among what is counted
	findings ledger       // of result.Findings
	shown    []showing    // by the execution that was counted last
	texts    []string     // scratch
	// the bound on steps ended an execution in which a process had to wait for ever
	unfair  bool
	passing bool       // the bound on steps ended an execution that only time kept going
	endless bool       // the bound on steps ended a livelock
	held    bool       // some execution has left out an early firing
	stuck   int        // executions in which a step did not end
	stage   int        // see Finding.Stage
	again   bool       // the search has begun again, so some executions may have been run twice
	keep    bool       // keys is filled
	keys    [][]string // see Part
	first   bool       // a finding keeps the first execution that shows it, until measured
	listed  bool       // hashes is filled
	hashes  []uint64   // see Part
	twins   []Twins    // that parts have seen
	essence uint64     // of the execution counted last, if that is cut off
	ends    ends.Set   // of those that count
}

// candidate is an outcome, or a finding.
type candidate struct {
	finding string // its identity; empty: it is an outcome
	n       int    // its number
}

// showing is something that an execution showed.
type showing struct {
	candidate
	isNew bool
}

// enter adds an execution to the result; last is what the strategy says of it. An execution
// that is redundant shows nothing.
func (t *counted) enter(x *trace.Execution, last Last) (kind FindingKind, ok, redundant bool) {
	t.shown = t.shown[:0]
	kind, _, ok = Judge(x)
	t.result.Transitions += len(x.Events)
	t.result.Never = t.result.Never || x.Never || x.Arrived
	t.result.Merge(&x.Limits)
	t.crossed(x)
	t.held = t.held || x.Held
	if !t.held && t.armedEarlier(x) {
		t.held = true
		t.result.AddFixed(trace.IdleTimers)
	}
	again := last.Repeats
	if ends.CutOff(x) {
		again = t.endsAgain(x, kind, last) || again
	}
	if x.End == trace.Cut || x.Never || again && !t.isNews(x) {
		t.result.Blocked++
		return kind, ok, true
	}
	t.result.Executions++
	sampled := last.Sampler != ""
	if sampled {
		t.result.Sampled++
		t.samples.transitions += len(x.Events)
	}
	if x.Skipped {
		t.result.Skipped++
		if sampled {
			t.samples.skipped++
		}
	}
	t.result.MaxDepth = max(t.result.MaxDepth, len(x.Events))
	t.countTrace(x, last)
	if ok && x.End == trace.Steps {
		passing := timePasses(x)
		t.passing = t.passing || passing
		t.unfair = t.unfair || !passing && !x.Limits.HasCut(trace.GetsOn)
		return kind, ok, false
	}
	t.endless = t.endless || kind == Livelock && x.End == trace.Steps
	if kind != Suspect {
		t.countOutcome(x, kind, sampled)
	}
	if !ok || len(x.Recovered) > 0 {
		for _, p := range Problems(x) {
			t.enterProblem(p, x, last)
		}
	}
	if x.Stuck {
		t.stuck++
	}
	return kind, ok, false
}

// armedEarlier reports whether a timer of x could have been armed while others could still move,
// and so could have fired early, in an execution equivalent to x.
func (t *counted) armedEarlier(x *trace.Execution) bool {
	switch {
	case len(x.Armed) == 0:
		return false
	case len(x.Events) > depend.MaxEvents:
		return true
	}
	t.order.Rewind(0)
	for range x.Events {
		t.order.Add(x)
	}
	return slices.ContainsFunc(x.Armed, func(k int32) bool {
		return t.order.CountBefore(k) < int(k)
	})
}

// crossed notes the packages of which only one order was explored, and the number of faults that
// were explored.
func (t *counted) crossed(x *trace.Execution) {
	var list []string
	if len(x.Inner) > 0 {
		list = x.UpTo
	}
	switch {
	case x.Spent == 1:
		list = append(slices.Clip(list), "1 fault")
	case x.Spent > 0:
		list = append(slices.Clip(list), fmt.Sprintf("%d faults", x.Spent))
	}
	for _, to := range list {
		if !slices.Contains(t.result.UpTo, to) {
			t.result.UpTo = append(t.result.UpTo, to)
			slices.Sort(t.result.UpTo)
		}
	}
}

// isNews reports whether x shows an outcome, or a finding, that has not been seen. Two executions
// may have one crash to a strategy, and one of them also a data race.
func (t *counted) isNews(x *trace.Execution) bool {
	kind, _, ok := Judge(x)
	if _, known := t.outcomes.find(rankOf(kind, t.outcomeOf(x, kind))); !known && kind != Suspect {
		return true
	}
	return (!ok || len(x.Recovered) > 0) && slices.ContainsFunc(Problems(x), func(p Problem) bool {
		_, known := t.findings.index[hashOf([]string{p.Identity})]
		return !known
	})
}

// countTrace counts x's trace, if it is new. If there are too many traces to keep, executions that
// are not samples still count if no two of them can be equivalent.
func (t *counted) countTrace(x *trace.Execution, last Last) {
	switch {
	case t.listed:
		t.hashes = append(t.hashes, t.hash(x, last))
		t.result.Traces = len(t.hashes)
	case t.keepsTraces():
		t.addTrace(t.hash(x, last))
	case t.distinct(last):
		t.result.Traces = max(t.result.Traces, t.result.Executions-t.result.Sampled)
		t.result.MoreTraces = t.result.Sampled > 0
	default:
		t.result.MoreTraces = true
		t.traces = ends.Traces{}
	}
}

// keepsTraces reports whether there is room for one more trace.
func (t *counted) keepsTraces() bool { return t.traces.N < maxTraces && !t.result.MoreTraces }

// addTrace counts a trace, if it is new and there is room.
func (t *counted) addTrace(hash uint64) {
	if !t.keepsTraces() {
		t.result.MoreTraces, t.traces = true, ends.Traces{}
		return
	}
	t.traces.Add(hash)
	t.result.Traces = t.traces.N
}

// distinct reports whether the strategy has never run two equivalent executions.
func (t *counted) distinct(last Last) bool { return !t.again && last.Distinct }

func (t *counted) hash(x *trace.Execution, last Last) uint64 {
	switch {
	case ends.CutOff(x):
		return t.essence
	case last.Hashed:
		return last.Hash
	}
	return Sight{}.HashOf(&t.order, x)
}

// endsAgain reports whether an execution with the essence of x, which is cut off, has counted.
// Samples always count until the search is complete.
func (t *counted) endsAgain(x *trace.Execution, kind FindingKind, last Last) bool {
	Sight{}.HashOf(&t.order, x)
	s := ends.Of(&t.order, x, true)
	t.essence = s.Hash
	if last.Sampler != "" || x.Never {
		return false
	}
	end := ends.End{Essence: s.Hash}
	if kind != Suspect {
		end.Outcome = rankOf(kind, t.outcomeOf(x, kind))
	}
	if kind, message, ok := ending(x); !ok {
		end.Finding = hashOf([]string{identity(kind, message, x)})
	}
	return !t.ends.Add(end)
}

// unnamed notes that there are more findings than are kept apart.
func (t *counted) unnamed() {
	t.result.AddCut(fmt.Sprintf("findings beyond %d are not listed", maxFindings))
}

// enterProblem adds a problem that x showed; x is nil if there is no execution to show. last is
// what the strategy says of x.
func (t *counted) enterProblem(p Problem, x *trace.Execution, last Last) {
	n, isNew := t.findings.number(maxFindings, p.Identity)
	switch {
	case n < 0:
		t.unnamed()
		return
	case isNew:
		f := Finding{Problem: p, Stage: t.stage, Sampler: last.Sampler, Rank: highest}
		t.result.Findings = append(t.result.Findings, f)
	}
	f := &t.result.Findings[n]
	f.Count++
	if last.Sampler != "" {
		f.sampled++
	}
	if x != nil && (isNew || !t.first) {
		if rank, lower := t.lower(p.Kind, x, last, f.Rank); lower {
			f.Problem, f.Choices, f.Stage, f.Rank = p, Choices(x), t.stage, rank
		}
	}
	if x != nil {
		t.shown = append(t.shown, showing{candidate{p.Identity, n}, isNew})
	}
}

// lower returns the rank of x, which shows a finding of a kind, if it is below least. The rank
// costs an order of x, so it is worked out only if the number of events does not decide.
func (t *counted) lower(kind FindingKind, x *trace.Execution, last Last, least Rank) (Rank, bool) {
	r := Rank{Apart: last.Sampler != "", Events: len(x.Events)}
	switch logs, ok := essential(kind, x); {
	case ok:
		Sight{}.HashOf(&t.order, x)
		s := ends.Of(&t.order, x, logs)
		r.Events, r.Hash = s.Events, s.Hash
	case r.Apart == least.Apart && r.Events > least.Events:
		return r, false
	case r.Events <= depend.MaxEvents:
		r.Hash = t.hash(x, last)
	}
	return r, r.compare(least) < 0
}

// forgetCounts makes all executions so far redundant; the findings so far hold.
func (t *counted) forgetCounts() {
	t.result.Blocked += t.result.Executions
	t.result.Executions, t.result.Sampled, t.result.Skipped = 0, 0, 0
	t.result.Unlisted, t.samples = 0, samples{}
	for i := range t.result.Outcomes {
		t.result.Outcomes[i].Count, t.result.Outcomes[i].sampled = 0, 0
	}
	for i := range t.result.Findings {
		t.result.Findings[i].Count, t.result.Findings[i].sampled = 0, 0
	}
}

// forgetTraces counts traces anew: they are others.
func (t *counted) forgetTraces() {
	t.again, t.traces, t.result.Traces, t.result.MoreTraces = true, ends.Traces{}, 0, false
	t.ends = ends.Set{}
	for i := range t.result.Findings {
		t.result.Findings[i].Rank.Apart = true
	}
}
