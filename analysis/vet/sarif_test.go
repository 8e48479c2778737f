package vet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// object is what the standard's schema (SARIF 2.1.0, OASIS, with errata 01) says about one kind of
// object: the properties that it must have, and the kinds of those that it may have and that are
// used here. Of alternatives ("text or id"), it is the one that is used. All other properties are
// an error: most of them would be one in the schema, too.
type object struct {
	required []string
	// "string", "uri", "bool", "int>=N", "a|b" of words, an object's name; "[]" or "[]some "
	// before: an array
	kinds map[string]string
}

// schema has the objects by name.
var schema = map[string]object{
	"sarifLog": {[]string{"version", "runs"}, map[string]string{"$schema": "uri", "version": "2.1.0", "runs": "[]run"}},
	"run": {[]string{"tool"}, map[string]string{"tool": "tool", "invocations": "[]invocation",
		"originalUriBaseIds": "map artifactLocation", "columnKind": "utf16CodeUnits|unicodeCodePoints", "results": "[]result"}},
	"tool": {[]string{"driver"}, map[string]string{"driver": "toolComponent"}},
	"toolComponent": {[]string{"name"},
		map[string]string{"name": "string", "informationUri": "uri", "rules": "[]reportingDescriptor"}},
	"reportingDescriptor": {[]string{"id"}, map[string]string{"id": "string", "shortDescription": "multiformatMessageString",
		"fullDescription": "multiformatMessageString", "help": "multiformatMessageString",
		"defaultConfiguration": "reportingConfiguration"}},
	"multiformatMessageString": {[]string{"text"}, map[string]string{"text": "string"}},
	"message":                  {[]string{"text"}, map[string]string{"text": "string"}},
	"reportingConfiguration":   {nil, map[string]string{"level": "none|note|warning|error"}},
	"invocation": {[]string{"executionSuccessful"},
		map[string]string{"executionSuccessful": "bool", "toolExecutionNotifications": "[]notification"}},
	"notification": {[]string{"message"}, map[string]string{"level": "none|note|warning|error", "message": "message"}},
	"result": {[]string{"message"}, map[string]string{"ruleId": "string", "ruleIndex": "int>=-1", "level": "none|note|warning|error",
		"message": "message", "locations": "[]location", "relatedLocations": "[]location", "codeFlows": "[]codeFlow",
		"partialFingerprints": "map string"}},
	"codeFlow":           {[]string{"threadFlows"}, map[string]string{"threadFlows": "[]some threadFlow"}},
	"threadFlow":         {[]string{"locations"}, map[string]string{"locations": "[]some threadFlowLocation"}},
	"threadFlowLocation": {nil, map[string]string{"location": "location"}},
	"location": {nil, map[string]string{"id": "int>=-1", "physicalLocation": "physicalLocation",
		"logicalLocations": "[]logicalLocation", "message": "message"}},
	"logicalLocation":  {nil, map[string]string{"fullyQualifiedName": "string", "kind": "string"}},
	"physicalLocation": {[]string{"artifactLocation"}, map[string]string{"artifactLocation": "artifactLocation", "region": "region"}},
	"artifactLocation": {nil, map[string]string{"uri": "uri", "uriBaseId": "string"}},
	"region": {[]string{"startLine"}, map[string]string{"startLine": "int>=1", "startColumn": "int>=1", "endLine": "int>=1",
		"endColumn": "int>=1"}},
}

// conform compares a value with a kind, and returns what is wrong.
func conform(path, kind string, v any) []string {
	bad := func() []string { return []string{fmt.Sprintf("%s is %v, want %s", path, v, kind)} }
	if of, ok := strings.CutPrefix(kind, "[]"); ok {
		return conformArray(path, of, v)
	}
	if of, ok := strings.CutPrefix(kind, "map "); ok {
		return conformMap(path, of, v)
	}
	if _, ok := schema[kind]; ok {
		return conformObject(path, kind, v)
	}
	text, isText := v.(string)
	switch {
	case kind == "bool":
		if _, ok := v.(bool); ok {
			return nil
		}
	case strings.HasPrefix(kind, "int>="):
		var least float64
		fmt.Sscanf(kind, "int>=%g", &least)
		if n, ok := v.(float64); ok && n == math.Trunc(n) && n >= least {
			return nil
		}
	case kind == "uri":
		if _, err := url.Parse(text); isText && err == nil && text != "" && !strings.ContainsAny(text, " \\") {
			return nil
		}
	case kind == "string":
		if isText && text != "" {
			return nil
		}
	case isText && slices.Contains(strings.Split(kind, "|"), text):
		return nil
	}
	return bad()
}

func conformArray(path, of string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		return []string{path + " is no array"}
	}
	of, some := strings.CutPrefix(of, "some ")
	if some && len(list) == 0 {
		return []string{path + " is empty"}
	}
	var out []string
	for i, x := range list {
		out = append(out, conform(fmt.Sprintf("%s[%d]", path, i), of, x)...)
	}
	return out
}

