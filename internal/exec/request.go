package exec

import (
	"fmt"
	"path/filepath"

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
