package corpus

import (
	"flag"
	"testing"
	"time"
)

var (
	fetch  = flag.Bool("fetch", false, "fetch the modules and explore their tests")
	budget = flag.Duration("budget", time.Minute, "explore each subject for that `long`")
	update = flag.Bool("update", false, "write docs/CORPUS.md")
)

// TestCorpus runs the subjects' tests under control. A test that fails must fail natively, too, or
// its finding must have been verified.
func TestCorpus(t *testing.T) {
	if !*fetch || *wideBudget > 0 || *freshBudget > 0 || *twelveBudget > 0 {
		t.Skip("it fetches modules and explores each for a minute; -fetch asks for it")
	}
	rehearse := buildRehearse(t)
	var rows []*row
	for _, s := range subjects {
		t.Run(s.name(), func(t *testing.T) {
			r := s.explore(t, rehearse, s.fetch(t), *budget)
			r.verified = verified
			r.check(t)
			rows = append(rows, r)
		})
	}
	if *update && len(rows) == len(subjects) {
		must(t, rewriteSection(corpusFile, 0, document(rows, *budget)))
	}
}

// check logs what became of each test, and fails for a finding that nobody has confirmed.
func (r *row) check(t *testing.T) {
	t.Helper()
	t.Log(r.line())
	for _, one := range r.results {
		t.Logf("%s: %s, %d executions %s", one.Test, one.became(), one.Executions, one.Reason)
		for _, f := range one.Findings {
			t.Logf("    %s %s: %s", f.Pos, f.Kind, f.Message)
		}
		if one.became() == "failing" && r.remark(one.Test) == "" {
			t.Errorf("%s: a finding that has not been verified", one.Test)
		}
	}
}
