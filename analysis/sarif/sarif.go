// Package sarif has the objects of SARIF: Static Analysis Results Interchange Format, Version
// 2.1.0, OASIS Standard, 2020 ("s. n" is a section of it), with the properties that are used here.
package sarif

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// The objects, by the names that the standard has for them.
type (
	Log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []Run  `json:"runs"`
	}
	Run struct {
		Tool        Tool                `json:"tool"`
		Invocations []Invocation        `json:"invocations"`
		Bases       map[string]Artifact `json:"originalUriBaseIds,omitempty"`
		Automation  *Automation         `json:"automationDetails,omitempty"`
		ColumnKind  string              `json:"columnKind"`
		Results     []Result            `json:"results"`
	}
	Automation struct {
		ID string `json:"id"`
	}
	Tool struct {
		Driver Driver `json:"driver"`
	}
	Driver struct {
		Name  string `json:"name"`
		URI   string `json:"informationUri"`
		Rules []Rule `json:"rules"`
	}
	Rule struct {
		ID      string `json:"id"`
		Short   Text   `json:"shortDescription"`
		Full    Text   `json:"fullDescription"`
		Help    Text   `json:"help"`
		Default Level  `json:"defaultConfiguration"`
	}
	Text struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	Level struct {
		Level string `json:"level"`
	}
	Invocation struct {
		Successful    bool           `json:"executionSuccessful"`
		Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
	}
	Notification struct {
		Level   string `json:"level"`
		Message Text   `json:"message"`
	}
	Result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      Text              `json:"message"`
		Locations    []Location        `json:"locations"`
		Related      []Location        `json:"relatedLocations,omitempty"`
		Flows        []CodeFlow        `json:"codeFlows,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	CodeFlow struct {
		Message *Text        `json:"message,omitempty"`
		Threads []ThreadFlow `json:"threadFlows"`
	}
	ThreadFlow struct {
		ID        string `json:"id,omitempty"`
		Locations []Step `json:"locations"`
	}
	Step struct {
		Location   Location `json:"location"`
		Order      int      `json:"executionOrder,omitempty"`
		Importance string   `json:"importance,omitempty"`
	}
	Location struct {
		ID       int       `json:"id,omitempty"`
		Physical *Physical `json:"physicalLocation,omitempty"`
		Logical  []Name    `json:"logicalLocations,omitempty"`
		Message  *Text     `json:"message,omitempty"`
	}
	Name struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	Physical struct {
		Artifact Artifact `json:"artifactLocation"`
		Region   Region   `json:"region"`
	}
	Artifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	Region struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn,omitempty"`
		EndLine   int `json:"endLine,omitempty"`
		EndColumn int `json:"endColumn,omitempty"`
	}
)

// The constants of a log.
const (
	Schema   = "https://json.schemastore.org/sarif-2.1.0.json"
	Version  = "2.1.0"
	HomePage = "https://github.com/rehearse-go/rehearse"
)

// Write writes a log of one run.
func Write(w io.Writer, run Run) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(Log{Schema, Version, []Run{run}})
}

// ArtifactBelow is a file: relative to dir, which base stands for, if it is below; else an absolute
// URI.
func ArtifactBelow(dir, base, file string) Artifact {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return Artifact{(&url.URL{Path: filepath.ToSlash(rel)}).String(), base}
	}
	return Artifact{URI: FileURI(file)}
}

// FileURI is the URI of an absolute file name. On Windows a slash precedes the drive.
func FileURI(file string) string {
	file = filepath.ToSlash(file)
	if !strings.HasPrefix(file, "/") {
		file = "/" + file
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(file, "/")}).String()
}
