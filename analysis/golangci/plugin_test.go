package golangci

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// load makes the linter as golangci-lint does: by its name, with settings as decoded from YAML.
func load(t *testing.T, settings any) ([]*analysis.Analyzer, error) {
	t.Helper()
	newLinter, err := register.GetPlugin("rehearse")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newLinter(settings)
	if err != nil {
		return nil, err
	}
	if p.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", p.GetLoadMode())
	}
	return p.BuildAnalyzers()
}

func names(list []*analysis.Analyzer) map[string]*analysis.Analyzer {
	out := map[string]*analysis.Analyzer{}
	for _, a := range list {
		out[a.Name] = a
	}
	return out
}

func TestPlugin(t *testing.T) {
	list, err := load(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil {
		t.Fatal(err)
	}
	uniqueness := names(list)["uniqueness"]
	if uniqueness == nil {
		t.Fatalf("got %v", list)
	}
	analysistest.Run(t, analysistest.TestData(), uniqueness, "p")
}

func TestSettings(t *testing.T) {
	list, err := load(t, map[string]any{"disable": []any{"uniqueness"}})
	if err != nil || names(list)["uniqueness"] != nil || names(list)["ignore"] == nil {
		t.Errorf("%v, %v", list, err)
	}
	for _, bad := range []any{map[string]any{"disable": []any{"uniqeness"}},
		map[string]any{"disabled": []any{"uniqueness"}}} {
		if _, err := load(t, bad); err == nil {
			t.Errorf("%v is no error", bad)
		}
	}
}

// TestSteps asks whether findings come with their other places, with and without the setting.
func TestSteps(t *testing.T) {
	for _, steps := range []bool{false, true} {
		list, err := load(t, map[string]any{"steps": steps})
		if err != nil {
			t.Fatal(err)
		}
		places := false
		for _, r := range analysistest.Run(quiet{t}, analysistest.TestData(),
			names(list)["uniqueness"], "p") {
			if len(r.Diagnostics) == 0 {
				t.Error("there is no finding")
			}
			for _, d := range r.Diagnostics {
				places = places || len(d.Related) > 0
			}
		}
		if places != steps {
			t.Errorf("steps %v: other places %v", steps, places)
		}
	}
}

// quiet drops what analysistest says of findings.
type quiet struct{ *testing.T }

func (quiet) Errorf(string, ...any) {}
