package discipline

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestUniqueness(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Uniqueness, "uniqueness", "silent")
}

func TestValid(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{Uniqueness}); err != nil {
		t.Error(err)
	}
}
