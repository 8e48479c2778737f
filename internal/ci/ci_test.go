package ci

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/sarif"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/lab/conform"
)

// traceOf is a trace of n steps of two processes in turn, of which steps 100 and 101 decide if
// there are so many.
func traceOf(n int) *record.Trace {
	x := &record.Trace{Role: record.Failing, Parting: min(100, n-1),
		Decision: &record.Decision{First: int32(min(100, n-1)), Second: int32(min(101, n-1))},
		Procs:    []record.Proc{{Name: "a`<b>"}, {Name: "c;#d"}}, Texts: []string{"send ch1"},
		Values: []string{"</details>`"},
		Sites:  []record.Site{{Place: "p.go:3", File: "/src/p/p.go", Line: 3}}}
	e := &x.Events
	for i := range n {
		e.Kind, e.Proc, e.Partner = append(e.Kind, 1), append(e.Proc, int32(i%2)),
			append(e.Partner, -1)
		e.Text, e.Site, e.Value = append(e.Text, 0), append(e.Site, int32(i%2)-1),
			append(e.Value, int32(i%2)-1)
	}
	return x
}

// packages are the results that a run may have: a finding, an incomplete test, a refused one, one
// that passes, a package that does not compile, and a binary that was killed.
func packages(findings, steps int) []*record.Package {
	p := &record.Package{Header: record.Header{Package: "example.org/p", Dir: "/src/p",
		Root: "/src",
		Cwd:  "/src", Go: "go1.26"}, Verdict: "fail", Seconds: 1.5}
	for i := range findings {
		p.Tests = append(p.Tests, &record.Test{Name: fmt.Sprint("TestFails", i), Verdict: "fail",
			Complete: true, Summary: "2 executions", Executions: 2, Seconds: 0.25,
			Found: []*record.Finding{{Number: 1, Kind: "fail", Message: "bad \x1b[31m\x00text",
				Sentence: "a came before b; in the passing order after. Then: bad.",
				Identity: fmt.Sprint(i),
				Pos:      "p.go:3", Schedule: "testdata/rehearse/x.sched",
				Chart:   []string{"| <chart> ```", "| -->"},
				Failing: traceOf(steps)}}})
	}
	p.Tests = append(p.Tests,
		&record.Test{Name: "TestBudget", Verdict: "pass", Reason: "-max-executions 3",
			Summary: "3 executions, incomplete"},
		&record.Test{Name: "TestRefused", Verdict: "error", Summary: "refused",
			Found: []*record.Finding{{Kind: "uncontrolled", Message: "net.Listen"}}},
		&record.Test{Name: "TestPasses", Verdict: "pass", Complete: true,
			UpTo: []string{"net/http", "net/http/internal"}})
	return []*record.Package{p,
		{Header: record.Header{Package: "example.org/q"}, Verdict: "error", Reason: "build failed"},
		{Header: record.Header{Package: "example.org/r", Cwd: "/src"}},
	}
}

func TestSARIF(t *testing.T) {
	var out bytes.Buffer
	if err := SARIF(&out, packages(2, 5000)); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range conform.SARIF(out.Bytes()) {
		t.Error(wrong)
	}
	var log sarif.Log
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 2 || run.Automation.ID != "rehearse/example.org" ||
		run.Invocations[0].Successful || len(run.Invocations[0].Notifications) != 5 {
		t.Errorf("%d results, %v, %v", len(run.Results), run.Automation, run.Invocations)
	}
	if !strings.Contains(out.String(), `"example.org/p TestPasses: complete up to net/http"`) {
		t.Error("no word of what a test is complete up to")
	}
	r := run.Results[0]
	if at := r.Locations[0].Physical; at.Artifact.URI != "p/p.go" ||
		at.Artifact.Base != "%SRCROOT%" ||
		at.Region.Line != 3 {
		t.Errorf("location %+v", at)
	}
	if r.Fingerprints["rehearse/v1"] == run.Results[1].Fingerprints["rehearse/v1"] {
		t.Error("two findings have one fingerprint")
	}
	all, important := 0, []int{}
	for _, f := range r.Flows {
		for _, thread := range f.Threads {
			all += len(thread.Locations)
		}
	}
	for _, s := range r.Flows[0].Threads[0].Locations {
		if s.Importance == "essential" {
			important = append(important, s.Order)
		}
	}
	if all > 1800 || all < 1000 || fmt.Sprint(important) != "[101 102]" ||
		len(r.Flows[1].Threads) != 2 {
		t.Errorf("%d locations, essential %v, %d threads", all, important, len(r.Flows[1].Threads))
	}
}

