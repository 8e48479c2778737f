package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of the text report; -json has all findings. Each is about one test.
const (
	maxFindings = 20
	maxAlike    = 3 // at one place, without -v
	maxCharts   = 3 // findings that are drawn
)

// nothingLogged is the message of a test that fails without any.
const nothingLogged = "nothing was logged"

// findings prints the findings of a test.
type findings struct {
	*Printer
	found []*depict.Finding // not shown yet
	shown []*depict.Finding
	saved []string // the schedules of those when they were shown
}

// printFound prints what was found while the search goes on.
func (s *findings) printFound(test string) {
	for _, f := range s.found {
		if f.Kind != Unsupported && s.hasRoom(f) {
			s.printf("=== FOUND %s, and the search goes on\n", test)
			s.show(f)
		}
	}
	s.found = nil
}

// print prints the findings of a test, and counts those for which there is no room.
func (s *findings) print(r *Test) {
	var left []*depict.Finding
	for _, f := range r.Findings {
		was := slices.Index(s.shown, f)
		switch {
		case f.Kind == Unsupported && f.Chart == nil: // the reason has said it
		case was >= 0 && s.saved[was] != f.Schedule:
			s.finding(f, was < maxCharts) // the search has come to another order that shows it
		case was >= 0:
			s.headline(f)
			s.printf("        shown above, when it was found\n")
		case s.hasRoom(f):
			s.show(f)
		default:
			left = append(left, f)
		}
	}
	if len(left) == 0 {
		return
	}
	where := ""
	if place := commonPlace(left); place != "" {
		where = ", all at " + s.Places.Line(place)
	}
	s.printf("    ... and %s%s\n", words.Plural(len(left), "more finding"), where)
}

// suspect prints the first findings of a test that passes, which are suspect only, without charts.
func (s *findings) suspect(r *Test) {
	for _, f := range r.Findings[:min(len(r.Findings), maxAlike)] {
		s.finding(f, false)
	}
	if more := len(r.Findings) - maxAlike; more > 0 {
		s.printf("    ... and %s; -v has all\n", words.Plural(more, "more finding"))
	}
}

// hasRoom reports whether f is to be printed. A line that fails with many texts is most often one
// mistake.
func (s *findings) hasRoom(f *depict.Finding) bool {
	alike, place := 0, placeOf(f)
	for _, g := range s.shown {
		if place != "" && place == placeOf(g) {
			alike++
		}
	}
	return len(s.shown) < maxFindings && (s.Verbose || alike < maxAlike)
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
func (s *findings) show(f *depict.Finding) {
	s.finding(f, len(s.shown) < maxCharts)
	s.shown, s.saved = append(s.shown, f), append(s.saved, f.Schedule)
}

// finding prints a finding: its sentence first, then all that is known of it, and how to replay it.
func (s *findings) finding(f *depict.Finding, chart bool) {
	width := sentenceWidth
	if s.Places.Width > 0 {
		width = min(width, max(s.Places.Width-len("    "), sentenceWidth/2))
	}
	for _, line := range wrapped(f.Sentence, width) {
		s.printf("    %s\n", line)
	}
	s.headline(f)
	if f.Sampler != "" {
		s.printf("        found by a sample of strategy %s\n", f.Sampler)
	}
	if f.Kind == explore.Fail && len(f.Log) > 1 {
		s.log(f.Log[1:]) // the headline has the first
	}
	s.processes(f)
	s.stacks(f)
	if f.Kind != explore.Fail {
		s.log(f.Log)
	}
	if f.Delay > 0 {
		s.printf("        it fails %s\n", f.Condition())
	}
	s.order(f, chart && len(f.Chart) > 0 && f.Kind != explore.Uncontrolled) // a stack says it all
	if len(f.Causes) > 0 {
		s.printf("    why this order matters:\n")
		s.indented(depict.CauseLines(f.Causes))
	}
	if f.Schedule != "" {
		s.printf("    replay   rehearse replay %s\n", s.schedulePath(f.Schedule))
	}
	s.printf("\n")
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
func (s *findings) order(f *depict.Finding, drawn bool) {
	rough := ""
	if f.Rough != "" {
		rough = "not minimised to the end: " + f.Rough
	}
	switch {
	case drawn && f.Kind != Unsupported && rough != "":
		s.printf("\n    the order that fails%s, %s:\n", away(f.Away), rough)
	case drawn && f.Kind != Unsupported:
		s.printf("\n    the order that fails%s:\n", away(f.Away))
	case rough != "" && f.Schedule == "":
		s.printf("    the order that fails is not saved: %s\n", f.Rough)
	case rough != "":
		s.printf("    the order that fails is %s\n", rough)
	}
	if drawn {
		s.indented(f.Chart)
	}
}

// away says how far a failing execution is from a passing one.
func away(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(", %s (*) away from a passing one", words.Plural(n, "step"))
}

// headline is the kind, the place and the message; a message of several lines continues below.
func (s *findings) headline(f *depict.Finding) {
	pos, text := "", brief(f)
	if (len(f.Processes) == 0 || f.Kind == explore.Uncontrolled || f.Kind == explore.Fail) &&
		f.Pos != "" {
		pos = s.Places.Line(f.Pos) + ": "
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
	s.printf("    %s  %s%s\n", f.Kind, pos, strings.ReplaceAll(text, "\n", "\n        "))
}

// gist is the message in at most 100 characters.
func gist(f *depict.Finding) string {
	return cmp.Or(words.Cut(words.Gist(brief(f)), 100), nothingLogged)
}

// brief is the message without the list of blocked processes, which follows in more detail.
func brief(f *depict.Finding) string {
	if f.Kind != explore.Deadlock && f.Kind != explore.Leak {
		return f.Message
	}
	message, _, _ := strings.Cut(f.Message, ": ")
	return message
}

// stacks prints the stack of a finding, or those of the two accesses of a race, each below what it
// does.
func (s *findings) stacks(f *depict.Finding) {
	if len(f.Accesses) == 0 {
		s.lines(f.Stack)
		return
	}
	for _, a := range f.Accesses {
		holding := ""
		if held := a.Holding(false); held != "" {
			holding = ", which holds " + held
		}
		s.printf("      %s by %s%s:\n", a.What, a.Process, holding)
		s.lines(a.Stack)
	}
}

// lines prints a stack.
func (s *findings) lines(stack []depict.Line) {
	for i, l := range stack {
		if i == maxTextLines {
			s.printf("        ... and %d more calls\n", len(stack)-i)
			return
		}
		s.printf("        in %s   %s\n", path.Base(l.Text), l.Pos)
	}
}

// log prints what a test has logged.
func (s *findings) log(lines []depict.Line) {
	for i, l := range lines {
		if i == maxLogLines {
			s.printf("        ... and %d more\n", len(lines)-i)
			return
		}
		if l.Pos != "" {
			l.Pos += ": "
		}
		s.printf("        %s%s\n", l.Pos,
			strings.ReplaceAll(clip(l.Text, maxTextLines), "\n", "\n            "))
	}
}
