package maytest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/refine"
	rexec "github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/refining"
)

var (
	published = flag.String("published", "",
		"compare the published libraries of testdata/published whose files match `regexp`")
	update = flag.Bool("update", false, "write what -published . shows into docs/REFINE.md")
)

// TestPublished compares published libraries, as a user would, and makes the table of
// docs/REFINE.md. Their modules are downloaded.
func TestPublished(t *testing.T) {
	if *published == "" {
		t.Skip("-published is not set")
	}
	files, err := filepath.Glob("testdata/published/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, file := range files {
		if !regexp.MustCompile(*published).MatchString(file) {
			continue
		}
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head := map[string]string{}
		for line := range strings.Lines(string(a.Comment)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			head[key] = value
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			rows = append(rows, fmt.Sprintf("| [%s](%s) | %s |", head["pair"],
				"../internal/lab/maytest/"+file,
				comparePublished(t, a, strings.Fields(head["run"]))))
		})
	}
	if *update && len(rows) == len(files) {
		writeTable(t, rows)
	}
}

// comparePublished writes a pair to disk, compares it, and returns a row of the table.
func comparePublished(t *testing.T, a *txtar.Archive, operands []string) (row string) {
	dir := t.TempDir()
	for _, f := range a.Files {
		file := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range a.Files {
		if filepath.Base(f.Name) != "go.mod" {
			continue
		}
		tidy := exec.Command("go", "mod", "tidy")
		tidy.Dir = filepath.Dir(filepath.Join(dir, f.Name))
		if out, err := tidy.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	t.Chdir(dir)
	var out [2]bytes.Buffer
	for i := range out {
		r := refining.NewRequest()
		r.JSON, r.K, r.MaxSteps = i == 0, refine.DefaultK, 1000
		build := func(b func() ([]rexec.Package, error), _ *options.Options, _ string,
			_ []string) ([]rexec.Package, error) {
			return b()
		}
		if _, err := r.Refine(operands, &out[i], io.Discard, build); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s", out[1].Bytes())
	var result struct {
		Relation   string
		Complete   bool
		Races      []string
		N, Scripts int
		Executions [2]int
		Seconds    float64
	}
	if err := json.NewDecoder(&out[0]).Decode(&result); err != nil {
		t.Fatal(err)
	}
	verdict := fmt.Sprintf("%s, n=%d", result.Relation, result.N)
	if len(result.Races) > 0 {
		side, _, _ := strings.Cut(result.Races[0], ":")
		verdict = "a data race in " + side
	} else if !result.Complete {
		verdict += ", incomplete"
	}
	return fmt.Sprintf("%s | %d | %d + %d | %.2gs", verdict, result.Scripts, result.Executions[0],
		result.Executions[1], result.Seconds)
}

// writeTable puts the rows between the marks of docs/REFINE.md.
func writeTable(t *testing.T, rows []string) {
	const file, begin, end = "../../../docs/REFINE.md", "<!-- published -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, is := strings.Cut(rest, end)
	if !ok || !is {
		t.Fatalf("%s has no %s and %s", file, begin, end)
	}
	table := "| pair | result | scripts | executions | time |\n|---|---|--:|--:|--:|\n" +
		strings.Join(rows, "\n") + "\n"
	if err := os.WriteFile(file, []byte(head+begin+table+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}
