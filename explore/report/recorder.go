package report

import (
	"io"

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
	r.json.write(result)
	r.Reporter.Result(t)
}

// Package implements Reporter.
func (r *Recorder) Package(p *Package) {
	r.json.write(toPackage(r.json.head("package", ""), p))
	r.Reporter.Package(p)
}
