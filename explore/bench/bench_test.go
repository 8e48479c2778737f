package bench

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

// TestSubjects: the table names tests that travel with the command, and knows a count and its reason for each.
func TestSubjects(t *testing.T) {
	subjects := all(t)
	seen := map[string]bool{}
	for _, s := range subjects {
		if seen[s.Name] {
			t.Errorf("%s is there twice", s.Name)
		}
		seen[s.Name] = true
		if s.Traces == nil || s.Note == "" {
			t.Errorf("%s: no count, or no reason", s.Name)
		}
		if !strings.Contains(tests(t, s.Dir), "func "+s.Test+"(") {
			t.Errorf("%s: %s has no %s", s.Name, s.Dir, s.Test)
		}
	}
	for _, f := range papers {
		if !seen[f.Subject] {
			t.Errorf("the paper's %s is no subject", f.Subject)
		}
	}
}

// TestPage: the page in docs was made by the command, and knows what the table knows.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "BENCHMARKS.md"))
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	(&Markdown{Out: &table}).known()
	for _, part := range []string{strings.TrimSpace(notes), table.String()} {
		if !strings.Contains(string(page), part) {
			t.Errorf("make docs/BENCHMARKS.md anew, with rehearse bench -markdown: it does not have\n%s", part)
		}
	}
}

