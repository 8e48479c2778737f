package report

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of a text of the program's own (a log line, a panic's value, a message made of them) in
// the text report.
const (
	maxTextLines = 20
	maxLogLines  = 100 // of a whole log
	maxLineWidth = 200
)

// clip cuts a text down to a number of lines, and says how many it left out, and each line to a
// width.
func clip(text string, most int) string {
	lines := strings.SplitN(text, "\n", most+1)
	if len(lines) > most {
		left := 1 + strings.Count(lines[most], "\n")
		lines[most] = fmt.Sprintf("... and %s", words.Plural(left, "more line"))
	}
	for i, line := range lines {
		lines[i] = words.Cut(line, maxLineWidth)
	}
	return strings.Join(lines, "\n")
}

// onOneLine has the lines of a log side by side; of a report by testify, it has the gist.
func onOneLine(log string) string {
	if gist := words.Gist(log); gist != words.OneLine(log) {
		return gist
	}
	return strings.ReplaceAll(log, "\n", " / ")
}
