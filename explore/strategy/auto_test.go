package strategy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

func exploreWith(t *testing.T, name, text string, lim explore.Limits) explore.Result {
	t.Helper()
	return explore.Run(micro.New(micro.Parse(text)), newSeeded(t, name, 1), lim, nil)
}

// TestAutoIsSystematic: of a program that the search finishes soon, auto says exactly what the
// search says.
func TestAutoIsSystematic(t *testing.T) {
	for _, text := range []string{nsenders(6), oneAndMany, depth3,
		"mutex a\nmutex b\nT0: lock a; lock b\nT1: lock b; lock a"} {
		got := exploreWith(t, "auto", text, explore.Limits{})
		want := explore.Run(micro.New(micro.Parse(text)), dpor.New(true), explore.Limits{}, nil)
		got.Elapsed, want.Elapsed = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("auto %+v\ndpor %+v\n%s", got, want, text)
		}
	}
}

// TestAutoSamples: of a larger one, samples are some of the executions, and change nothing of what
// the search says: they are redundant, in the end.
func TestAutoSamples(t *testing.T) {
	const all = 40320 // 8!
	r := exploreWith(t, "auto", nsenders(8), explore.Limits{})
	if !r.Complete || r.Executions != all || r.Traces != all || r.MoreTraces {
		t.Errorf("%d executions, %d traces, complete %v", r.Executions, r.Traces, r.Complete)
	}
	if share := float64(r.Blocked) / float64(r.Executions+r.Blocked); share < 0.15 || share > 0.25 {
		t.Errorf("%d executions are samples, %d are not, want one in five", r.Blocked, r.Executions)
	}
	counted := r.Unlisted
	for _, o := range r.Outcomes {
		counted += o.Count
	}
	if counted != all {
		t.Errorf("outcomes count %d times", counted)
	}
}

// lastFirst fails if the last sender comes first and the last but one second: what the search tries
// last.
var lastFirst = strings.Replace(nsenders(9), "main: <-c; <-c; ",
	"main: <-c; if 8 3; <-c; if 7 1; fail; ", 1)

// TestAutoFindsMore: a bug at the beginning of an execution, which the search does not come to.
func TestAutoFindsMore(t *testing.T) {
	lim := explore.Limits{MaxExecutions: 15000}
	failed := func(f explore.Finding) bool { return f.Kind == explore.Fail }
	if r := exploreWith(t, "dpor", lastFirst, lim); slices.ContainsFunc(r.Findings, failed) {
		t.Error("dpor finds it; the program is too simple for this test")
	}
	r := exploreWith(t, "auto", lastFirst, lim)
	i := slices.IndexFunc(r.Findings, failed)
	if i < 0 || !slices.Contains(randomised, r.Findings[i].Sampler) || r.Complete {
		t.Fatalf("%+v", r.Findings)
	}
	again := exploreWith(t, "auto", lastFirst, lim)
	if fmt.Sprint(again.Findings) != fmt.Sprint(r.Findings) || again.Transitions != r.Transitions {
		t.Error("the same seed, another exploration")
	}
}
