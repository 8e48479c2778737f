package differ

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mutantsTo   = flag.String("mutants", "", "break each condition of commuting in turn, and write what finds it to `file`, in Markdown")
	mutantsOnly = flag.String("mutantsonly", "", "break only the conditions whose names contain `text`")
	mutantsOf   = flag.Int("mutantsof", 300, "look for a broken condition in `n` programs")
)

// mutant breaks one condition under which critical sections, or the tasks of loops, are taken to
// commute.
type mutant struct {
	condition string
	test      string // that has to find it: a program is an example of what is lost
	file      string // below the module's root
	was, is   string
}

const (
	sectionsFile = "runtime/model/sections/sections.go"
	tasksFile    = "runtime/model/sections/tasks.go"
	lockClocks   = "runtime/model/races/sections.go"
)

// mutants are named by the lemmas of package runtime/model/sections (T1 to T6), or say what
// they break.
var mutants = []mutant{
	{"S1 two that write one variable conflict", "Monitors", sectionsFile,
		"return a == b && a != Writes", "return a == b"},
	{"S2 looking and updating conflict", "Monitors", sectionsFile,
		"return a == b && a != Writes", "return a == b && a != Writes || a == Looks && b == Adds || a == Adds && b == Looks"},
	{"S3 two that write one key conflict", "Monitors", sectionsFile,
		"return a.key == b.key && !commute(a.how, b.how)", "return false"},
	{"S4 a key and all keys of a map conflict", "Monitors", sectionsFile,
		"return b.how == Writes || a.how != Looks", "return b.how == Writes"},
	{"S5 TryLock tells that a mutex is held", "Monitors", sectionsFile,
		" || w.tried[s.obj] || !s.shared", " || !s.shared"},
	{"S6 a section with another operation is not plain", "Monitors", sectionsFile,
		"	w.spoil(ev.Proc, inBetween+ev.Kind.String())\n", ""},
	{"S7 what conflicts has an order", "Monitors", sectionsFile,
		"	for _, f := range w.fresh {\n		w.contend(f)\n	}\n", ""},
	{"S8 two accesses under one mutex are no race", "Monitors", lockClocks,
		"return a.under != 0 && a.under>>1 == b.under>>1 && a.under&b.under&1 == alone", "return false"},
	{"S9 sections that commute hand nothing on", "Monitors", lockClocks,
		"o.sections.Begin(ev.Kind, n, c.join)", "o.sections.Ordinary(ev.Kind, c.join)"},
	{"T1 each task is plain", "Handlers", tasksFile,
		"				w.learn(s, 0)\n				fallthrough\n", ""},
	{"T2 one process receives", "Handlers", tasksFile,
		"	case e.Partner >= 0 && e.Partner != l.server:\n		l.refuse(\"several goroutines receive from the channel\")\n", ""},
	{"T2 nobody asks how many values are there", "Handlers", tasksFile,
		"		default:\n			l.refuse(\"somebody asks how many values are there\")\n", ""},
	{"T4 there is room for all, or none", "Handlers", tasksFile,
		"if l.Room > 0 && sends > l.Room {", "if false {"},
	{"T5 who sends comes after the loop is there", "Handlers", tasksFile,
		"if l.Room > 0 && !l.behind(x, e.Proc) {", "if false {"},
}

// TestMutants: each condition can be broken, so the list fits the code. With -mutants, each is, and
// the random programs must show it.
func TestMutants(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.condition, " ", "_"), func(t *testing.T) {
			path := filepath.Join(root, m.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte(m.was)); n != 1 {
				t.Fatalf("%s has %d times what is to be broken: %s", m.file, n, m.was)
			}
			if *mutantsTo == "" || !strings.Contains(m.condition, *mutantsOnly) {
				return
			}
			broken := bytes.Replace(text, []byte(m.was), []byte(m.is), 1)
			finds := m.run(t, path, broken)
			if finds == "" {
				t.Error("no program shows that this is broken")
			}
			rows = append(rows, fmt.Sprintf("| %s | %s |", m.condition, finds))
		})
	}
	if *mutantsTo == "" {
		return
	}
	page := fmt.Sprintf(mutantsHead, *mutantsOf, *mutantsTo) + strings.Join(rows, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(root, *mutantsTo), []byte(page), 0o644); err != nil {
		t.Error(err)
	}
}

const mutantsHead = `# Broken conditions

For developers: does each condition under which sections and tasks commute have programs that need it?
This file is written by

    go test ./internal/lab/differ -run TestMutants -mutantsof %d -mutants %s -timeout 0 -v

Each condition is broken in turn, and random programs are searched with it and without sections.

| condition | found by |
|---|---|
`

var (
	foundBy = regexp.MustCompile(`(?m)^\s+mixed_test\.go:\d+: (\w+: .*)$`)
)

// run runs the test of m with a file of the tree as m has broken it, and returns the first
// difference that it reports.
func (m *mutant) run(t *testing.T, path string, broken []byte) (difference string) {
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, filepath.Base(path)), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{path: file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: broken, overlay: replace} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := fmt.Sprint(*mutantsOf)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-run", "^Test"+m.test+"$", "-failfast", "-timeout", "0", ".",
		"-monitors", n, "-handlers", n)
	out, _ := cmd.CombinedOutput()
	for _, f := range foundBy.FindAllSubmatch(out, -1) {
		return string(f[1])
	}
	if !bytes.Contains(out, []byte("\nok ")) && !bytes.HasPrefix(out, []byte("ok ")) {
		t.Logf("%s", out)
	}
	return ""
}
