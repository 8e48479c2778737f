package bench

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

// TestSubjects: the table names tests that travel with the command, and knows a count and its
// reason for each.
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
	for _, f := range papers() {
		if f.Table == "" || f.Printed == "" || f.Strategy == "" || f.Executions == 0 {
			t.Errorf("an incomplete figure: %+v", f)
		}
	}
	for _, name := range unbuilt() {
		t.Errorf("the paper's %s is no subject", name)
	}
	if len(papers()) != 160 {
		t.Errorf(
			"%d figures, want 160: 2 of Fig. 1, 54 and 72 of Tables 1 and 2, 32 of the other Table 1",
			len(papers()))
	}
}

var update = flag.Bool("update", false,
	"make docs/BENCHMARKS.md and the files beside docs/data/bench-runs.csv anew from it")

// TestPage: the page in docs, and the data, are what the command makes of the runs in docs/data.
func TestPage(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	rows := readRuns(t, filepath.Join(docs, "data", "bench-runs.csv"))
	for _, s := range sheets(rows)[1:] { // the first one are the runs
		var text strings.Builder
		csv.NewWriter(&text).WriteAll(s.lines)
		golden(t, filepath.Join(docs, "data", s.name), text.String())
	}
	var page strings.Builder
	m := &Markdown{Out: &page, Command: "X", rows: rows}
	m.Begin()
	m.End()
	_, made, _ := strings.Cut(page.String(), "do not edit.\n")
	file := filepath.Join(docs, "BENCHMARKS.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "do not edit.\n") // how it was made
	golden(t, file, head+"do not edit.\n"+made)
	if n := strings.Count(made, "\n|"); n > 120 {
		t.Errorf("docs/BENCHMARKS.md has %d lines of tables, want at most 120", n)
	}
}

// golden compares the content of a file, and writes it with -update.
func golden(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != want {
		t.Errorf(
			"%s is not made from bench-runs.csv (%v): run go test ./internal/bench -run TestPage -update, or rehearse bench again",
			file, err)
	}
}

// readRuns reads as much of bench-runs.csv as the page and the other files need.
func readRuns(t *testing.T, file string) (rows []Row) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		cell := func(title string) string { return line[slices.Index(lines[0], title)] }
		traces, atLeast := strings.CutPrefix(cell("traces"), ">=")
		outcomes, more := strings.CutPrefix(cell("distinct outcomes"), ">")
		r := Row{
			Subject: cell("subject"), Model: cell("model"), Strategy: cell("variant"),
			Independence: cell("independence"),
			Order:        cell("order"), Tasks: cell("tasks"),
			Executions: count(cell("executions")),
			Blocked:    count(cell("cut off")),
			Deliveries: count(cell("deliveries")), Traces: count(traces), MoreTraces: atLeast,
			Complete: cell("complete") == "yes",
			Distinct: count(outcomes), MoreDistinct: more, Refused: cell("refused") == "yes",
			Reason: cell("reason"),
		}
		if known := cell("known"); known != "?" {
			n := count(known)
			r.Known = &n
		}
		c := &r.Selection
		if _, err := fmt.Sscanf(cell("selection"), "%d/%d/%d/%d", &c.States, &c.Proved,
			&c.Heuristic,
			&c.Backtracked); err != nil {
			t.Fatal(err)
		}
		r.Target = r.target()
		rows = append(rows, r)
	}
	return rows
}

