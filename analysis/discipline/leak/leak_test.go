package leak

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "leak")
}

// TestOtherPackages looks at calls of functions of other packages, whose code is a fact.
func TestOtherPackages(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "example.org/caller")
}
