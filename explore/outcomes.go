package explore

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// outcomes numbers distinct outcomes, each by the hash of its texts. It keeps at most maxOutcomes:
// those with the lowest ranks. So what is kept does not depend on the order in which executions, or
// parts, are counted. An outcome that is dropped never comes back, as the ranks that are kept only
// fall. So the count of an outcome that is kept at the end has all its executions.
type outcomes struct {
	numbers map[uint64]int // by rank
	// all ranks that are kept, as a heap with the highest one first; nil: nothing had to be dropped
	heap []uint64
}

// rankOf ranks an outcome by its kind and the texts that tell it from others. Those that fail come
// before those that pass.
func rankOf(kind FindingKind, texts []string) uint64 {
	rank := hashOf(texts) >> 1
	if kind == "" {
		rank |= 1 << 63
	}
	return rank
}

// find returns the number of an outcome that is kept.
func (o *outcomes) find(rank uint64) (n int, known bool) {
	n, known = o.numbers[rank]
	return n, known
}

// number returns the number of an outcome, and whether it is new. A new one may get the number of
// another one, which is dropped. The number of one that is not kept is -1.
func (o *outcomes) number(rank uint64) (n int, isNew bool) {
	if o.numbers == nil {
		o.numbers = map[uint64]int{}
	}
	if n, known := o.numbers[rank]; known {
		return n, false
	}
	if n = len(o.numbers); n == maxOutcomes {
		if n = o.replace(rank); n < 0 {
			return n, false
		}
	}
	o.numbers[rank] = n
	return n, true
}

// replace makes room for rank if a higher one is kept, and returns the number of that.
func (o *outcomes) replace(rank uint64) (n int) {
	if o.heap == nil {
		for r := range o.numbers {
			o.heap = append(o.heap, r)
		}
		for i := len(o.heap)/2 - 1; i >= 0; i-- {
			o.sink(i)
		}
	}
	last := o.heap[0]
	if rank > last {
		return -1
	}
	n = o.numbers[last]
	delete(o.numbers, last)
	o.heap[0] = rank
	o.sink(0)
	return n
}

// sink moves a rank down to where no higher one is below it.
func (o *outcomes) sink(i int) {
	h := o.heap
	for {
		high := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(h) && h[child] > h[high] {
				high = child
			}
		}
		if high == i {
			return
		}
		h[i], h[high] = h[high], h[i]
		i = high
	}
}

// outcomeOf returns the texts that tell the outcome of x from others. They are valid until the next
// call.
func (t *counted) outcomeOf(x *trace.Execution, kind FindingKind) []string {
	t.texts = append(t.texts[:0], string(kind))
	for _, text := range x.Log {
		t.texts = append(t.texts, words.Stable(text))
	}
	return t.texts
}

// OutcomeOf returns the outcome of x, shown once.
func OutcomeOf(x *trace.Execution) Outcome {
	kind, _, _ := Judge(x)
	o := newOutcome(x, kind)
	o.Count = 1
	return o
}

func newOutcome(x *trace.Execution, kind FindingKind) Outcome {
	o := Outcome{Verdict: "pass", Kind: kind, Log: strings.Join(x.Log, "\n")}
	if kind != "" {
		o.Verdict = "fail"
	}
	return o
}

// name tells o from other outcomes.
func (o *Outcome) name() string { return string(o.Kind) + "\x00" + words.Stable(o.Log) }

func (t *counted) countOutcome(x *trace.Execution, kind FindingKind, sampled bool) {
	key := t.outcomeOf(x, kind)
	n, isNew := t.outcomes.number(rankOf(kind, key))
	switch {
	case n < 0:
		t.result.Unlisted++
		if sampled {
			t.samples.unlisted++
		}
		return
	case isNew:
		o := newOutcome(x, kind)
		if n < maxExamples && len(x.Events) <= longestExample {
			o.Choices = Choices(x)
		}
		t.list(n, o, key)
	}
	t.result.Outcomes[n].Count++
	if sampled {
		t.result.Outcomes[n].sampled++
	}
	t.shown = append(t.shown, showing{candidate{n: n}, isNew})
}

// addOutcome counts an outcome of a part.
func (t *counted) addOutcome(o Outcome, key []string) {
	n, isNew := t.outcomes.number(rankOf(o.Kind, key))
	switch {
	case n < 0:
		t.result.Unlisted += o.Count
	case isNew:
		t.list(n, o, key)
	default:
		t.result.Outcomes[n].Count += o.Count
	}
}

// list enters a new outcome. key is what makes it distinct.
func (t *counted) list(n int, o Outcome, key []string) {
	if n == len(t.result.Outcomes) {
		t.result.Outcomes = append(t.result.Outcomes, Outcome{})
		if t.keep {
			t.keys = append(t.keys, nil)
		}
	}
	dropped := &t.result.Outcomes[n]
	t.result.Unlisted += dropped.Count
	t.samples.unlisted += dropped.sampled
	*dropped = o
	if t.keep { // for a Part
		t.keys[n] = slices.Clone(key)
	}
}

// samples has the counts of samples, beside the sampled of outcomes and findings.
type samples struct{ transitions, skipped, unlisted int }

// retire counts the samples as redundant executions, once the systematic search is complete: the
// search has run the trace of each. So the counts do not depend on whether there were samples. An
// outcome, or a finding, that only samples have shown is counted once.
func (c *counted) retire() {
	t := &c.result
	t.Executions, t.Blocked, t.Sampled = t.Executions-t.Sampled, t.Blocked+t.Sampled, 0
	t.Transitions -= c.samples.transitions
	t.Skipped -= c.samples.skipped
	t.Unlisted -= c.samples.unlisted
	c.samples = samples{}
	for i := range t.Outcomes {
		o := &t.Outcomes[i]
		o.Count, o.sampled = max(o.Count-o.sampled, 1), 0
	}
	for i := range t.Findings {
		f := &t.Findings[i]
		if f.Count > f.sampled {
			f.Sampler = ""
		}
		f.Count, f.sampled = max(f.Count-f.sampled, 1), 0
	}
}
