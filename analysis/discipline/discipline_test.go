package discipline

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// fixtures are the packages of testdata on which each rule is run. All is run on all of the others,
// too: what is legal by one rule must not be reported by another.
var fixtures = map[*analysis.Analyzer][]string{
	Uniqueness:  {"uniqueness", "silent"},
	SelfSend:    {"selfsend", "params2"},
	NoReply:     {"noreply"},
	Ownership:   {"ownership"},
	SendClosed:  {"sendclosed", "params"},
	Persistence: {"persistence"},
	Isolation:   {"isolation"},
	Freshness:   {"freshness"},
	Kinds:       {"kinds"},
	TimeAfter:   {"timeafter"},
	NoStop:      {"nostop"},
	Cycles:      {"cycles"},
	GiveUp:      {"giveup"},
}

func TestFixtures(t *testing.T) {
	for a, pkgs := range fixtures {
		t.Run(a.Name, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), a, pkgs...) })
	}
}

// TestFixes applies the fixes, and compares what comes out with the golden files.
func TestFixes(t *testing.T) {
	for _, a := range []*analysis.Analyzer{GiveUp, TimeAfter, Ownership} {
		t.Run(a.Name, func(t *testing.T) { analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), a, "fixes/"+a.Name) })
	}
}

// TestParams compares the facts.
func TestParams(t *testing.T) { analysistest.Run(t, analysistest.TestData(), Params, "params/helper") }

func TestValid(t *testing.T) {
	var all []*analysis.Analyzer
	for a := range fixtures {
		all = append(all, a)
	}
	if err := analysis.Validate(all); err != nil {
		t.Error(err)
	}
}

// TestDoc checks that each doc says what, why, an example, how to mend, and what is not seen.
func TestDoc(t *testing.T) {
	for a := range fixtures {
		for _, part := range []string{"check that ", "\n\nExample:\n\n\t", "\n\nFix: ", "\n\nNot reported: "} {
			if !strings.Contains(a.Doc, part) {
				t.Errorf("%s: its doc has no %q", a.Name, part)
			}
		}
	}
}
