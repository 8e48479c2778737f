package suite

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	judge = flag.String("judge", "",
		"run the finder's checks on the modules of docs/data/vet-modules.csv that match this `regexp`")
	writeJudged = flag.Bool("update", false,
		"write the lines of modules, and the tables of docs/VET.md")
)

// finder are the checks that run the skeletons of functions.
var finder = []string{"leak", "deadlock", "lockpath", "closetwice"}

// The files of the judgement, and the document that has the tables made from them.
const (
	modulesFile  = "../../docs/data/vet-modules.csv"  // module, version, patterns, lines
	judgedFile   = "../../docs/data/vet-findings.csv" // module, position, check, class, why
	judgedDoc    = "../../docs/VET.md"
	beginsTables = "<!-- made by go test ./analysis/suite -run TestJudged -update -->\n"
	endsTables   = "<!-- end -->\n"
)

// classes are the words for a finding that somebody has read in the source.
var classes = []string{"true", "harmless", "false"}

// maxFalse of 100,000 lines are the false findings that are allowed, and minTrue the part of true
// ones.
const (
	maxFalse = 1.0
	minTrue  = 0.8
)

// TestJudged makes the tables of docs/VET.md from the judgement, and compares them with the ones
// that are there. With -judge it runs the checks first: each finding must have been judged, and
// each one that was judged must be found.
func TestJudged(t *testing.T) {
	mods, judged := readCSV(t, modulesFile, 4), readCSV(t, judgedFile, 5)
	for _, m := range mods {
		name := m[0] + " " + m[1]
		if *judge == "" || !regexp.MustCompile(*judge).MatchString(name) {
			continue
		}
		dir := moduleDir(t, m[0], m[1])
		if n := strconv.Itoa(linesOf(t, dir, strings.Fields(m[2]))); n != m[3] {
			t.Logf("%s has %s lines", name, n)
			m[3] = n
		}
		compareJudged(t, m, dir, judged)
	}
	text, err := os.ReadFile(judgedDoc)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), beginsTables)
	old, tail, ok2 := strings.Cut(rest, endsTables)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no lines %s and %s", judgedDoc, beginsTables, endsTables)
	}
	tables := judgedTables(t, mods, judged)
	if *writeJudged {
		writeCSV(t, modulesFile, mods)
		if err := os.WriteFile(judgedDoc, []byte(head+beginsTables+tables+endsTables+tail),
			0o666); err != nil {
			t.Fatal(err)
		}
	} else if old != tables {
		t.Errorf("the tables are not those of the judgement: %s", strings.TrimSpace(beginsTables))
	}
}

// compareJudged runs the checks on a module, and compares what they find with the judgement.
func compareJudged(t *testing.T, m []string, dir string, judged [][]string) {
	t.Helper()
	var found []string
	for _, f := range findingsIn(t, m[0], dir, strings.Fields(m[2])) {
		if !slices.Contains(finder, f.check) {
			continue
		}
		at := position(dir, f.Posn)
		found = append(found, at+" "+f.check)
		if !slices.ContainsFunc(judged, func(j []string) bool {
			return j[0] == m[0] && j[1] == at && j[2] == f.check
		}) {
			t.Errorf("%s %s: nobody has judged %s: %s: %s", m[0], m[1], at, f.check, f.Message)
		}
	}
	for _, j := range judged {
		if j[0] == m[0] && !slices.Contains(found, j[1]+" "+j[2]) {
			t.Errorf("%s %s: %s %s is not found any more", m[0], m[1], j[1], j[2])
		}
	}
}

// position writes a place by file, below the module's directory, and line.
func position(dir, posn string) string {
	file, rest, _ := strings.Cut(posn, ".go:")
	line, _, _ := strings.Cut(rest, ":")
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = filepath.ToSlash(rel)
	}
	return file + ".go:" + line
}

// linesOf counts the lines of the packages, without tests.
func linesOf(t *testing.T, dir string, patterns []string) (n int) {
	t.Helper()
	const files = `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`
	cmd := goIn(dir, append([]string{"list", "-e", "-f", files}, patterns...)...)
	cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
		if sc.Text() == "" {
			continue
		}
		text, err := os.ReadFile(sc.Text())
		if err != nil {
			t.Fatal(err)
		}
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}

// judgedTables makes the tables: what was found in each module, and each finding.
func judgedTables(t *testing.T, mods, judged [][]string) string {
	var b strings.Builder
	b.WriteString(
		"| module | packages | lines | true | harmless | false |\n|---|---|--:|--:|--:|--:|\n")
	lines, sum := 0, map[string]int{}
	for _, m := range mods {
		count := map[string]int{}
		for _, j := range judged {
			if j[0] == m[0] {
				count[j[3]]++
				sum[j[3]]++
			}
		}
		n, err := strconv.Atoi(m[3])
		if err != nil {
			t.Errorf("%s: %v", modulesFile, err)
		}
		lines += n
		fmt.Fprintf(&b, "| %s %s | `%s` | %d | %d | %d | %d |\n", m[0], m[1], m[2], n,
			count["true"],
			count["harmless"], count["false"])
	}
	fmt.Fprintf(&b, "| **%d modules** | | **%d** | **%d** | **%d** | **%d** |\n\n", len(mods),
		lines,
		sum["true"], sum["harmless"], sum["false"])
	b.WriteString("| position | check | class | because |\n|---|---|---|---|\n")
	for _, j := range judged {
		if !slices.Contains(classes, j[3]) {
			t.Errorf("%s: %s is no class", judgedFile, j[3])
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s |\n", j[0], j[1], j[2], j[3], j[4])
	}
	often := float64(sum["false"]) / float64(lines) * 100_000
	good := float64(sum["true"]) / float64(max(1, len(judged)))
	fmt.Fprintf(&b, "\nOf %d findings, %.0f %% are true; %.1f in 100,000 lines are false.\n",
		len(judged), good*100, often)
	if often > maxFalse || good < minTrue {
		t.Errorf("at most %.1f false ones are allowed, and at least %.0f %% are to be true: %s",
			maxFalse, minTrue*100, b.String())
	}
	return b.String()
}

func readCSV(t *testing.T, name string, fields int) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = fields
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func writeCSV(t *testing.T, name string, rows [][]string) {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.WriteAll(append([][]string{{"module", "version", "packages", "lines"}}, rows...))
	if err == nil {
		err = os.WriteFile(name, b.Bytes(), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
