// Package golangci makes the checks of rehearse vet a linter of golangci-lint, by its module plugin
// system. It is a module of its own, so that the main one does not depend on golangci-lint's.
//
// golangci-lint has to be built with it. A file .custom-gcl.yml says so (path: a checkout of this
// repository; version: takes its place once there is a release):
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/rehearse-go/rehearse/analysis/golangci
//	    path: rehearse/analysis/golangci
//	  - module: github.com/rehearse-go/rehearse
//	    import: github.com/rehearse-go/rehearse/analysis/suite
//	    path: rehearse
//
// Then `golangci-lint custom` builds custom-gcl, and .golangci.yml has:
//
//	version: "2"
//	linters:
//	  enable:
//	    - rehearse
//	  settings:
//	    custom:
//	      rehearse:
//	        type: module
//	        settings:
//	          disable: [uniqueness]
//
// The second plugin entry is there because golangci-lint's build does not see the replace directive
// of this module's go.mod; with released versions it is not needed.
//
// Guarantees: the same findings as rehearse vet, with the same comments honoured.
//
// LIMITS: flags of single checks cannot be set. golangci-lint prints each other place of a finding
// as an issue of its own, sorted by line, so that the steps of several findings mix. They are left
// out, unless the settings say steps: true. golangci-lint prints at most 50 issues of a linter, and
// one of a line: issues.max-issues-per-linter: 0 and issues.uniq-by-line: false show all. It warns
// of a //nolint that names a single check, which it does not know; //nolint:rehearse, or
// //rehearse:ignore, is what it does not warn of.
package golangci

import (
	"fmt"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/suite"
)

func init() { register.Plugin("rehearse", New) }

// Settings are those of .golangci.yml.
type Settings struct {
	Disable []string `json:"disable"` // names of checks
	Steps   bool     `json:"steps"`   // the other places of findings are issues, too
}

// New makes the linter.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, fmt.Errorf("rehearse: settings: %w", err)
	}
	p := &plugin{suite.Checks(s.Disable...)}
	if !s.Steps {
		p.leaveOutPlaces()
	}
	return p, p.disable(s.Disable)
}

// plugin is the linter.
type plugin struct{ checks []*analysis.Analyzer }

// BuildAnalyzers returns the checks that are not disabled.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return p.checks, nil }

// GetLoadMode says that checks need types; golangci-lint itself loads what facts need.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// leaveOutPlaces makes the checks report findings without other places. The checks are copies that
// nobody else has.
func (p *plugin) leaveOutPlaces() {
	for _, a := range p.checks {
		run := a.Run
		a.Run = func(pass *analysis.Pass) (any, error) {
			without := *pass
			without.Report = func(d analysis.Diagnostic) {
				d.Related = nil
				pass.Report(d)
			}
			return run(&without)
		}
	}
}

func (p *plugin) disable(names []string) error {
	var known []string
	for _, a := range p.checks {
		known = append(known, a.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("rehearse: there is no check called %s; there are %s", name,
				strings.Join(known, ", "))
		}
	}
	p.checks = slices.DeleteFunc(p.checks,
		func(a *analysis.Analyzer) bool { return slices.Contains(names, a.Name) })
	return nil
}
