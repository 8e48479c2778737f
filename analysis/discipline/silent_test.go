package discipline

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// TestSilent runs all rules on code that none of them may report.
func TestSilent(t *testing.T) {
	all := &analysis.Analyzer{Name: "all", Doc: "run all rules", Requires: []*analysis.Analyzer{Code, Survey},
		Run: func(pass *analysis.Pass) (any, error) {
			for a := range fixtures {
				if _, err := a.Run(pass); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}}
	analysistest.Run(t, analysistest.TestData(), all, "silent", "patterns")
}
