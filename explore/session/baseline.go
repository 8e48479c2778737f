package session

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
)

// readBaseline reads which findings are known.
func (s *suite) readBaseline() (err error) {
	if s.opts.Baseline != "" && !s.opts.WriteBaseline {
		s.known, err = report.ReadBaseline(s.opts.Baseline)
	}
	return err
}

// knows reports whether a finding is set aside, and if so, as what.
func (e *exploration) knows(kind explore.FindingKind, message string) (report.Known, bool) {
	k := report.KnownAs(e.suite.pkg.Path, e.test.Name, string(kind), message)
	judged := kind != explore.Uncontrolled && kind != unsupported && kind != explore.Suspect
	return k, judged && (e.suite.opts.WriteBaseline || slices.Contains(e.suite.known, k))
}

// knowsFinding reports whether the baseline has a finding of a search.
func (e *exploration) knowsFinding(f *explore.Finding) bool {
	_, known := e.knows(f.Kind, f.Message)
	return known
}

// setAside adds a known finding to the result.
func (e *exploration) setAside(found *depict.Finding, k report.Known) *depict.Finding {
	e.result.Known = append(e.result.Known, found)
	e.suite.total.Known = report.AddKnown(e.suite.total.Known, k)
	return found
}

// noteGone notes the known findings of a test that were not met although all has been explored.
func (s *suite) noteGone(r *report.Test) {
	for _, k := range s.known {
		if k.Package == s.pkg.Path && k.Test == r.Name && r.Complete &&
			!slices.Contains(s.total.Known, k) {
			s.total.Gone = report.AddKnown(s.total.Gone, k)
		}
	}
}
