package discipline_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/discipline/selfsend"
	"github.com/rehearse-go/rehearse/analysis/discipline/sendclosed"
)

// TestParams compares the facts about functions with what the fixture says.
func TestParams(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), discipline.Params, "params/helper")
}

// TestParamsUsed runs two checks on packages that call those functions.
func TestParamsUsed(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), sendclosed.Analyzer, "params")
	analysistest.Run(t, analysistest.TestData(), selfsend.Analyzer, "params2")
}
