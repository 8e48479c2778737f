package vet

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/internal/lab/conform"
)

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
	r := &Report{sources: newSources(),
		checks: []*analysis.Analyzer{{Name: "x", Doc: "check x\n\nIt says\nmore.\n\nExample."}}}
	r.Findings = []*Finding{{Check: "x", Package: "example.org/p",
		At: Region{file, 4, byteCol, 4, byteCol + 3}, Message: "m",
		Related: []Place{{Region{file, 3, 1, 3, 1}, "first"},
			{Region{"/elsewhere/q.go", 9, 0, 9, 0}, "second"}}}}
	r.number()
	var out bytes.Buffer
	if err := r.WriteSARIF(&out, failure); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range conform.SARIF(out.Bytes()) {
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
		"locations": `[{"logicalLocations":[{"fullyQualifiedName":"example.org/p.F","kind":"function"}],"physicalLocation":` +
			at + `}]`,
		"relatedLocations": `[{"id":1,"message":{"text":"first"},"physicalLocation":` + first +
			`},` +
			`{"id":2,"message":{"text":"second"},"physicalLocation":` + second + `}]`,
		"codeFlows": `[{"threadFlows":[{"locations":[{"location":{"message":{"text":"first"},"physicalLocation":` +
			first + `}},` +
			`{"location":{"message":{"text":"second"},"physicalLocation":` + second + `}},` +
			`{"location":{"message":{"text":"m"},"physicalLocation":` + at + `}}]}]}]`,
		"ruleId": `"x"`, "ruleIndex": "0",
	} {
		if got := compact(result[name]); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"]
	if got := compact(rules); !strings.Contains(got,
		`"fullDescription":{"text":"It says more."}`) || !strings.Contains(got,
		`"shortDescription":{"text":"check x"}`) {
		t.Errorf("rules %s", got)
	}
	base := run["originalUriBaseIds"].(map[string]any)["SRCROOT"].(map[string]any)["uri"].(string)
	if !strings.HasPrefix(base, "file:///") || !strings.HasSuffix(base, "/") {
		t.Errorf("base %s", base)
	}
}

// TestFailedSARIF checks that a run says so if it could not look at all packages.
func TestFailedSARIF(t *testing.T) {
	run := written(t, errors.New("p.go:1:1: no"))
	i := run["invocations"].([]any)[0].(map[string]any)
	if i["executionSuccessful"] != false || len(i["toolExecutionNotifications"].([]any)) != 1 {
		t.Errorf("got %v", i)
	}
}