func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	if err := JUnit(&out, packages(2, 5)); err != nil {
		t.Fatal(err)
	}
	var all junitSuites
	if err := xml.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	if all.Tests != 7 || all.Failures != 2 || all.Errors != 3 || len(all.Suites) != 3 ||
		all.Suites[0].Skipped != 1 {
		t.Errorf("%d tests, %d failures, %d errors, %d suites", all.Tests, all.Failures, all.Errors,
			len(all.Suites))
	}
	for _, c := range all.Suites[0].Cases {
		clean := c.Failure == nil && c.Error == nil && c.Skipped == nil
		if clean != (c.Name == "TestPasses") {
			t.Errorf("%s: %+v", c.Name, c)
		}
	}
	for _, wrong := range conform.JUnit(out.Bytes()) {
		t.Error(wrong)
	}
	failure := all.Suites[0].Cases[0].Failure
	if failure.Type != "fail" || !strings.Contains(failure.Text, "| <chart> ```\n") ||
		strings.ContainsAny(out.String(), "\x00\x1b") {
		t.Errorf("%+v", failure)
	}
}

func TestAnnotations(t *testing.T) {
	var out bytes.Buffer
	Annotations(&out, packages(30, 5), "/src")
	if n := strings.Count(out.String(), "::error "); n != 10 {
		t.Errorf("%d errors", n)
	}
	if n := strings.Count(out.String(), "::notice "); n != 2 {
		t.Errorf("%d notices", n)
	}
	first, _, _ := strings.Cut(out.String(), "\n")
	if !strings.HasPrefix(first,
		"::error file=p/p.go,line=3,title=fail in TestFails0::a came before b") ||
		!strings.Contains(first, "%0A") {
		t.Error(first)
	}
}

func TestSummary(t *testing.T) {
	for _, findings := range []int{1, 300, 20_000} {
		var out bytes.Buffer
		if err := Summary(&out, packages(findings, 200)); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if len(text) > maxSummary {
			t.Errorf("%d findings: %d bytes", findings, len(text))
		}
		if findings == 1 && (!strings.Contains(text, "```mermaid") ||
			!strings.Contains(text, "````\n| <chart> ```")) {
			t.Error(text)
		}
		if strings.Count(text, "<details>") < strings.Count(text, "</details>") {
			t.Error("a text of the program ends a part of the summary")
		}
		if !strings.Contains(text, "| <code>TestBudget</code> | incomplete |") &&
			findings < 20_000 {
			t.Error("an incomplete test is not called so")
		}
	}
}

// TestMermaid: texts that mermaid would interpret are escaped, and there are not too many rows.
func TestMermaid(t *testing.T) {
	text := Mermaid(traceOf(500))
	if n := strings.Count(text, "->>"); n > maxMessages {
		t.Errorf("%d rows", n)
	}
	for line := range strings.Lines(text) {
		if _, label, ok := strings.Cut(line, "p1: "); ok && strings.ContainsAny(label, "<>`") {
			t.Error(line)
		}
	}
	if !strings.Contains(text,
		"participant p0 as a#96;#60;b#62;\n    participant p1 as c#59;#35;d\n") ||
		strings.Count(text, "decides") != 2 {
		t.Error(text)
	}
}
