package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Refusal is a reason why a test is not explored: it can reach something that is not controlled. The command finds
// them, before the binary is built.
type Refusal struct {
	Test    string
	Site    string // where it is, "/dir/file.go:12:3"
	Message string // what it is, why that matters, and how the test reaches it
}

// unsupported is the kind of a refusal's finding.
const unsupported explore.FindingKind = "unsupported"

// refuse reports a test that must not be explored. It returns nil for all others.
func (s *suite) refuse(t gate.Test) *report.Test {
	r := &report.Test{Package: s.pkg.Path, Name: t.Name, Verdict: report.Error,
		Result: explore.Result{Reason: "not explored"},
		Model:  s.opts.Model, Strategy: s.opts.Strategy, Order: s.opts.Order}
	for _, refusal := range s.pkg.Refused {
		if refusal.Test == t.Name {
			r.Findings = append(r.Findings, &report.Finding{
				Kind: unsupported, Message: refusal.Message, Pos: s.places.Of(refusal.Site), Away: -1,
			})
		}
	}
	if len(r.Findings) == 0 {
		return nil
	}
	s.out.Run(t.Name)
	for _, f := range r.Findings {
		s.out.Found(t.Name, f)
	}
	s.out.Result(r)
	return r
}
