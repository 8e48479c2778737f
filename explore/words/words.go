// Package words puts texts and numbers as people read them, and compares what programs print.
//
// Width counts characters; Pad, Cut and CutMiddle make texts of a width. Stable is the form in
// which texts of equal executions are equal.
//
// LIMITS: a character is a rune, whatever room a terminal gives it.
package words

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Plural is a number with what it counts: "1 step", "2 steps".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// OneLine puts a text into one line, with single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Gist puts the text of a failure into one line. Of a report by testify, that is what went wrong
// and the test's own message: not the calls, and not the test's name.
func Gist(s string) string {
	trace, rest, ok := strings.Cut(s, "Error Trace:")
	if !ok || strings.TrimSpace(trace) != "" || !strings.Contains(rest, "\n\tError:") {
		return OneLine(s)
	}
	label, parts := "", map[string]string{}
	for line := range strings.Lines(rest) {
		for _, l := range [...]string{"Error:", "Messages:", "Test:"} {
			if text, ok := strings.CutPrefix(line, "\t"+l); ok {
				label, line = l, text
			}
		}
		parts[label] += line
	}
	gist := OneLine(parts["Error:"])
	if m := OneLine(parts["Messages:"]); m != "" {
		gist += " (" + m + ")"
	}
	return gist
}

// WithArticle is "a send", "an unlock".
func WithArticle(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}

// Rounded leaves three digits or so.
func Rounded(d time.Duration) time.Duration {
	for unit := time.Second; unit > 1; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 1000)
		}
	}
	return d
}

// Pad appends spaces up to a width in characters.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// Cut shortens s to width characters.
func Cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width-3]) + "..."
}

// CutMiddle shortens s to width characters and keeps both ends, which tell names apart.
func CutMiddle(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	back := (width - 3) * 3 / 5
	return string(r[:width-3-back]) + "..." + string(r[len(r)-back:])
}

// TrimLines removes the spaces at the end of each line, in place, and returns lines.
func TrimLines(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// Width is the number of characters of s.
func Width(s string) int { return utf8.RuneCountInString(s) }
