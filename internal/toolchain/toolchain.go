// Package toolchain runs the user's go command. It asks what the command says about itself and
// compiles just now, and copies modules for it, as the go command takes no overlay in its module
// cache.
package toolchain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Toolchain is what the user's go command says about itself, in the directory where it runs.
type Toolchain struct {
	Dir        string `json:"-"` // where go commands run
	GOROOT     string
	GOVERSION  string
	GOMODCACHE string
	GOMOD      string // the main module's go.mod; empty in no module
	// the go.work file; empty without one, also when the user has turned workspaces off
	GOWORK     string
	GOFLAGS    string
	GOOS       string // what is built for
	GOARCH     string
	GOHOSTOS   string // what go itself runs on
	GOHOSTARCH string

	Env   []string        // variables that go commands see besides the user's
	Until context.Context // ends go commands; nil: they run to their ends
}

// Find asks the go command in PATH.
func Find(dir string) (*Toolchain, error) {
	t := &Toolchain{Dir: dir}
	out, err := t.Run("env", "-json", "GOROOT", "GOVERSION", "GOMODCACHE", "GOMOD", "GOWORK",
		"GOFLAGS", "GOOS", "GOARCH", "GOHOSTOS", "GOHOSTARCH")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, t); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	if t.GOWORK == "off" {
		t.GOWORK = ""
	}
	t.leaveOutCover()
	return t, t.Check()
}

// minVersion is the oldest Go that can compile the linked-in sources.
const minVersion = "go1.26"

// Check refuses a toolchain that is too old. A development version has no number to compare.
func (t *Toolchain) Check() error {
	if version.IsValid(t.GOVERSION) && version.Compare(t.GOVERSION, minVersion) < 0 {
		return fmt.Errorf("%s in %s is too old; rehearse needs %s or later", t.GOVERSION, t.GOROOT,
			minVersion)
	}
	if t.GOOS != t.GOHOSTOS || t.GOARCH != t.GOHOSTARCH {
		return fmt.Errorf(
			"rehearse runs the tests that it builds: GOOS=%s GOARCH=%s cannot run here, on %s/%s; unset GOOS and GOARCH",
			t.GOOS, t.GOARCH, t.GOHOSTOS, t.GOHOSTARCH)
	}
	if t.GOOS == "windows" || t.GOOS == "plan9" {
		return fmt.Errorf("rehearse does not run on %s; on Windows, use it in WSL", t.GOOS)
	}
	return nil
}

// goFlag matches one flag in GOFLAGS, with its quotes.
var goFlag = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// Flags lists the flags in GOFLAGS, without quotes and with one dash.
func (t *Toolchain) Flags() []string {
	list := goFlag.FindAllString(t.GOFLAGS, -1)
	for i, f := range list {
		f = strings.Trim(f, `'"`)
		list[i] = "-" + strings.TrimLeft(f, "-")
	}
	return list
}

// leaveOutCover takes the flags for coverage out of GOFLAGS: counters in rewritten code would count
// all executions.
func (t *Toolchain) leaveOutCover() {
	isCover := func(f string) bool { return strings.HasPrefix(f, "-cover") }
	if !slices.ContainsFunc(t.Flags(), isCover) {
		return
	}
	var kept []string
	for _, quoted := range goFlag.FindAllString(t.GOFLAGS, -1) {
		if !isCover("-" + strings.TrimLeft(strings.Trim(quoted, `'"`), "-")) {
			kept = append(kept, quoted)
		}
	}
	t.GOFLAGS = strings.Join(kept, " ")
	t.Env = append(t.Env, "GOFLAGS="+t.GOFLAGS)
}

// Race reports whether GOFLAGS asks for Go's race detector.
func (t *Toolchain) Race() bool {
	return slices.ContainsFunc(t.Flags(), func(f string) bool {
		return f == "-race" || f == "-race=true" || f == "-race=1"
	})
}

// Run runs one go command and returns its standard output. The error holds what it wrote to
// standard error.
func (t *Toolchain) Run(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(cmp.Or(t.Until, context.Background()), "go", args...)
	// it removes what it has made
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Env = t.Dir, t.Environment()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("there is no go command in PATH; rehearse builds tests with it")
	}
	if err != nil {
		return nil, &goError{strings.TrimSpace(stderr.String()), err}
	}
	return stdout.Bytes(), nil
}

// Environment is the user's, with ours. Go commands that collect garbage less often need a fifth
// less time, and compilers a fifth more memory: unless the user has set GOGC.
func (t *Toolchain) Environment() []string {
	env := os.Environ()
	if os.Getenv("GOGC") == "" {
		env = append(env, "GOGC=400")
	}
	return append(env, t.Env...)
}

// goError is a go command that failed: what it said, or how it ended.
type goError struct {
	text string
	err  error
}

// Error is one or more lines without the prefix "go: " of the go command.
func (e *goError) Error() string {
	if e.text == "" {
		return "go: " + e.err.Error()
	}
	return strings.TrimPrefix(e.text, "go: ")
}

// Unwrap returns how the command ended.
func (e *goError) Unwrap() error { return e.err }

// InModuleCache reports whether dir belongs to go's module cache, below which go refuses overlays.
func (t *Toolchain) InModuleCache(dir string) bool { return Within(dir, t.GOMODCACHE) }

// Within reports whether dir is root or below it; nothing is below an empty root.
func Within(dir, root string) bool {
	return root != "" && (dir == root || strings.HasPrefix(dir, root+string(filepath.Separator)))
}
