package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds of what is kept apart. They are such that an exploration never needs more than twice the
// memory that it needs after 10,000 executions.
const (
	maxOutcomes = 1 << 14
	maxFindings = 200
)

// The first outcomes keep the schedules that have shown them first, of so many events: some 3 MB.
const (
	maxExamples    = 20
	longestExample = 5000
)

var maxTraces = fullest << 16

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

// armedEarlier reports whether a timer of x could have been armed while others could still move,
// and so could have fired early, in an execution equivalent to x.
func (r *Exploration) armedEarlier(x *trace.Execution) bool {
	switch {
	case len(x.Armed) == 0:
		return false
	case len(x.Events) > depend.MaxEvents:
		return true
	}
	r.order.Rewind(0)
	for range x.Events {
		r.order.Add(x)
	}
	return slices.ContainsFunc(x.Armed, func(k int32) bool {
		return r.order.CountBefore(k) < int(k)
	})
}

// count enters an execution into the result.
func (r *Exploration) count(x *trace.Execution) {
	r.result.Transitions += len(x.Events)
	r.result.Never = r.result.Never || x.Never || x.Arrived
	r.result.Merge(&x.Limits)
	r.crossed(x)
	r.held = r.held || x.Held
	if !r.held && r.armedEarlier(x) {
		r.held = true
		r.result.AddFixed(trace.IdleTimers)
	}
	if x.End == trace.Cut || x.Never || r.s.Last().Repeats && !r.isNews(x) {
		r.result.Blocked++
		r.shape(x, true)
		return
	}
	r.result.Executions++
	r.shape(x, false)
	if r.s.Last().Sampler != "" {
		r.result.Sampled++
	}
	if x.Skipped {
		r.result.Skipped++
	}
	r.result.MaxDepth = max(r.result.MaxDepth, len(x.Events))
	r.countTrace(x)
	kind, _, ok := Judge(x)
	if ok && x.End == trace.Steps {
		passing := timePasses(x)
		r.passing = r.passing || passing
		r.unfair = r.unfair || !passing && !x.Limits.HasCut(trace.GetsOn)
		return
	}
	if kind != Suspect {
		r.countOutcome(x, kind)
	}
	if !ok {
		for _, p := range Problems(x) {
			r.found(p, x)
		}
	}
	switch {
	case x.Stuck:
		r.stuck++
	case kind == Uncontrolled:
		r.over = "an operation is not under control"
	}
}

// crossed notes of which packages only one order was explored.
func (r *Exploration) crossed(x *trace.Execution) {
	if len(x.Inner) == 0 {
		return
	}
	for _, pkg := range x.UpTo {
		if !slices.Contains(r.result.UpTo, pkg) {
			r.result.UpTo = append(r.result.UpTo, pkg)
			slices.Sort(r.result.UpTo)
		}
	}
}

// shape tells of an execution who asks for that.
func (r *Exploration) shape(x *trace.Execution, redundant bool) {
	if r.lim.Shape != nil {
		_, _, ok := Judge(x)
		r.lim.Shape.Counted(x, redundant, !ok)
	}
}

// isNews reports whether x shows an outcome, or a finding, that has not been seen. Of two crashes
// that are one to a strategy, one execution may have a data race beside it.
func (r *Exploration) isNews(x *trace.Execution) bool {
	kind, _, ok := Judge(x)
	if _, known := r.outcomes.index[hashOf(r.outcomeOf(x, kind))]; !known && kind != Suspect {
		return true
	}
	return !ok && slices.ContainsFunc(Problems(x), func(p Problem) bool {
		_, known := r.findings.index[hashOf([]string{p.Identity})]
		return !known
	})
}

// countTrace counts x's trace, if it is a new one. When there are too many to tell, executions that
// are not samples still count if no two of them can be equivalent.
func (r *Exploration) countTrace(x *trace.Execution) {
	switch {
	case r.traces.n < maxTraces && !r.result.MoreTraces:
		r.traces.add(r.hash(x))
		r.result.Traces = r.traces.n
	case r.distinct():
		r.result.Traces = max(r.result.Traces, r.result.Executions-r.result.Sampled)
		r.result.MoreTraces = r.result.Sampled > 0
	default:
		r.result.MoreTraces = true
		r.traces = traceSet{}
	}
}

// distinct reports whether the strategy has never run two equivalent executions.
func (r *Exploration) distinct() bool {
	return !r.again && r.s.Last().Distinct
}

func (r *Exploration) hash(x *trace.Execution) uint64 {
	if l := r.s.Last(); l.Hashed {
		return l.Hash
	}
	return Sight{}.HashOf(&r.order, x)
}

// outcomeOf returns the texts that tell the outcome of x from others. They are valid until the next
// call.
func (r *Exploration) outcomeOf(x *trace.Execution, kind FindingKind) []string {
	r.texts = append(r.texts[:0], string(kind))
	for _, text := range x.Log {
		r.texts = append(r.texts, Stable(text))
	}
	return r.texts
}

func (r *Exploration) countOutcome(x *trace.Execution, kind FindingKind) {
	n, isNew := r.outcomes.number(maxOutcomes, r.outcomeOf(x, kind)...)
	switch {
	case n < 0:
		r.unlisted(1)
		return
	case isNew:
		o := Outcome{Verdict: "pass", Kind: kind, Log: strings.Join(x.Log, "\n")}
		if kind != "" {
			o.Verdict = "fail"
		}
		if n < maxExamples && len(x.Events) <= longestExample {
			o.Choices = Choices(x)
		}
		r.result.Outcomes = append(r.result.Outcomes, o)
		r.keepKey(r.texts)
	}
	r.result.Outcomes[n].Count++
	r.showed(candidate{n: n}, isNew)
}

// unlisted counts executions whose outcomes are more than are kept apart.
func (r *Exploration) unlisted(n int) {
	r.result.Unlisted += n
	r.result.AddCut(fmt.Sprintf("outcomes beyond %d are counted, and not listed", maxOutcomes))
}

// unnamed notes that there are more findings than are kept apart.
func (r *Exploration) unnamed() {
	r.result.AddCut(fmt.Sprintf("findings beyond %d are not listed", maxFindings))
}

// found enters a problem that x showed; x is nil if there is no execution to show.
func (r *Exploration) found(p Problem, x *trace.Execution) {
	n, isNew := r.findings.number(maxFindings, p.Identity)
	switch {
	case n < 0:
		r.unnamed()
		return
	case isNew:
		f := Finding{Problem: p, Stage: r.stage}
		f.Sampler = r.s.Last().Sampler
		if x != nil {
			f.Choices = Choices(x)
		}
		if x != nil && r.lim.Study != nil {
			r.lim.Study.Seen(&f, x)
		}
		r.result.Findings = append(r.result.Findings, f)
	}
	r.result.Findings[n].Count++
	if x != nil {
		r.showed(candidate{p.Identity, n}, isNew)
	}
}
