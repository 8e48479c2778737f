package report

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/record"
)

// TestRecordedOutcomes: of many outcomes a record has those that fail or have a trace, and counts
// the others.
func TestRecordedOutcomes(t *testing.T) {
	r := &Test{Name: "TestX", Verdict: Fail, Examples: []*record.Trace{{Action: "trace",
		Outcome: 2900}}}
	for i := range 3000 {
		o := explore.Outcome{Verdict: "pass", Log: fmt.Sprint("outcome ", i+1), Count: 2}
		if i == 1999 {
			o.Verdict = "fail"
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	r.Unlisted = 7
	var b strings.Builder
	text := NewText(&Printer{Out: io.Discard, Places: places})
	NewRecorder(text, &b, &record.Header{Record: 1}).Result(r)
	packages, err := record.Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	got := packages[0].Tests[0]
	if len(got.Outcomes) != mostOutcomes || got.Others != 3000-mostOutcomes ||
		got.Unlisted != 2*got.Others+7 {
		t.Errorf("%d outcomes, %d others, in %d executions", len(got.Outcomes), got.Others,
			got.Unlisted)
	}
	kept, last := map[int]bool{}, 0
	for _, o := range got.Outcomes {
		if kept[o.Number] = true; o.Log != fmt.Sprint("outcome ", o.Number) || o.Number <= last {
			t.Errorf("after %d: %+v", last, o)
		}
		last = o.Number
	}
	if !kept[1] || !kept[2000] || !kept[2900] {
		t.Errorf("the outcome that fails, or has a trace, is missing: %v", kept)
	}
}
