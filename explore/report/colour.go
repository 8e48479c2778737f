package report

import "strings"

// Escape sequences of terminals.
const (
	red    = "\033[31m"
	green  = "\033[32m"
	yellow = "\033[33m"
	cyan   = "\033[36m"
	bold   = "\033[1m"
	plain  = "\033[0m"
)

// colours of lines, by what they begin with; the first that fits counts.
var colours = []struct{ prefix, colour string }{
	{"--- FAIL", red}, {"FAIL\t", red}, {"=== FOUND", red},
	{"--- PASS", green}, {"ok  \t", green},
	{"--- ERROR", yellow}, {"--- SKIP", yellow},
	{"    note  ", yellow}, {"    advice ", yellow},
	{"    * ", bold}, {"    replay ", cyan},
}

// coloured gives lines the colours that they have on a terminal.
func coloured(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, end := strings.CutSuffix(line, "\n")
		for _, c := range colours {
			if strings.HasPrefix(body, c.prefix) {
				body = c.colour + body + plain
				break
			}
		}
		b.WriteString(body)
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
