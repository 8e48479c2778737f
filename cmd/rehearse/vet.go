package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// calledByVet reports whether the go command calls us as its vet tool: with -V=full, with -flags, or with the
// description of one package, a .cfg file, as the last argument.
func calledByVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(last, ".cfg") && commands[args[0]] == nil
}

// runVet runs go vet with this command as its tool: go's build cache remembers the results, and test files are
// checked like go vet does.
func runVet(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "")
	tags := fs.String("tags", "", "")
	patterns, err := parse(fs, args, stderr)
	if err != nil {
		return exitError
	}
	report, err := vet(*tags, patterns)
	if err != nil {
		return complain(stderr, err)
	}
	if *asJSON {
		report.printJSON(stdout)
	} else {
		report.print(stderr)
	}
	return report.exitCode()
}

// vetReport is what go vet -json prints: diagnostics by package and analyzer.
type vetReport map[string]map[string]json.RawMessage

// diagnostic is one of a vetReport, as far as the text output needs it.
type diagnostic struct {
	Posn    string `json:"posn"`
	Message string `json:"message"`
}

func vet(tags string, packages []string) (vetReport, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append([]string{"vet", "-json", "-vettool=" + self, "-tags=" + tags}, packages...)
	var stdout, stderr strings.Builder
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, errors.New(firstProblem(stderr.String(), err))
	}
	return readVet(stdout.String() + stderr.String())
}

// readVet reads go vet's stream of objects; each may be preceded by a comment line that names the package. The go
// command has written it to one or the other standard stream, depending on its version.
func readVet(text string) (vetReport, error) {
	var jsonLines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			jsonLines = append(jsonLines, line)
		}
	}
	report := vetReport{}
	dec := json.NewDecoder(strings.NewReader(strings.Join(jsonLines, "")))
	for {
		unit := vetReport{}
		switch err := dec.Decode(&unit); {
		case errors.Is(err, io.EOF):
			return report, nil
		case err != nil:
			return nil, fmt.Errorf("go vet -json: %w", err)
		}
		maps.Copy(report, unit)
	}
}

// firstProblem is the first line of what go vet complained about, with a count of the others.
func firstProblem(text string, err error) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "vet: ")
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	switch len(lines) {
	case 0:
		return "go vet: " + err.Error()
	case 1:
		return lines[0]
	}
	return fmt.Sprintf("%s (and %d more lines; see go vet)", lines[0], len(lines)-1)
}

// diagnostics lists them in source order. A package and its test variant report the same one; it is listed once.
func (r vetReport) diagnostics() []diagnostic {
	var list []diagnostic
	for _, unit := range r {
		for _, raw := range unit {
			var found []diagnostic
			if json.Unmarshal(raw, &found) != nil {
				found = []diagnostic{{"-", string(raw)}} // an analyzer's own error is an object, not a list
			}
			list = append(list, found...)
		}
	}
	slices.SortFunc(list, diagnostic.compare)
	return slices.Compact(list)
}

// compare orders by file, line and column.
func (d diagnostic) compare(e diagnostic) int {
	file, line, col := d.position()
	file2, line2, col2 := e.position()
	return cmp.Or(cmp.Compare(file, file2), cmp.Compare(line, line2), cmp.Compare(col, col2), cmp.Compare(d.Message, e.Message))
}

// position takes "file:line:col" apart.
func (d diagnostic) position() (file string, line, col int) {
	parts := strings.Split(d.Posn, ":")
	if len(parts) < 3 {
		return d.Posn, 0, 0
	}
	line, _ = strconv.Atoi(parts[len(parts)-2])
	col, _ = strconv.Atoi(parts[len(parts)-1])
	return strings.Join(parts[:len(parts)-2], ":"), line, col
}

// relative shortens a file name below the current directory.
func relative(dir, name string) string {
	if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

func (r vetReport) print(w io.Writer) {
	dir, _ := os.Getwd() // without it, names stay long
	for _, d := range r.diagnostics() {
		fmt.Fprintf(w, "%s: %s\n", relative(dir, d.Posn), d.Message)
	}
}

func (r vetReport) printJSON(w io.Writer) {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	for _, name := range slices.Sorted(maps.Keys(r)) {
		enc.Encode(vetReport{name: r[name]})
	}
}

func (r vetReport) exitCode() int {
	if len(r.diagnostics()) > 0 {
		return exitFinding
	}
	return exitClean
}

// serveVet answers the go command.
func serveVet() {}
