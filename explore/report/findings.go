package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
)

// Bounds of the text report; -json has all findings. Each is about one test.
const (
	maxFindings = 20
	maxAlike    = 3 // at one place, without -v
	maxCharts   = 3 // findings that are drawn
)

// nothingLogged is the message of a test that fails without any.
const nothingLogged = "nothing was logged"

// printFound prints what was found while the search goes on.
func (t *Text) printFound(test string) {
	for _, f := range t.found {
		if f.Kind != Unsupported && t.hasRoom(f) {
			t.printf("=== FOUND %s, and the search goes on\n", test)
			t.show(f)
		}
	}
	t.found = nil
}

// findings prints the findings of a test, and counts those for which there is no room.
func (t *Text) findings(r *Test) {
	var left []*depict.Finding
	for _, f := range r.Findings {
		switch {
		case f.Kind == Unsupported && f.Chart == nil: // the reason has said it
		case slices.Contains(t.shown, f):
			t.headline(f)
			t.printf("        shown above, when it was found\n")
		case t.hasRoom(f):
			t.show(f)
		default:
			left = append(left, f)
		}
	}
	if len(left) == 0 {
		return
	}
	where := ""
	if place := commonPlace(left); place != "" {
		where = ", all at " + t.Places.Line(place)
	}
	t.printf("    ... and %s%s\n", depict.Plural(len(left), "more finding"), where)
}

// hasRoom reports whether f is to be printed. A line that fails with many texts is most often one
// mistake.
func (t *Text) hasRoom(f *depict.Finding) bool {
	alike, place := 0, placeOf(f)
	for _, g := range t.shown {
		if place != "" && place == placeOf(g) {
			alike++
		}
	}
	return len(t.shown) < maxFindings && (t.Verbose || alike < maxAlike)
}

// placeOf is where a test fails or panics; empty: the finding is of another kind.
func placeOf(f *depict.Finding) string {
	if f.Kind != explore.Fail && f.Kind != explore.Panic {
		return ""
	}
	return f.Pos
}

// commonPlace is the place of all findings of a list; empty if there is none.
func commonPlace(list []*depict.Finding) string {
	place := placeOf(list[0])
	for _, f := range list[1:] {
		if placeOf(f) != place {
			return ""
		}
	}
	return place
}

// show prints a finding for which there is room.
func (t *Text) show(f *depict.Finding) {
	t.finding(f, len(t.shown) < maxCharts)
	t.shown = append(t.shown, f)
}

// finding prints a finding: its sentence first, then all that is known of it, and how to replay it.
func (t *Text) finding(f *depict.Finding, chart bool) {
	width := sentenceWidth
	if t.Places.Width > 0 {
		width = min(width, max(t.Places.Width-len("    "), sentenceWidth/2))
	}
	for _, line := range wrapped(f.Sentence, width) {
		t.printf("    %s\n", line)
	}
	t.headline(f)
	if f.Sampler != "" {
		t.printf("        found by a sample of strategy %s\n", f.Sampler)
	}
	if f.Kind == explore.Fail && len(f.Log) > 1 {
		t.log(f.Log[1:]) // the headline has the first
	}
	t.processes(f)
	t.stacks(f)
	if f.Kind != explore.Fail {
		t.log(f.Log)
	}
	if f.Delay > 0 {
		t.printf("        it fails %s\n", f.Condition())
	}
	t.order(f, chart && len(f.Chart) > 0 && f.Kind != explore.Uncontrolled) // a stack says it all
	if len(f.Causes) > 0 {
		t.printf("    why this order matters:\n")
		t.indented(depict.CauseLines(f.Causes))
	}
	if f.Schedule != "" {
		t.printf("    replay   rehearse replay %s\n", t.schedulePath(f.Schedule))
	}
	t.printf("\n")
}

// sentenceWidth is how long a line of a finding's sentence is, in characters.
const sentenceWidth = 110

