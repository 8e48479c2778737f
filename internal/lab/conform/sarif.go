// Package conform checks what is written against the schemas of its formats. Only tests import it.
package conform

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
)

// SARIF returns what is wrong with a log.
func SARIF(log []byte) []string {
	var v any
	if err := json.Unmarshal(log, &v); err != nil {
		return []string{err.Error()}
	}
	return conform("$", "sarifLog", v)
}

// object is one kind of object in the standard's schema (SARIF 2.1.0, OASIS, with errata 01): the
// properties that it must have, and the kinds of those that it may have and that are used here. Of
// alternatives ("text or id"), it is the one that is used. All other properties are an error: most
// of them would be one in the schema, too.
type object struct {
	required []string
	// "string", "uri", "bool", "int>=N", "a|b" of words, an object's name; "[]" or "[]some "
	// before: an array
	kinds map[string]string
}

// schema has the objects by name.
var schema = map[string]object{
	"sarifLog": {[]string{"version", "runs"},
		map[string]string{"$schema": "uri", "version": "2.1.0",
			"runs": "[]run"}},
	"run": {[]string{"tool"}, map[string]string{"tool": "tool", "invocations": "[]invocation",
		"originalUriBaseIds": "map artifactLocation", "automationDetails": "runAutomationDetails",
		"columnKind": "utf16CodeUnits|unicodeCodePoints", "results": "[]result"}},
	"runAutomationDetails": {nil, map[string]string{"id": "string"}},
	"tool":                 {[]string{"driver"}, map[string]string{"driver": "toolComponent"}},
	"toolComponent": {[]string{"name"},
		map[string]string{"name": "string", "informationUri": "uri",
			"rules": "[]reportingDescriptor"}},
	"reportingDescriptor": {[]string{"id"},
		map[string]string{"id": "string", "shortDescription": "multiformatMessageString",
			"fullDescription": "multiformatMessageString", "help": "multiformatMessageString",
			"defaultConfiguration": "reportingConfiguration"}},
	"multiformatMessageString": {[]string{"text"},
		map[string]string{"text": "string", "markdown": "string"}},
	"message":                {[]string{"text"}, map[string]string{"text": "string"}},
	"reportingConfiguration": {nil, map[string]string{"level": "none|note|warning|error"}},
	"invocation": {[]string{"executionSuccessful"},
		map[string]string{"executionSuccessful": "bool",
			"toolExecutionNotifications": "[]notification"}},
	"notification": {[]string{"message"},
		map[string]string{"level": "none|note|warning|error", "message": "message"}},
	"result": {[]string{"message"}, map[string]string{"ruleId": "string", "ruleIndex": "int>=-1",
		"level":   "none|note|warning|error",
		"message": "message", "locations": "[]location", "relatedLocations": "[]location",
		"codeFlows":           "[]codeFlow",
		"partialFingerprints": "map string"}},
	"codeFlow": {[]string{"threadFlows"},
		map[string]string{"message": "message", "threadFlows": "[]some threadFlow"}},
	"threadFlow": {[]string{"locations"},
		map[string]string{"id": "string", "locations": "[]some threadFlowLocation"}},
	"threadFlowLocation": {nil,
		map[string]string{"location": "location", "executionOrder": "int>=-1",
			"importance": "important|essential|unimportant"}},
	"location": {nil, map[string]string{"id": "int>=-1", "physicalLocation": "physicalLocation",
		"logicalLocations": "[]logicalLocation", "message": "message"}},
	"logicalLocation": {nil, map[string]string{"fullyQualifiedName": "string", "kind": "string"}},
	"physicalLocation": {[]string{"artifactLocation"},
		map[string]string{"artifactLocation": "artifactLocation", "region": "region"}},
	"artifactLocation": {nil, map[string]string{"uri": "uri", "uriBaseId": "string"}},
	"region": {[]string{"startLine"},
		map[string]string{"startLine": "int>=1", "startColumn": "int>=1",
			"endLine":   "int>=1",
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
		if _, err := url.Parse(text); isText && err == nil && text != "" &&
			!strings.ContainsAny(text, " \\") {
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
