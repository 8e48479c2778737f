package ci

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/sarif"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of SARIF. GitHub takes 25,000 results and 10,000 locations of a result, and shows 1,000.
const (
	maxResults   = 5000
	maxLocations = 900 // of each of the two code flows
)

// sourceRoot is the uriBaseId of the directory in which the command ran.
const sourceRoot = "%SRCROOT%"

// SARIF writes the findings as one run. An incomplete exploration, or one that is complete up to a
// package of the library, is a notification, and no result.
func SARIF(w io.Writer, packages []*record.Package) error {
	s := &sarifWriter{}
	for _, p := range packages {
		if s.root == "" {
			s.root = p.Cwd
		}
	}
	for _, p := range packages {
		s.add(p)
	}
	run := sarif.Run{
		Tool: sarif.Tool{Driver: sarif.Driver{Name: "rehearse", URI: sarif.HomePage,
			Rules: s.rules}},
		Invocations: []sarif.Invocation{{Successful: !s.broken, Notifications: s.notes}},
		Automation:  &sarif.Automation{ID: "rehearse/" + common(packages)},
		ColumnKind:  "utf16CodeUnits",
		Results:     append([]sarif.Result{}, s.results...),
	}
	if s.root != "" {
		run.Bases = map[string]sarif.Artifact{sourceRoot: {URI: sarif.FileURI(s.root) + "/"}}
	}
	if run.Tool.Driver.Rules == nil {
		run.Tool.Driver.Rules = []sarif.Rule{}
	}
	return sarif.Write(w, run)
}

// common is what the packages' paths begin with: runs of equal names replace each other.
func common(packages []*record.Package) string {
	if len(packages) == 0 {
		return "nothing"
	}
	prefix := packages[0].Package
	for _, p := range packages[1:] {
		for prefix != "." && p.Package != prefix && !strings.HasPrefix(p.Package, prefix+"/") {
			prefix = path.Dir(prefix)
		}
	}
	return prefix
}

// sarifWriter collects a run.
type sarifWriter struct {
	root    string
	rules   []sarif.Rule
	results []sarif.Result
	notes   []sarif.Notification
	broken  bool
}

func (s *sarifWriter) note(level, text string) {
	s.notes = append(s.notes, sarif.Notification{Level: level, Message: sarif.Text{Text: text}})
}

func (s *sarifWriter) add(p *record.Package) {
	if p.Verdict == "" || p.Reason != "" {
		s.broken = true
		s.note("error", p.Package+": "+reasonOf(p))
	}
	for _, t := range p.Tests {
		for _, f := range failed(t) {
			if len(s.results) < maxResults {
				s.results = append(s.results, s.result(p, t, f))
			}
		}
		if text := why(t); text != "" && len(failed(t)) == 0 {
			s.note("warning", p.Package+" "+t.Name+": "+text)
		}
		if t.Complete && len(t.UpTo) > 0 {
			s.note("note", p.Package+" "+t.Name+": complete"+report.UpTo(t.UpTo))
		}
	}
	if p.Unbegun > 0 {
		s.note("warning", p.Package+": "+words.Plural(p.Unbegun, "test")+" not begun")
	}
}

// reasonOf says why a package was not explored to the end.
func reasonOf(p *record.Package) string {
	if p.Reason != "" {
		return p.Reason
	}
	return "the test binary ended before it could report"
}

// level is how bad findings of a kind are.
func level(kind string) string {
	if kind == "suspect" {
		return "warning"
	}
	return "error"
}

// rule is the index of the rule of a kind.
func (s *sarifWriter) rule(kind string) int {
	if i := slices.IndexFunc(s.rules, func(r sarif.Rule) bool { return r.ID == kind }); i >= 0 {
		return i
	}
	text := meanings[kind]
	s.rules = append(s.rules, sarif.Rule{
		ID: kind, Short: sarif.Text{Text: text.title}, Full: sarif.Text{Text: text.what},
		Help: sarif.Text{Text: text.what + " " + help,
			Markdown: "**" + text.title + ".** " + text.what + "\n\n" + help},
		Default: sarif.Level{Level: level(kind)},
	})
	return len(s.rules) - 1
}

func (s *sarifWriter) result(p *record.Package, t *record.Test, f *record.Finding) sarif.Result {
	at := sarif.Location{Logical: []sarif.Name{{Name: p.Package + "." + t.Name, Kind: "function"}}}
	if src, ok := where(p, f, f.Pos); ok {
		at.Physical = s.physical(src)
	} else if x := f.Failing; x != nil && len(x.Sites) > 0 {
		at.Physical = s.physical(source{x.Sites[0].File, x.Sites[0].Line})
	}
	text := says(f)
	if command := replay(p, f); command != "" {
		text += "\n" + command
	}
	sum := sha256.Sum256([]byte(p.Package + "\x00" + t.Name + "\x00" + f.Kind + "\x00" +
		f.Identity))
	r := sarif.Result{RuleID: f.Kind, RuleIndex: s.rule(f.Kind), Level: level(f.Kind),
		Message:      sarif.Text{Text: text},
		Locations:    []sarif.Location{at},
		Fingerprints: map[string]string{"rehearse/v1": hex.EncodeToString(sum[:16])}}
	if x := f.Failing; x != nil && len(x.Events.Kind) > 0 {
		r.Flows = []sarif.CodeFlow{s.global(x), s.perProcess(x)}
	}
	return r
}

func (s *sarifWriter) physical(at source) *sarif.Physical {
	return &sarif.Physical{Artifact: sarif.ArtifactBelow(s.root, sourceRoot, at.file),
		Region: sarif.Region{Line: at.line}}
}

// global is a trace in the order in which it came, as one thread: there are viewers that show no
// other.
func (s *sarifWriter) global(x *record.Trace) sarif.CodeFlow {
	var way []sarif.Step
	for _, i := range shown(x, maxLocations) {
		way = append(way, s.step(x, i))
	}
	return sarif.CodeFlow{Message: &sarif.Text{Text: "the order that fails"},
		Threads: []sarif.ThreadFlow{{Locations: way}}}
}

// perProcess is a trace with a thread for each goroutine.
func (s *sarifWriter) perProcess(x *record.Trace) sarif.CodeFlow {
	threads := make([]sarif.ThreadFlow, len(x.Procs))
	for _, i := range shown(x, maxLocations) {
		p := x.Events.Proc[i]
		threads[p].ID = x.Procs[p].Name
		threads[p].Locations = append(threads[p].Locations, s.step(x, i))
	}
	threads = slices.DeleteFunc(threads, func(t sarif.ThreadFlow) bool {
		return len(t.Locations) == 0
	})
	return sarif.CodeFlow{Message: &sarif.Text{Text: "the same, goroutine by goroutine"},
		Threads: threads}
}

func (s *sarifWriter) step(x *record.Trace, i int) sarif.Step {
	out := sarif.Step{Location: sarif.Location{Message: &sarif.Text{Text: step(x, i)}},
		Order: i + 1}
	if site := x.Events.Site[i]; site >= 0 {
		out.Location.Physical = s.physical(source{x.Sites[site].File, x.Sites[site].Line})
	}
	if slices.Contains(essential(x), i) {
		out.Importance = "essential"
	}
	return out
}
