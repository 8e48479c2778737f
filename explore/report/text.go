package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxOutcomes bounds the outcomes of the text report without -v; -json has all.
const maxOutcomes = 8

// Text reports as go test does. Its own methods are those of a Reporter, and the lines of a test
// beside its findings and notes.
type Text struct {
	*Printer
	WhyTwins    bool // which goroutines are twins, and why others are none
	WhySections bool // which critical sections have an order, and why
	Allowed     bool // a test that cannot be explored is no failure
	Stream      bool // as go test -json has it: each test has its lines, in the words of go test

	fixed    trace.Limits         // of all tests
	findings map[string]*findings // of each test that has begun: they take turns
	notes
}

// NewText returns a Text that prints by p.
func NewText(p *Printer) *Text {
	return &Text{Printer: p, findings: map[string]*findings{}, notes: notes{Printer: p}}
}

// Begin implements Reporter.
func (t *Text) Begin() {}

// of returns the findings of a test.
func (t *Text) of(test string) *findings {
	if t.findings[test] == nil {
		t.findings[test] = &findings{Printer: t.Printer}
	}
	return t.findings[test]
}

// Run implements Reporter.
func (t *Text) Run(test string) {
	delete(t.findings, test)
	if t.Verbose || t.Stream {
		t.printf("=== RUN   %s\n", test)
	}
}

// Progress implements Reporter. There is progress to be shown, so the search takes long: the
// findings until now are printed.
func (t *Text) Progress(test string, p *explore.Progress) {
	t.of(test).printFound(test)
	if t.Meter != nil {
		t.Meter.Show(test, p)
	}
}

// Found implements Reporter. Findings are printed with the result, below the test's line, unless
// the search takes long.
func (t *Text) Found(test string, f *depict.Finding) {
	if t.Verbose && f.Kind != Unsupported {
		t.printf("    found %s: %s\n", f.Kind, gist(f))
	}
	of := t.of(test)
	of.found = append(of.found, f)
	if t.Meter.Long() {
		of.printFound(test)
	}
}

// Result implements Reporter.
func (t *Text) Result(r *Test) {
	t.fixed.Merge(&r.Limits)
	if r.Verdict == Pass && r.Complete && !t.Verbose && !t.Stream && !t.WhyTwins &&
		!t.WhySections &&
		r.Trace == nil {
		if len(r.Findings) > 0 {
			t.verdict(r)
			t.of(r.Name).suspect(r)
		}
		t.slow(r)
		t.notes.keep(r)
		return
	}
	t.verdict(r)
	t.notes.print(r)
	t.limits(&r.Limits)
	t.used(r)
	t.selection(&r.Selection)
	t.indented(r.Trace)
	t.of(r.Name).print(r)
	delete(t.findings, r.Name)
	for _, f := range r.Known {
		if t.Verbose {
			t.printf("    known  %s: %s\n", f.Kind, gist(f))
		}
	}
	t.slow(r)
	t.outcomes(r)
	t.coverage(r)
	t.filling(r.Filling, "", r.Executions)
	if e := r.Early; e != nil && !e.Complete {
		t.filling(e.Filling, " of timers that fire early", e.Executions)
	}
	t.pruned(r)
	t.twins(r.Twins)
	t.sections(r.Sections)
	t.audited(r.Audited)
	if r.Resume != "" {
		t.printf("    resume   %s\n", r.Resume)
	}
}

// verdict prints the line of a test. A stream's has nothing after the time: its readers match the
// whole line.
func (t *Text) verdict(r *Test) {
	format := "--- %s: %s (%.2fs)  %s\n"
	if t.Stream {
		format = "--- %s: %s (%.2fs)\n    %s\n"
	}
	t.printf(format, t.word(r), r.Name, r.Elapsed.Seconds(), summary(r))
}

// word is the verdict on a test. go test has no word for a test that cannot be explored, so a
// stream calls it skipped.
func (t *Text) word(r *Test) string {
	if r.Skips() || r.Verdict == Error && (t.Stream || t.Allowed) {
		return "SKIP"
	}
	return strings.ToUpper(string(r.Verdict))
}

// selection prints how actors were selected, with -v.
func (t *Text) selection(s *Selection) {
	if !t.Verbose || s.States == 0 {
		return
	}
	t.printf("    actors  %s", words.Plural(s.States, "state"))
	if s.Proved+s.Heuristic > 0 {
		t.printf("; in %d a stable actor was proved, in %d the heuristic chose", s.Proved,
			s.Heuristic)
	}
	t.printf("; another actor had to be selected %s\n", words.Plural(s.Backtracked, "time"))
}

