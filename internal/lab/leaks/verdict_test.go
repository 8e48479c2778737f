package leaks

import (
	"fmt"
	"slices"
	"testing"
)

// verdict is what came out for one kernel.
type verdict string

// The verdicts.
const (
	// the leaks that Go's test demands; of a flaky kernel at least one of them
	found   verdict = "found"
	silent  verdict = "silent"  // rightly: the kernel has no leak
	refused verdict = "refused" // it reaches something that is not controlled
	missed  verdict = "missed"  // a leak that Go's test demands was not found
	wrong   verdict = "wrong"   // a finding where there is nothing to find
)

// row is a kernel with what came out.
type row struct {
	*kernel
	verdict    verdict
	first      finding  // the counterexample
	executions int      // until the first leak, in all, if there is none
	seconds    float64  // likewise
	met        []bool   // by expectation
	leaks      []string // that were found, without repetition
	others     []string // found, and not among the expectations
	why        []string // findings that are no leaks
	replayed   bool
}

// The budgets. The kernels are small: a larger one belongs to a bug in the explorer.
var (
	budget = []string{"-timeout=0", "-max-executions=1500", "-max-steps=5000", "-clock=explore"}
	hasty  = append([]string{"-failfast"}, budget...)
	// for the other outcomes: all that can be drawn at random
	dice = append([]string{"-choices=rand"}, budget...)
	// and loops of 100,000 steps
	long = []string{"-failfast", "-strategy=pct", "-timeout=0", "-max-executions=30",
		"-max-steps=10000000"}
)

// judge explores a kernel up to its first finding, and on as long as that is not all that is
// expected.
func judge(t *testing.T, k *kernel) *row {
	t.Helper()
	r := &row{kernel: k, met: make([]bool, len(k.want.Leaks))}
	res := k.explore(t, hasty...)
	r.executions, r.seconds = res.Executions, res.Seconds
	r.add(res)
	ways := [][]string{budget, dice, long}
	if len(r.leaks) == 0 && len(r.why) > 0 { // an execution that did not end
		ways = [][]string{long, budget, dice}
	}
	for _, flags := range ways {
		if res.Verdict == "error" || r.decide(res) != missed {
			break
		}
		res = k.explore(t, flags...)
		if r.first.Schedule == "" {
			r.executions, r.seconds = res.Executions, res.Seconds
		}
		r.add(res)
	}
	r.verdict = r.decide(res)
	return r
}

// add notes the findings of one exploration.
func (r *row) add(res result) {
	for _, f := range res.Findings {
		leaks := r.kernel.leaks(f)
		if len(leaks) == 0 {
			r.explain(fmt.Sprintf("%s: %s", f.Kind, f.Message))
			continue
		}
		if r.first.Schedule == "" {
			r.first = f
		}
		for _, leak := range leaks {
			r.note(leak)
		}
	}
}

func (r *row) explain(why string) {
	if !slices.Contains(r.why, why) {
		r.why = append(r.why, why)
	}
}

func (r *row) note(leak string) {
	if slices.Contains(r.leaks, leak) {
		return
	}
	r.leaks = append(r.leaks, leak)
	expected := false
	for i, re := range r.want.Leaks {
		if re.MatchString(leak) {
			r.met[i], expected = true, true
		}
	}
	if !expected {
		r.others = append(r.others, leak)
	}
}

func (r *row) decide(res result) verdict {
	nothing := len(r.want.Leaks) == 0
	switch {
	case res.Verdict == "error":
		return refused
	case r.expected && nothing && res.Verdict == "pass":
		return silent
	case r.expected && nothing:
		return wrong
	case nothing && len(r.leaks) > 0: // a kernel that Go's test leaves out
		return found
	case r.want.Flaky && slices.Contains(r.met, true), len(r.met) > 0 &&
		!slices.Contains(r.met, false):
		return found
	}
	return missed
}
