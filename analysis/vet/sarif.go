package vet

import (
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/sarif"
)

// sarifRoot is the uriBaseId of the current directory, below which locations are relative.
const sarifRoot = "SRCROOT"

// WriteSARIF writes the findings as SARIF. The failure, if not nil, says why some packages were not
// looked at.
func (r *Report) WriteSARIF(w io.Writer, failure error) error {
	s := &sarifWriter{dir: workingDir(), sources: r.sources}
	run := sarif.Run{
		Tool: sarif.Tool{Driver: sarif.Driver{Name: "rehearse", URI: sarif.HomePage,
			Rules: rules(r.checks)}},
		Invocations: []sarif.Invocation{invocation(failure)},
		Bases:       map[string]sarif.Artifact{sarifRoot: {URI: sarif.FileURI(s.dir) + "/"}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarif.Result{}, // null means that nothing was looked at (s. 3.14.23)
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, s.result(f, r.checks))
	}
	return sarif.Write(w, run)
}

func invocation(failure error) sarif.Invocation {
	if failure == nil {
		return sarif.Invocation{Successful: true}
	}
	return sarif.Invocation{Notifications: []sarif.Notification{{Level: "error",
		Message: sarif.Text{Text: failure.Error()}}}}
}

// rules are the checks with their docs: the first line, the first paragraph after it, and all of
// it.
func rules(checks []*analysis.Analyzer) []sarif.Rule {
	out := []sarif.Rule{}
	for _, a := range checks {
		title, rest, _ := strings.Cut(strings.TrimSpace(a.Doc), "\n")
		first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
		if first == "" {
			first = title
		}
		full := strings.Join(strings.Fields(first), " ")
		out = append(out, sarif.Rule{
			ID: a.Name, Short: sarif.Text{Text: title}, Full: sarif.Text{Text: full},
			Help: sarif.Text{Text: a.Doc}, Default: sarif.Level{Level: "warning"},
		})
	}
	return out
}

// sarifWriter writes places.
type sarifWriter struct {
	dir     string
	sources *sources
}

func (s *sarifWriter) result(f *Finding, checks []*analysis.Analyzer) sarif.Result {
	at := s.location(f.At)
	at.Logical = logical(f)
	out := sarif.Result{
		RuleID: f.Check,
		// -1: s. 3.27.6
		RuleIndex: slices.IndexFunc(checks,
			func(a *analysis.Analyzer) bool { return a.Name == f.Check }),
		Level:        "warning",
		Message:      sarif.Text{Text: f.Message},
		Locations:    []sarif.Location{at},
		Fingerprints: map[string]string{"rehearse/v1": f.Fingerprint().hash()},
	}
	if len(f.Related) > 0 {
		out.Related, out.Flows = s.related(f)
	}
	return out
}

func logical(f *Finding) []sarif.Name {
	if f.function == "" {
		return []sarif.Name{{Name: f.Package, Kind: "module"}}
	}
	return []sarif.Name{{Name: f.Package + "." + f.function, Kind: "function"}}
}

// related are the other places of f, and the way through all of them, for viewers that go step by
// step.
func (s *sarifWriter) related(f *Finding) ([]sarif.Location, []sarif.CodeFlow) {
	var places []sarif.Location
	var way []sarif.Step
	for i, p := range f.Related {
		l := s.location(p.At)
		l.Message = &sarif.Text{Text: p.Message}
		way = append(way, sarif.Step{Location: l})
		l.ID = i + 1
		places = append(places, l)
	}
	end := s.location(f.At)
	end.Message = &sarif.Text{Text: f.Message}
	way = append(way, sarif.Step{Location: end})
	return places, []sarif.CodeFlow{{Threads: []sarif.ThreadFlow{{Locations: way}}}}
}

func (s *sarifWriter) location(r Region) sarif.Location {
	return sarif.Location{Physical: &sarif.Physical{Artifact: sarif.ArtifactBelow(s.dir, sarifRoot,
		r.File), Region: s.region(r)}}
}

// region counts characters where r counts bytes. The column after the end is endColumn (s. 3.30.8),
// as in go/token.
func (s *sarifWriter) region(r Region) sarif.Region {
	out := sarif.Region{Line: max(r.Line, 1)}
	if r.Col == 0 {
		return out
	}
	src := s.sources.of(r.File)
	out.Column = src.runes(r.Line, r.Col)
	if r.EndCol > 0 && (r.EndLine != r.Line || r.EndCol > r.Col) {
		out.EndLine, out.EndColumn = r.EndLine, src.runes(r.EndLine, r.EndCol)
	}
	return out
}