// summary is "7 executions, complete; 1 of 3 outcomes fails".
func summary(r *Test) string {
	if r.Executions == 0 && r.Reason != "" && r.Verdict != Pass {
		return r.Reason
	}
	s := words.Plural(r.Executions, "execution")
	if r.Blocked > 0 {
		s += fmt.Sprintf(" (and %d redundant)", r.Blocked)
	}
	if r.States > 0 {
		s += ", " + words.Plural(r.States, "state")
	}
	if r.Sampled > 0 {
		s += fmt.Sprintf(", %d of them samples", r.Sampled)
	}
	switch {
	case r.Complete:
		s += ", complete" + UpTo(r.UpTo)
	case r.Reason != "":
		s += ", incomplete: " + r.Reason
	default:
		s += ", incomplete"
	}
	s += fixed(r.Fixed)
	failing := 0
	for _, o := range r.Outcomes {
		if o.Verdict != string(Pass) {
			failing++
		}
	}
	all := words.Plural(len(r.Outcomes), "outcome")
	if r.Unlisted > 0 {
		all = "at least " + all
	}
	switch {
	case failing == 1:
		s += fmt.Sprintf("; 1 of %s fails", all)
	case failing > 1:
		s += fmt.Sprintf("; %d of %s fail", failing, all)
	case len(r.Outcomes) > 1:
		s += "; " + all
	}
	if r.Early != nil {
		s += r.Early.summary()
	}
	return s
}

// outcomes lists the distinct outcomes: all with -v, else a few if the test fails.
func (t *Text) outcomes(r *Test) {
	list := r.Outcomes
	if !t.Verbose && (r.Verdict == Pass || len(list) < 2) || len(list) == 0 {
		return
	}
	t.printf("    outcomes, and how many executions showed each\n")
	for i, o := range list {
		if i == maxOutcomes && !t.Verbose {
			t.printf("        ... and %d more; -v lists all\n", len(list)-i)
			return
		}
		t.outcome(&o)
	}
	if r.Unlisted > 0 {
		t.printf("    %6d  executions showed others, which are too many to list\n", r.Unlisted)
	}
}

func (t *Text) outcome(o *explore.Outcome) {
	kind := o.Verdict
	if o.Kind != "" && string(o.Kind) != o.Verdict {
		kind += " (" + string(o.Kind) + ")"
	}
	line := fmt.Sprintf("%6d  %s", o.Count, kind)
	log := strings.Split(o.Log, "\n")
	if len(log) == 1 || !t.Verbose {
		t.printf("    %s\n",
			strings.TrimRight(words.Pad(line+" ", 24)+words.Cut(onOneLine(o.Log), 100), " "))
		return
	}
	t.printf("    %s\n", line)
	for _, line := range strings.Split(clip(o.Log, maxLogLines), "\n") {
		t.printf("            %s\n", line)
	}
}

// Package implements Reporter.
func (t *Text) Package(p *Package) {
	t.notes.printKept()
	extra := ""
	switch {
	case p.Listed:
	case p.Tests == 0:
		extra = " [no tests to run]"
	case p.Incomplete > 0:
		extra = fmt.Sprintf("  incomplete: %d of %s", p.Incomplete, words.Plural(p.Tests, "test"))
	}
	if p.Unbegun > 0 {
		extra += fmt.Sprintf(", %d not begun", p.Unbegun)
	}
	word := "ok  "
	if p.Verdict == Fail || p.Verdict == Error && !t.Stream {
		word = "FAIL"
	}
	if set := fixed(sorted(t.fixed.Fixed)); set != "" {
		extra += " " + set
	}
	if t.Stream && !p.Listed && p.Tests > 0 { // readers match the whole line of the package
		if extra != "" {
			t.printf("%s\n", strings.TrimSpace(extra))
		}
		t.printf("%s\n", strings.Replace(strings.TrimSpace(word), "ok", "PASS", 1))
		extra = ""
	}
	t.printf("%s\t%s\t%s%s\n", word, p.Path, seconds(p.Elapsed), extra)
}

// Listed implements Reporter.
func (t *Text) Listed(test string) { t.printf("%s\n", test) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.3fs", d.Seconds()) }
