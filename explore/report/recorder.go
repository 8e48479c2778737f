package report

import (
	"io"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/record"
)

// Recorder is a Reporter that writes a record beside what another one does.
type Recorder struct {
	Reporter
	json *JSON
}

// NewRecorder returns a recorder that has written the header.
func NewRecorder(beside Reporter, out io.Writer, h *record.Header) *Recorder {
	r := &Recorder{beside, &JSON{Out: out, Path: h.Package}}
	r.json.write(h)
	return r
}

// jsonNumbered is a finding of a record.
type jsonNumbered struct {
	head
	Number   int // from 1, among those of its test
	Identity string
	jsonFinding
}

// mostOutcomes bounds the outcomes of a record. Nobody reads a page with more rows, and writing
// 16,384 of them took a tenth of the time of the search that had found them.
const mostOutcomes = 200

// jsonRecorded is a result in a record.
type jsonRecorded struct {
	jsonResult
	Outcomes []jsonNumberedOutcome
	// Others are outcomes that only JSON lists. Unlisted counts the executions that had these, or
	// outcomes that nothing lists.
	Others int `json:",omitempty"`
}

type jsonNumberedOutcome struct {
	Number int // from 1, among all of the test: traces name it
	jsonOutcome
}

// toRecorded leaves the first outcomes, and before others those that fail or have a trace.
func toRecorded(r jsonResult, examples []*record.Trace) jsonRecorded {
	wanted := make([]bool, len(r.Outcomes))
	left := mostOutcomes
	choose := func(n int) {
		if left > 0 && !wanted[n] {
			wanted[n] = true
			left--
		}
	}
	for _, x := range examples {
		if x.Outcome > 0 {
			choose(x.Outcome - 1)
		}
	}
	for i, o := range r.Outcomes {
		if o.Verdict != string(Pass) {
			choose(i)
		}
	}
	for i := range r.Outcomes {
		choose(i)
	}
	out := jsonRecorded{jsonResult: r, Outcomes: []jsonNumberedOutcome{}}
	for i, o := range r.Outcomes {
		if wanted[i] {
			out.Outcomes = append(out.Outcomes, jsonNumberedOutcome{i + 1, o})
			continue
		}
		out.Others++
		out.Unlisted += o.Count
	}
	return out
}

// Result implements Reporter: the findings of the test, their traces, and the result.
func (r *Recorder) Result(t *Test) {
	for i, f := range t.Findings {
		r.json.write(jsonNumbered{r.json.head("finding", t.Name), i + 1, f.Identity, toJSON(f)})
		for _, x := range f.Traces {
			x.Finding = i + 1
			r.json.write(x)
		}
	}
	for _, x := range t.Examples {
		r.json.write(x)
	}
	result := toResult(r.json.head("result", t.Name), t)
	result.Summary, result.Tree = summary(t), t.Tree
	r.json.write(toRecorded(result, t.Examples))
	r.Reporter.Result(t)
}

// Package implements Reporter.
func (r *Recorder) Package(p *Package) {
	r.json.write(toPackage(r.json.head("package", ""), p))
	r.Reporter.Package(p)
}

// Teller is a Recorder that also writes what happens before a test has its result, for who looks
// on.
type Teller struct{ *Recorder }

// Run implements Reporter.
func (t Teller) Run(test string) {
	t.json.write(t.json.head("run", test))
	t.Reporter.Run(test)
}

// Progress implements Reporter.
func (t Teller) Progress(test string, p *explore.Progress) {
	line := toProgress(t.json.head("progress", test), p)
	line.Summary = progressText(p)
	t.json.write(line)
	t.Reporter.Progress(test, p)
}

// Found implements Reporter.
func (t Teller) Found(test string, f *depict.Finding) {
	t.json.write(jsonTold{
		jsonNumbered{t.json.head("found", test), 0, f.Identity, toJSON(f)}, f.Traces})
	t.Reporter.Found(test, f)
}

// jsonTold is a record.Told.
type jsonTold struct {
	jsonNumbered
	Traces []*record.Trace `json:",omitempty"`
}