// TestEmbedded: no program travels that is not measured, but those that others import.
func TestEmbedded(t *testing.T) {
	dirs, err := fs.ReadDir(rehearse.Subjects(), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	subjects := all(t)
	for _, dir := range dirs {
		if dir.IsDir() && !slices.ContainsFunc(subjects, func(s Subject) bool { return s.Dir == dir.Name() }) {
			t.Errorf("%s is embedded and has no subject", dir.Name())
		}
	}
}

func all(t *testing.T) []Subject {
	t.Helper()
	subjects, err := Subjects()
	if err != nil || len(subjects) == 0 {
		t.Fatalf("%d subjects, %v", len(subjects), err)
	}
	return subjects
}

// tests is the text of the test files of a program.
func tests(t *testing.T, dir string) string {
	t.Helper()
	files, err := fs.Glob(rehearse.Subjects(), "testdata/"+dir+"/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range files {
		text, err := fs.ReadFile(rehearse.Subjects(), file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

func TestCompare(t *testing.T) {
	six := 6
	clean, stuck, unknown := Subject{Traces: &six}, Subject{Traces: &six, Finding: "deadlock"}, Subject{}
	tests := []struct {
		name    string
		subject Subject
		row     Row
		found   []string
		want    Met
	}{
		{"as many", clean, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, nil, yes},
		{"redundant executions", clean, Row{Model: "go", Strategy: "dpor", Complete: true, Executions: 9, Traces: 6}, nil, yes},
		{"optimal must have none", clean, Row{Model: "go", Strategy: "optimal", Complete: true, Executions: 9, Traces: 6}, nil, no},
		{"optimal cuts none off", clean, Row{Model: "go", Strategy: "optimal", Complete: true, Executions: 6, Blocked: 1, Traces: 6}, nil, no},
		{"too few", clean, Row{Model: "go", Complete: true, Executions: 5, Traces: 5}, nil, no},
		{"too many", clean, Row{Model: "go", Complete: true, Executions: 7, Traces: 7}, nil, no},
		{"cut off", clean, Row{Model: "go", Executions: 5, Traces: 5}, nil, open},
		{"cut off, with as many", clean, Row{Model: "go", Executions: 6, Traces: 6}, nil, open},
		{"cut off, with too many", clean, Row{Model: "go", Executions: 7, Traces: 7}, nil, no},
		{"a lower bound", clean, Row{Model: "go", Complete: true, Executions: 6, Traces: 5, MoreTraces: true}, nil, open},
		{"a false alarm", clean, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, []string{"deadlock"}, no},
		{"found", stuck, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, []string{"deadlock"}, yes},
		{"not found", stuck, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, nil, no},
		{"something else", stuck, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, []string{"panic"}, no},
		{"another model", clean, Row{Model: "actor", Complete: true, Executions: 9, Traces: 9}, nil, open},
		{"nothing known", unknown, Row{Model: "go", Complete: true, Executions: 9, Traces: 9}, nil, open},
	}
	for _, c := range tests {
		if c.row.compare(c.subject, c.found); c.row.Met != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.row.Met, c.want)
		}
	}
}

// lines are what a test binary prints.
const lines = `{"Action":"run","Test":"TestX"}
{"Action":"progress","Test":"TestX","Executions":3,"Findings":0}
{"Action":"result","Package":"p","Test":"TestX","Verdict":"pass","Complete":true,"Executions":4,"Blocked":2,"Transitions":20,"Traces":4,"Seconds":0.5,"Findings":[]}
{"Action":"package","Verdict":"pass","PeakMemory":5242880}
`

func TestRead(t *testing.T) {
	four := 4
	s := Subject{Name: "x(2)", Traces: &four, Note: "2^2"}
	r, err := read([]byte(lines), "", s, variant{strategy: "dpor", model: "go"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Executions != 4 || r.Traces != 4 || r.Rate != 12 || r.Memory != 5<<20 || r.Ratio != 1.5 || r.Met != yes || r.Why != "2^2" {
		t.Errorf("%+v", r)
	}
	if _, err := read(nil, "rehearse: it is broken\n", s, variant{strategy: "dpor", model: "go"}); err == nil || !strings.Contains(err.Error(), "it is broken") {
		t.Errorf("no result: %v", err)
	}
}

// TestTables: every way to print shows the counts, in whole lines.
func TestTables(t *testing.T) {
	known := 16
	r := Row{
		Subject: "fib(4)", Model: "go", Strategy: "dpor", Executions: 40, Transitions: 200, Traces: 16, Complete: true,
		Seconds: 0.5, Rate: 80, Known: &known, Why: "2^4", Ratio: 2.5, Met: yes, Papers: figures("fib(4)", "dpor"),
	}
	var text, markdown, objects bytes.Buffer
	for _, table := range []Table{&Text{Out: &text}, &Markdown{Out: &markdown, Command: "rehearse bench"}, &JSON{Out: &objects}} {
		table.Begin()
		table.Row(r)
		table.End()
	}
	if !strings.Contains(text.String(), "40 fifo, 327 eca, 16 lca\n0 of 1 runs did not meet") {
		t.Errorf("text:\n%s", text.String())
	}
	for _, want := range []string{
		"\n| fib(4) | go | dpor | 40 | 0 | 200 | 16 | 16 | yes | 2.50 | yes | 0.500 | 80 | ? | 40 fifo, 327 eca, 16 lca |\n",
		"\n| nsenders(8) | 40320 | 8! | with `-long` only |\n", "\n| regsim(6) | dpor | fifo | >211750 |", "Made by `rehearse bench` with go1",
	} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("no %q in\n%s", want, markdown.String())
		}
	}
	var back Row
	if err := json.Unmarshal(objects.Bytes(), &back); err != nil || back.Executions != 40 || *back.Known != 16 || len(back.Papers) != 3 {
		t.Errorf("%v: %s", err, objects.String())
	}
}

func TestVariants(t *testing.T) {
	tests := []struct {
		config Config
		want   string // "strategy/model/executions" of each, or the beginning of the error
	}{
		{Config{Strategies: []string{"dpor", "dpor+sleep"}}, "dpor/go/0 dpor+sleep/go/0"},
		{Config{Strategies: []string{"random"}}, "random/go/1000"},
		{Config{Strategies: []string{"random", "dpor"}, MaxExecutions: 5}, "random/go/5 dpor/go/5"},
		{Config{Strategies: []string{"transdpor", "dpor"}}, "dpor/go/0"},
		{Config{Strategies: []string{"transdpor"}}, "-strategy transdpor does not know -model go"},
		{Config{Strategies: []string{"nonsense"}}, `-strategy "nonsense": unknown`},
		{Config{Strategies: []string{"dpor", "stateful"}}, "-strategy stateful is not built yet"},
		{Config{Models: []string{"nonsense"}}, `-model "nonsense": unknown`},
		{Config{MaxExecutions: -1}, "-max-executions -1: must not be negative"},
	}
	for _, c := range tests {
		if got := variantsText(&c.config); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %s, want %s", c.config, got, c.want)
		}
	}
	if got := variantsText(&Config{}); !strings.Contains(got, "optimal/go/0") || !strings.Contains(got, "dpor+sleep/go/0") {
		t.Errorf("by itself: %s", got)
	}
}

func variantsText(c *Config) string {
	list, err := c.variants()
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, v := range list {
		all = append(all, strings.Join([]string{v.strategy, v.model, strconv.Itoa(v.options.MaxExecutions)}, "/"))
	}
	return strings.Join(all, " ")
}

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string // what the error contains; empty: none
	}{
		{Config{Subject: `^nsenders\(3\)$`}, ""},
		{Config{Subject: `^nsenders\(8\)$`}, "add -long"},
		{Config{Subject: `^nsenders\(8\)$`, Long: true}, ""},
		{Config{Subject: "nonsense"}, "matches no subject"},
		{Config{Subject: "("}, "-subject: "},
	} {
		list, err := c.config.subjects()
		switch {
		case c.want == "" && (err != nil || len(list) != 1):
			t.Errorf("%+v: %v, %v", c.config, list, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want %s", c.config, err, c.want)
		}
	}
}
