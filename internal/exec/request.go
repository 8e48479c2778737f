package exec

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/cache"
)

// request is what the user asked for: the part of a build that is known before anything is read.
type request struct {
	dir      string // where the patterns are meant
	patterns []string
	options  *options.Options
	added    map[string][]byte // files that the packages get beside their own, by path
	harness  *harnessing       // what rehearse refine asks for; nil: the tests are explored
}

// harnessing asks for binaries that run harnesses instead of tests.
type harnessing struct {
	entry string // a constructor in the place of harnesses; empty: there are harnesses
}

func newRequest(dir string, o *options.Options, patterns []string) (*request, error) {
	dir, err := filepath.Abs(dir)
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if err == nil {
		err = checkFine(dir, o.Fine)
	}
	return &request{dir: dir, patterns: patterns, options: o}, err
}

// withRace is the request with -race, for which the environment asks.
func (r *request) withRace() (*request, error) {
	o := *r.options
	o.Race = true
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("GOFLAGS has -race: %w", err)
	}
	return &request{r.dir, r.patterns, &o, r.added, r.harness}, nil
}

// key names the request in the cache: with it, only the sources can differ.
func (r *request) key() string {
	return cache.Digest(fmt.Appendf(nil, "%s\x00%s\x00%q\x00%q\x00%s", identity(), r.dir,
		r.patterns,
		r.options.BuildFlags(), r.policyText()))
}

// String is different for different binaries.
func (h *harnessing) String() string {
	if h == nil {
		return ""
	}
	return "harness " + h.entry
}

// policyText is the part of the key for -control, -trust, -model and -state, for the kinds of
// facts, and for an audit.
func (r *request) policyText() string {
	o := r.options
	return fmt.Sprintf("%q\x00%q\x00%q\x00%t\x00%s\x00%q", o.Control, o.Trust, o.CoverPkg,
		[]bool{announceAll, r.relaxes(), o.Compares(), o.AboutActors(), o.Sums(), o.AuditsFacts(),
			o.Observes(), o.ForDebugger(), o.Covers()}, r.harness, r.added)
}

// relaxes reports whether the binaries have mailboxes: a delivery model other than Go's was asked
// for.
func (r *request) relaxes() bool { return r.options.Model != "go" }

// announceAll has all accesses announced, and not only those to variables that several processes
// may touch. It is for a test that compares accesses with the analysis.
var announceAll = false

// identity describes everything outside the sources that a build depends on: this command, the go
// command, and the environment.
func identity() string { return commands() + environment(readByGo) }

// commands describes this command and the go command.
func commands() string {
	var b strings.Builder
	self, _ := os.Executable()
	goCommand, _ := exec.LookPath("go")
	for _, file := range []string{self, goCommand} {
		fmt.Fprintln(&b, file, stamp(file))
	}
	return b.String()
}

// environment describes the variables that count.
func environment(counts func(name string) bool) string {
	var b strings.Builder
	for _, v := range slices.Sorted(slices.Values(os.Environ())) {
		if name, _, _ := strings.Cut(v, "="); counts(name) {
			fmt.Fprintln(&b, v)
		}
	}
	return b.String()
}

// stamp stands for the content of an executable, which is too long to be read each time.
func stamp(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "absent"
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// readByGo reports whether the go command, or a compiler that it runs, may look at an environment
// variable. Too many are harmless.
func readByGo(name string) bool {
	for _, prefix := range []string{"GO", "CGO_", "CC", "CXX", "AR", "FC", "PKG_CONFIG", "HOME",
		"XDG_CONFIG_HOME"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