// TestEmbedded: only programs that are measured, or that others import, travel.
func TestEmbedded(t *testing.T) {
	dirs, err := fs.ReadDir(rehearse.Subjects(), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	subjects := all(t)
	for _, dir := range dirs {
		if dir.IsDir() && !slices.ContainsFunc(subjects,
			func(s Subject) bool { return s.Dir == dir.Name() }) {
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
	six, three := 6, 3
	both := Subject{Traces: &six, Models: map[string]int{"actor": 9}, Independent: &three}
	clean, stuck, unknown := Subject{Traces: &six}, Subject{Traces: &six, Finding: "deadlock"},
		Subject{}
	tests := []struct {
		name    string
		subject Subject
		row     Row
		found   []string
		want    Met
	}{
		{"as many", clean, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, nil, yes},
		{"redundant executions", clean,
			Row{Model: "go", Strategy: "dpor", Complete: true, Executions: 9,
				Traces: 6}, nil, yes},
		{"optimal must have none", clean, Row{Model: "go", Strategy: "optimal", Complete: true,
			Executions: 9, Traces: 6}, nil, no},
		{"optimal cuts none off", clean, Row{Model: "go", Strategy: "optimal", Complete: true,
			Executions: 6, Blocked: 1, Traces: 6}, nil, no},
		{"too few", clean, Row{Model: "go", Complete: true, Executions: 5, Traces: 5}, nil, no},
		{"too many", clean, Row{Model: "go", Complete: true, Executions: 7, Traces: 7}, nil, no},
		{"cut off", clean, Row{Model: "go", Executions: 5, Traces: 5}, nil, open},
		{"cut off, with as many", clean, Row{Model: "go", Executions: 6, Traces: 6}, nil, open},
		{"cut off, with too many", clean, Row{Model: "go", Executions: 7, Traces: 7}, nil, no},
		{"a lower bound", clean, Row{Model: "go", Complete: true, Executions: 6, Traces: 5,
			MoreTraces: true}, nil, open},
		{"a false alarm", clean, Row{Model: "go", Complete: true, Executions: 6, Traces: 6},
			[]string{"deadlock"}, no},
		{"found", stuck, Row{Model: "go", Complete: true, Executions: 6, Traces: 6},
			[]string{"deadlock"},
			yes},
		{"not found", stuck, Row{Model: "go", Complete: true, Executions: 6, Traces: 6}, nil, no},
		{"something else", stuck, Row{Model: "go", Complete: true, Executions: 6, Traces: 6},
			[]string{"panic"}, no},
		{"a model of which nothing is known", clean,
			Row{Model: "actor", Complete: true, Executions: 9, Traces: 9}, nil, open},
		{"another model", both, Row{Model: "actor", Complete: true, Executions: 9, Traces: 9}, nil,
			yes},
		{"another model, too few", both,
			Row{Model: "actor", Complete: true, Executions: 6, Traces: 6},
			nil, no},
		{"independent tasks", both, Row{Model: "actor", Tasks: "independent", Complete: true,
			Executions: 3, Traces: 3}, nil, yes},
		{"few are found independent", both,
			Row{Model: "actor", Tasks: "independent", Complete: true,
				Executions: 8, Traces: 8}, nil, open},
		{"too many for independent tasks", both,
			Row{Model: "actor", Tasks: "independent", Complete: true,
				Executions: 10, Traces: 10}, nil, no},
		{"a refinement that leaves as many", Subject{Traces: &six, Commute: &three},
			Row{Model: "go", Strategy: "optimal", Independence: "commute", Complete: true,
				Executions: 3,
				Traces:     3}, nil, yes},
		{"a refinement must not repeat", Subject{Traces: &six, Commute: &three},
			Row{Model: "go", Strategy: "optimal", Independence: "commute", Complete: true,
				Executions: 6,
				Traces:     6}, nil, no},
		{"a refinement that leaves more than there are", clean,
			Row{Model: "go", Strategy: "optimal", Independence: "equal", Complete: true,
				Executions: 7,
				Traces:     7}, nil, no},
		{"a refinement of which nothing is known", both,
			Row{Model: "actor", Independence: "context", Complete: true, Executions: 2, Traces: 2},
			nil,
			open},
		{"facts", both, Row{Model: "actor", Strategy: "dpor+sleep",
			Independence: "disjoint,commute",
			Complete:     true, Executions: 3, Blocked: 4, Traces: 3}, nil, yes},
		{"states, and no traces", clean, Row{Model: "go", Complete: true, States: 4}, nil, open},
		{"nothing known", unknown, Row{Model: "go", Complete: true, Executions: 9, Traces: 9}, nil,
			open},
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
{"Action":"package","Verdict":"pass","PeakMemory":5242880,"CPUSeconds":0.25}
`

func TestRead(t *testing.T) {
	four := 4
	s := Subject{Name: "x(2)", Traces: &four, Note: "2^2"}
	r, err := read([]byte(lines), "", s, variant{strategy: "dpor", model: "go"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Executions != 4 || r.Traces != 4 || r.Rate != 12 || r.Memory != 5<<20 || r.CPU != 0.25 ||
		r.Ratio != 1.5 || r.Met != yes || r.Why != "2^2" {
		t.Errorf("%+v", r)
	}
	if _, err := read(nil, "rehearse: it is broken\n", s,
		variant{strategy: "dpor", model: "go"}); err == nil ||
		!strings.Contains(err.Error(), "it is broken") {
		t.Errorf("no result: %v", err)
	}
}

// TestTables: every way to print shows the counts, in whole lines.
func TestTables(t *testing.T) {
	known := 16
	r := Row{
		Subject: "fib(4)", Model: "go", Strategy: "dpor", Executions: 40, Transitions: 200,
		Deliveries: 162, Traces: 16, Complete: true,
		Seconds: 0.5, Rate: 80, Known: &known, Why: "2^4", Ratio: 2.5, Met: yes, Tasks: "all",
		Early: 1.123, CPU: 0.4,
	}
	r.Papers = figures(&r)
	other := r
	other.Order, other.Model, other.Complete, other.Reason = "eca", "actor", false, "the time is up"
	other.States, other.Messages, other.Early, other.CPU = 70, 36, 0, 0
	other.Papers = figures(&other)
	all := Row{Subject: "regsim(4,2)", Model: "actor", Strategy: "transdpor", Order: "stable",
		Tasks: "all", Complete: true, Executions: 500, Distinct: 100,
		Selection: Selection{States: 900, Heuristic: 8, Backtracked: 7}}
	left := all
	left.Tasks, left.Executions, left.Blocked = "independent", 100, 6
	refined := r
	refined.Subject, refined.Independence, refined.Executions, refined.Blocked,
		refined.Distinct = "fib(6)", "context", 1, 12, 1
	refined.Strategy, refined.Model = "optimal", "actor"
	refined.Papers, refined.Target = figures(&refined), refined.target()
	unmet := refined
	unmet.Executions = 100
	redundant, refused := r, r
	redundant.Subject, redundant.Blocked = "fib(6)", 3
	refused.Subject, refused.Strategy, refused.Refused, refused.Complete = "fib(6)", "pop", true,
		false
	sample := r
	sample.Subject, sample.Strategy, sample.Executions, sample.Complete = "fib(6)", "random", 1000,
		false
	var text, markdown, objects bytes.Buffer
	files := &CSV{Dir: t.TempDir()}
	table := Tables{&Text{Out: &text}, &Markdown{Out: &markdown, Command: "rehearse bench"},
		&JSON{Out: &objects}, files}
	table.Begin()
	for _, row := range []Row{r, other, all, left, refined, unmet, redundant, refused, sample} {
		table.Row(row)
	}
	table.End()
	if !strings.Contains(text.String(), "40/203 fifo, 327/1650 eca, 16/91 lca\n") {
		t.Errorf("text:\n%s", text.String())
	}
	for _, want := range []string{
		"\n| subject | known | dpor | pop | random |\n| --- | --: | --: | --- | --: |\n| fib(6) | 16 | 40+3 | - | 16 of 1000 |\n",
		"\n| subject | known | dpor eca | transdpor stable | transdpor stable, selected tasks |\n",
		"\n| fib(4) | 16 | >40 |  |  |\n", "\n| regsim(4,2) | ? |  | 500 | 100+6 |\n",
		"Made by `rehearse bench` with go1",
		"\n| fib(6) | actor | optimal | context | 4096 | 1 | 12 | 1 | at most 100 | yes | two results",
		"\n| fib(6) | actor | optimal | context | 4096 | 100 | 12 | 1 | at most 100 | no | two results",
	} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("no %q in\n%s", want, markdown.String())
		}
	}
	if files.Err != nil {
		t.Fatal(files.Err)
	}
	for file, want := range map[string]string{
		"runs":        "\nfib(4),actor,dpor,,eca,all,40,0,200,162,16,16,yes,2.50,70,36,no,0.500,80,,,?,327/1650 eca,0,0/0/0/0,no,the time is up\n",
		"papers":      "\nTransDPOR Table 1,fib5,fib(4),dpor,eca,all,327/1650,>40/162\n",
		"selection":   "\n\"RegSim(4,2)\",11520,384,30.0,31576 / 2132,0 / 0,500,100,5.0,0 / 6,900 / 900,8 / 8,7 / 7,100\n",
		"subjects":    "\nnsenders(8),40320,40320,40320,,8!,yes\n",
		"refinements": "\nfib(6),actor,optimal,context,4096,1,12,1,at most 100,yes,",
	} {
		content, err := os.ReadFile(filepath.Join(files.Dir, "bench-"+file+".csv"))
		if err != nil || !strings.Contains(string(content), want) {
			t.Errorf("%v: no %q in\n%s", err, want, content)
		}
	}
	var back Row
	first, _, _ := strings.Cut(objects.String(), "\n")
	if err := json.Unmarshal([]byte(first), &back); err != nil || back.Executions != 40 ||
		*back.Known != 16 || len(back.Papers) != 3 {
		t.Errorf("%v: %s", err, objects.String())
	}
}
