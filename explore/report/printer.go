package report

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/words"
)

// Printer prints for people.
type Printer struct {
	Out     io.Writer
	Verbose bool
	Colours bool // Out is a terminal that shows colours
	Places  *depict.Places
	Meter   *Meter // shows progress; must be cleared before anything is printed
}

func (p *Printer) printf(format string, args ...any) {
	p.Meter.Clear()
	text := fmt.Sprintf(format, args...)
	if p.Colours {
		text = coloured(text)
	}
	io.WriteString(p.Out, text)
}

// indented prints lines as they are.
func (p *Printer) indented(lines []string) {
	for _, line := range lines {
		p.printf("%s\n", strings.TrimRight("    "+line, " "))
	}
}

// processes prints where each blocked process waits.
func (p *Printer) processes(f *depict.Finding) {
	widest, wordy := 0, 0
	for _, q := range f.Processes {
		widest, wordy = max(widest, words.Width(q.Name)), max(wordy, words.Width(q.Op))
	}
	for _, q := range f.Processes {
		if q.State == "blocked" {
			p.printf("        %s\n",
				strings.TrimRight(words.Pad(q.Name, widest)+"  "+words.Pad(q.Op,
					min(wordy, 70))+"   "+p.Places.Line(q.Pos), " "))
		}
	}
}

// schedulePath is the schedule's file as the user can name it from where they are.
func (p *Printer) schedulePath(file string) string {
	full := filepath.Join(p.Places.Dir, filepath.FromSlash(file))
	from := cmp.Or(p.Places.From, p.Places.Cwd)
	if rel, err := filepath.Rel(from, full); err == nil && from != "" {
		return rel
	}
	return full
}