// wrapped breaks a text between words.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// order draws the order that fails, if it is to be drawn, and says how far it is minimised.
func (t *Text) order(f *depict.Finding, drawn bool) {
	rough := ""
	if f.Rough != "" {
		rough = "not minimised to the end: " + f.Rough
	}
	switch {
	case drawn && f.Kind != Unsupported && rough != "":
		t.printf("\n    the order that fails%s, %s:\n", away(f.Away), rough)
	case drawn && f.Kind != Unsupported:
		t.printf("\n    the order that fails%s:\n", away(f.Away))
	case rough != "" && f.Schedule == "":
		t.printf("    the order that fails is not saved: %s\n", f.Rough)
	case rough != "":
		t.printf("    the order that fails is %s\n", rough)
	}
	if drawn {
		t.indented(f.Chart)
	}
}

// away says how far a failing execution is from a passing one.
func away(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(", %s (*) away from a passing one", depict.Plural(n, "step"))
}

// indented prints lines as they are.
func (t *Text) indented(lines []string) {
	for _, line := range lines {
		t.printf("%s\n", strings.TrimRight("    "+line, " "))
	}
}

// headline is the kind, the place and the message; a message of several lines continues below.
func (t *Text) headline(f *depict.Finding) {
	pos, text := "", t.brief(f)
	if (len(f.Processes) == 0 || f.Kind == explore.Uncontrolled || f.Kind == explore.Fail) &&
		f.Pos != "" {
		pos = t.Places.Line(f.Pos) + ": "
	}
	if f.Kind == explore.Fail && len(f.Log) > 1 {
		pos, text = "", f.Log[0].Text
		if f.Log[0].Pos != "" {
			pos = f.Log[0].Pos + ": "
		}
	}
	text = cmp.Or(strings.TrimSpace(text), nothingLogged)
	if f.Kind != explore.Uncontrolled { // that is ours, and ends with what to type
		text = clip(text, maxTextLines)
	}
	t.printf("    %s  %s%s\n", f.Kind, pos, strings.ReplaceAll(text, "\n", "\n        "))
}

// gist is the message in at most 100 characters.
func (t *Text) gist(f *depict.Finding) string {
	return cmp.Or(depict.Cut(depict.Gist(t.brief(f)), 100), nothingLogged)
}

// brief is the message without the list of blocked processes, which follows in more detail.
func (t *Text) brief(f *depict.Finding) string {
	if f.Kind != explore.Deadlock && f.Kind != explore.Leak {
		return f.Message
	}
	message, _, _ := strings.Cut(f.Message, ": ")
	return message
}

// processes prints where each blocked process waits.
func (t *Text) processes(f *depict.Finding) {
	widest, wordy := 0, 0
	for _, p := range f.Processes {
		widest, wordy = max(widest, depict.Width(p.Name)), max(wordy, depict.Width(p.Op))
	}
	for _, p := range f.Processes {
		if p.State == "blocked" {
			t.printf("        %s\n",
				strings.TrimRight(depict.Pad(p.Name, widest)+"  "+depict.Pad(p.Op,
					min(wordy, 70))+"   "+t.Places.Line(p.Pos), " "))
		}
	}
}

// stacks prints the stack of a finding, or those of the two accesses of a race, each below what it
// does.
func (t *Text) stacks(f *depict.Finding) {
	if len(f.Accesses) == 0 {
		t.lines(f.Stack)
		return
	}
	for _, a := range f.Accesses {
		holding := ""
		if held := a.Holding(false); held != "" {
			holding = ", which holds " + held
		}
		t.printf("      %s by %s%s:\n", a.What, a.Process, holding)
		t.lines(a.Stack)
	}
}

// lines prints a stack.
func (t *Text) lines(stack []depict.Line) {
	for i, l := range stack {
		if i == maxTextLines {
			t.printf("        ... and %d more calls\n", len(stack)-i)
			return
		}
		t.printf("        in %s   %s\n", path.Base(l.Text), l.Pos)
	}
}

// log prints what a test has logged.
func (t *Text) log(lines []depict.Line) {
	for i, l := range lines {
		if i == maxLogLines {
			t.printf("        ... and %d more\n", len(lines)-i)
			return
		}
		if l.Pos != "" {
			l.Pos += ": "
		}
		t.printf("        %s%s\n", l.Pos,
			strings.ReplaceAll(clip(l.Text, maxTextLines), "\n", "\n            "))
	}
}
