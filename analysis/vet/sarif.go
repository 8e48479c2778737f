package vet

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// This file writes SARIF: Static Analysis Results Interchange Format, Version 2.1.0, OASIS
// Standard, 2020 ("s. n" below is a section of it). The types are its objects, with the properties
// that are used here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                `json:"tool"`
		Invocations []sarifInvocation        `json:"invocations"`
		Bases       map[string]sarifArtifact `json:"originalUriBaseIds,omitempty"`
		ColumnKind  string                   `json:"columnKind"`
		Results     []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		URI   string      `json:"informationUri"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string     `json:"id"`
		Short   sarifText  `json:"shortDescription"`
		Full    sarifText  `json:"fullDescription"`
		Help    sarifText  `json:"help"`
		Default sarifLevel `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Flows        []sarifCodeFlow   `json:"codeFlows,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifCodeFlow struct {
		Threads []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct {
		Location sarifLocation `json:"location"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Logical  []sarifName   `json:"logicalLocations,omitempty"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifName struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn,omitempty"`
		EndLine   int `json:"endLine,omitempty"`
		EndColumn int `json:"endColumn,omitempty"`
	}
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	// the uriBaseId of the current directory, below which locations are relative
	sarifRoot = "SRCROOT"
	homePage  = "https://github.com/rehearse-go/rehearse"
)

// WriteSARIF writes the findings as SARIF. A failure is what kept some packages from being looked
// at, or nil.
func (r *Report) WriteSARIF(w io.Writer, failure error) error {
	s := &sarifWriter{dir: workingDir(), sources: r.sources}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{"rehearse", homePage, rules(r.checks)}},
		Invocations: []sarifInvocation{invocation(failure)},
		Bases:       map[string]sarifArtifact{sarifRoot: {URI: fileURI(s.dir) + "/"}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{}, // null means that nothing was looked at (s. 3.14.23)
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, s.result(f, r.checks))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func invocation(failure error) sarifInvocation {
	if failure == nil {
		return sarifInvocation{Successful: true}
	}
	return sarifInvocation{Notifications: []sarifNotification{{"error", sarifText{failure.Error()}}}}
}

// rules are the checks with their docs: the first line, the first paragraph after it, and all of
// it.
func rules(checks []*analysis.Analyzer) []sarifRule {
	out := []sarifRule{}
	for _, a := range checks {
		title, rest, _ := strings.Cut(strings.TrimSpace(a.Doc), "\n")
		first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
		if first == "" {
			first = title
		}
		full := strings.Join(strings.Fields(first), " ")
		out = append(out, sarifRule{a.Name, sarifText{title}, sarifText{full}, sarifText{a.Doc}, sarifLevel{"warning"}})
	}
	return out
}

// sarifWriter writes places.
type sarifWriter struct {
	dir     string
	sources *sources
}

func (s *sarifWriter) result(f *Finding, checks []*analysis.Analyzer) sarifResult {
	at := s.location(f.At)
	at.Logical = logical(f)
	out := sarifResult{
		RuleID: f.Check,
		// -1: s. 3.27.6
		RuleIndex:    slices.IndexFunc(checks, func(a *analysis.Analyzer) bool { return a.Name == f.Check }),
		Level:        "warning",
		Message:      sarifText{f.Message},
		Locations:    []sarifLocation{at},
		Fingerprints: map[string]string{"rehearse/v1": f.Fingerprint().hash()},
	}
	if len(f.Related) > 0 {
		out.Related, out.Flows = s.related(f)
	}
	return out
}

func logical(f *Finding) []sarifName {
	if f.function == "" {
		return []sarifName{{f.Package, "module"}}
	}
	return []sarifName{{f.Package + "." + f.function, "function"}}
}

// related are the other places of f, and the way through all of them, for viewers that go step by
// step.
func (s *sarifWriter) related(f *Finding) ([]sarifLocation, []sarifCodeFlow) {
	var places []sarifLocation
	var way []sarifStep
	for i, p := range f.Related {
		l := s.location(p.At)
		l.Message = &sarifText{p.Message}
		way = append(way, sarifStep{l})
		l.ID = i + 1
		places = append(places, l)
	}
	end := s.location(f.At)
	end.Message = &sarifText{f.Message}
	way = append(way, sarifStep{end})
	return places, []sarifCodeFlow{{[]sarifThreadFlow{{way}}}}
}

func (s *sarifWriter) location(r Region) sarifLocation {
	return sarifLocation{Physical: sarifPhysical{s.artifact(r.File), s.region(r)}}
}

// artifact is a file: relative to the current directory if it is below, else an absolute URI.
func (s *sarifWriter) artifact(file string) sarifArtifact {
	name := short(s.dir, file)
	if filepath.IsAbs(name) {
		return sarifArtifact{URI: fileURI(name)}
	}
	return sarifArtifact{(&url.URL{Path: filepath.ToSlash(name)}).String(), sarifRoot}
}

// fileURI is the URI of an absolute file name. On Windows a slash precedes the drive.
func fileURI(file string) string {
	file = filepath.ToSlash(file)
	if !strings.HasPrefix(file, "/") {
		file = "/" + file
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(file, "/")}).String()
}

// region counts characters where r counts bytes. The column after the end is endColumn (s. 3.30.8),
// as in go/token.
func (s *sarifWriter) region(r Region) sarifRegion {
	out := sarifRegion{Line: max(r.Line, 1)}
	if r.Col == 0 {
		return out
	}
	src := s.sources.of(r.File)
	out.Column = src.runes(r.Line, r.Col)
	if r.EndCol > 0 && (r.EndLine != r.Line || r.EndCol > r.Col) {
		out.EndLine, out.EndColumn = r.EndLine, src.runes(r.EndLine, r.EndCol)
	}
	return out
}
