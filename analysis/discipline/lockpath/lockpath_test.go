package lockpath

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestAnalyzer(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "lockpath")
	analysistest.Run(t, analysistest.TestData(), Analyzer, "flights")
}

// TestOtherPackages looks at locks that methods of another package take, whose code is a fact.
func TestOtherPackages(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "example.org/teller",
		"example.org/vault")
}