func conformMap(path, of string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{path + " is no object"}
	}
	var out []string
	for k, x := range m {
		out = append(out, conform(path+"."+k, of, x)...)
	}
	return out
}

func conformObject(path, kind string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{path + " is no object"}
	}
	var out []string
	for _, name := range schema[kind].required {
		if _, ok := m[name]; !ok {
			out = append(out, path+" has no "+name)
		}
	}
	for name, x := range m {
		of, ok := schema[kind].kinds[name]
		if !ok {
			out = append(out, fmt.Sprintf("%s has %s, which a %s may not", path, name, kind))
			continue
		}
		out = append(out, conform(path+"."+name, of, x)...)
	}
	return out
}

// written is the report of one finding, read again.
func written(t *testing.T, failure error) map[string]any {
	t.Helper()
	t.Chdir(t.TempDir())
	dir := workingDir()
	file := filepath.Join(dir, "a b", "p.go")
	if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "package p\n\nfunc F() {\n\ts := \"é\"; use(s)\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	byteCol := strings.Index("\ts := \"é\"; use(s)", "use") + 1
	r := &Report{sources: newSources(), checks: []*analysis.Analyzer{{Name: "x", Doc: "check x\n\nIt says\nmore.\n\nExample."}}}
	r.Findings = []*Finding{{Check: "x", Package: "example.org/p", At: Region{file, 4, byteCol, 4, byteCol + 3}, Message: "m",
		Related: []Place{{Region{file, 3, 1, 3, 1}, "first"}, {Region{"/elsewhere/q.go", 9, 0, 9, 0}, "second"}}}}
	r.number()
	var out bytes.Buffer
	if err := r.WriteSARIF(&out, failure); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range conform("$", "sarifLog", v) {
		t.Error(wrong)
	}
	return v["runs"].([]any)[0].(map[string]any)
}

func TestSARIF(t *testing.T) {
	run := written(t, nil)
	compact := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	result := run["results"].([]any)[0].(map[string]any)
	at := `{"artifactLocation":{"uri":"a%20b/p.go","uriBaseId":"SRCROOT"},"region":{"endColumn":15,"endLine":4,"startColumn":12,"startLine":4}}`
	first := `{"artifactLocation":{"uri":"a%20b/p.go","uriBaseId":"SRCROOT"},"region":{"startColumn":1,"startLine":3}}`
	second := `{"artifactLocation":{"uri":"file:///elsewhere/q.go"},"region":{"startLine":9}}`
	for name, want := range map[string]string{
		"locations": `[{"logicalLocations":[{"fullyQualifiedName":"example.org/p.F","kind":"function"}],"physicalLocation":` + at + `}]`,
		"relatedLocations": `[{"id":1,"message":{"text":"first"},"physicalLocation":` + first + `},` +
			`{"id":2,"message":{"text":"second"},"physicalLocation":` + second + `}]`,
		"codeFlows": `[{"threadFlows":[{"locations":[{"location":{"message":{"text":"first"},"physicalLocation":` + first + `}},` +
			`{"location":{"message":{"text":"second"},"physicalLocation":` + second + `}},` +
			`{"location":{"message":{"text":"m"},"physicalLocation":` + at + `}}]}]}]`,
		"ruleId": `"x"`, "ruleIndex": "0",
	} {
		if got := compact(result[name]); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"]
	if got := compact(rules); !strings.Contains(got, `"fullDescription":{"text":"It says more."}`) || !strings.Contains(got, `"shortDescription":{"text":"check x"}`) {
		t.Errorf("rules %s", got)
	}
	base := run["originalUriBaseIds"].(map[string]any)["SRCROOT"].(map[string]any)["uri"].(string)
	if !strings.HasPrefix(base, "file:///") || !strings.HasSuffix(base, "/") {
		t.Errorf("base %s", base)
	}
}

// TestFailedSARIF checks that a run that could not see all says so.
func TestFailedSARIF(t *testing.T) {
	run := written(t, errors.New("p.go:1:1: no"))
	i := run["invocations"].([]any)[0].(map[string]any)
	if i["executionSuccessful"] != false || len(i["toolExecutionNotifications"].([]any)) != 1 {
		t.Errorf("got %v", i)
	}
}

// TestConform checks the checker.
func TestConform(t *testing.T) {
	for text, want := range map[string]string{
		`{"version":"2.1.0","runs":[]}`: "",
		`{"runs":[]}`:                   "has no version",
		`{"version":"2.0","runs":[]}`:   "want 2.1.0",
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"more":1}]}`:                                   "may not",
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{},"ruleIndex":1.5}]}]}`: "want int>=-1",
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(conform("$", "sarifLog", v), "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
