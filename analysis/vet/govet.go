package vet

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/suite"
	"github.com/rehearse-go/rehearse/explore/words"
)

// The JSON of go vet -json: an object of packages, each an object of checks, each a list of
// diagnostics, or an object with an error. Such trees follow each other, one for each package.
type (
	tree           map[string]map[string]json.RawMessage
	jsonDiagnostic struct {
		Category string        `json:"category,omitempty"`
		Posn     string        `json:"posn"`
		End      string        `json:"end"`
		Message  string        `json:"message"`
		Fixes    []Fix         `json:"suggested_fixes,omitempty"`
		Related  []jsonRelated `json:"related,omitempty"`
		Ran      *Ran          `json:"confirm,omitempty"` // ours
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
	jsonError struct {
		Err string `json:"error"`
	}
)

// goVet runs go vet. The findings are sorted; there may be some beside an error.
func goVet(c Config) ([]*Finding, error) {
	request, err := c.request()
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"vet", "-json", "-vettool=" + c.Tool,
		"-" + suite.RequestFlag + "=" + request}, c.Flags,
		[]string{"--"}, c.Patterns)
	stdout, failed := goCommand(args)
	found, err := decode(stdout)
	sortFindings(found)
	return found, cmp.Or(failed, err)
}

// request names the packages that are asked for: see suite.RequestFlag.
func (c Config) request() (string, error) {
	dir, err := os.Getwd()
	sum := sha256.Sum256([]byte(strings.Join(append([]string{dir}, c.Patterns...), "\x00")))
	return hex.EncodeToString(sum[:8]), err
}

var errNoGo = errors.New("there is no go command in PATH; the checks run through go vet")

// goCommand runs the go command. An error is one line of what it said.
func goCommand(args []string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errNoGo
	}
	if err != nil {
		return stdout.Bytes(), complaint(stderr.String(), err)
	}
	return stdout.Bytes(), nil
}

// complaint makes one line of what the go command wrote: the first thing that is wrong, and how
// much there is beside.
func complaint(text string, err error) error {
	var lines []string
	pkg := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		header, ok := strings.CutPrefix(line, "# ")
		switch {
		case ok && len(lines) == 0:
			pkg = strings.Trim(header, "[]") + ": "
		case !ok && line != "" && !strings.HasPrefix(line, "go: downloading "):
			lines = append(lines, strings.TrimPrefix(line, "vet: "))
		}
	}
	if len(lines) == 0 {
		return fmt.Errorf("go vet: %w", err)
	}
	first := strings.TrimPrefix(lines[0], "go: ")
	if !strings.Contains(first, ".go:") {
		first = pkg + first
	}
	if n := len(lines) - 1; n > 0 {
		first += fmt.Sprintf(" (and %s more: run go vet)", words.Plural(n, "line"))
	}
	return errors.New(first)
}

// decode reads a sequence of trees.
func decode(stdout []byte) ([]*Finding, error) {
	var out []*Finding
	var failed error
	dec := json.NewDecoder(bytes.NewReader(stdout))
	for {
		var t tree
		switch err := dec.Decode(&t); {
		case errors.Is(err, io.EOF):
			return out, failed
		case err != nil:
			return out, fmt.Errorf("go vet -json printed what cannot be read: %w", err)
		}
		for _, pkg := range slices.Sorted(maps.Keys(t)) {
			for _, check := range slices.Sorted(maps.Keys(t[pkg])) {
				found, err := decodeCheck(pkg, check, t[pkg][check])
				out = append(out, found...)
				failed = cmp.Or(failed, err)
			}
		}
	}
}

func decodeCheck(pkg, check string, text json.RawMessage) ([]*Finding, error) {
	var e jsonError
	if err := json.Unmarshal(text, &e); err == nil {
		return nil, fmt.Errorf("check %s on %s: %s", check, pkg, e.Err)
	}
	var list []jsonDiagnostic
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("check %s on %s: go vet -json printed what cannot be read: %w",
			check, pkg, err)
	}
	path, _, _ := strings.Cut(pkg, " ") // "p [p.test]" is p with its tests
	var out []*Finding
	for _, d := range list {
		out = append(out, newFinding(check, path, d))
	}
	return out, nil
}

func newFinding(check, pkg string, d jsonDiagnostic) *Finding {
	f := &Finding{Check: check, Package: pkg, At: newRegion(d.Posn, d.End), Message: d.Message,
		Fixes: d.Fixes, category: d.Category}
	for _, r := range d.Related {
		f.Related = append(f.Related, Place{newRegion(r.Posn, r.End), r.Message})
	}
	return f
}
