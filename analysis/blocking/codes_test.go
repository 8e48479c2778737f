package blocking

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestCodes compares the facts about functions with what the fixtures say.
func TestCodes(t *testing.T) {
	fixtures, err := filepath.Abs("../discipline/leak/testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, fixtures, Codes, "example.org/answers",
		"example.org/chain")
}
