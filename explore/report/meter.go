package report

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/words"
)

// Meter shows progress: one line that is written again and again on a terminal, otherwise a line
// now and then.
type Meter struct {
	out      io.Writer
	terminal bool
	width    func() int // of the terminal, as it is now; 0: it is not known
	start    time.Time  // of the exploration that is shown
	last     time.Time  // when a line was written last
	shown    int        // characters of the line that stands on the terminal
}

// How long to wait: before the first line, between lines on a terminal, and elsewhere.
const (
	patience = time.Second
	redraw   = 200 * time.Millisecond
	interval = 3 * time.Second

	narrow = 10 // a terminal of no more characters is none to cut lines for
)

// NewMeter returns a meter on f.
func NewMeter(f *os.File) *Meter {
	info, err := f.Stat()
	return &Meter{out: f, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0,
		width: func() int { return process.TerminalWidth(f) }}
}

// Start begins to measure an exploration.
func (m *Meter) Start() { m.start = time.Now(); m.last = time.Time{} }

// Long reports whether the exploration takes so long that progress is shown.
func (m *Meter) Long() bool { return m != nil && time.Since(m.start) >= patience }

// Due reports whether it is time to show something, and takes it that this is done now.
func (m *Meter) Due(now time.Time) bool {
	wait := interval
	if m.terminal {
		wait = redraw
	}
	if now.Sub(m.start) < patience || now.Sub(m.last) < wait {
		return false
	}
	m.last = now
	return true
}

// Show writes a line.
func (m *Meter) Show(test string, p *explore.Progress) {
	line := test + "  " + progressText(p)
	if !m.terminal {
		fmt.Fprintln(m.out, line)
		return
	}
	if width := m.width(); width > narrow { // a line that wraps could not be written again
		line = words.Cut(line, width-1)
	}
	fmt.Fprintf(m.out, "\r%s", words.Pad(line, m.shown))
	m.shown = words.Width(line)
}

// Clear removes the line from the terminal.
func (m *Meter) Clear() {
	if m != nil && m.shown > 0 {
		fmt.Fprintf(m.out, "\r%s\r", strings.Repeat(" ", m.shown))
		m.shown = 0
	}
}

// progressText is "1200 explored, 3 redundant, 17 planned, 2400/s, 0.5s, about 15800 in all (within
// a factor of 1.3), 6s left".
func progressText(p *explore.Progress) string {
	s := fmt.Sprintf("%d explored, %d redundant", p.Executions, p.Blocked)
	if p.Planned >= 0 {
		s += fmt.Sprintf(", %d planned", p.Planned)
	}
	if p.Open > 0 {
		s += fmt.Sprintf(", %s, %s", words.Plural(p.Workers, "worker"),
			words.Plural(p.Open, "item"))
	}
	if rate := p.Rate(); rate > 0 {
		s += fmt.Sprintf(", %.0f/s", rate)
	}
	s += ", " + p.Elapsed.Round(100*time.Millisecond).String()
	if n := len(p.Findings); n > 0 {
		s += ", " + words.Plural(n, "finding")
	}
	if left, ok := p.Left(); ok && p.Spread < worthless {
		s += fmt.Sprintf(", about %s in all (within a factor of %s), %s left", roughly(p.Total),
			factor(p.Spread), about(left))
	}
	return s
}

// worthless is the factor from which on an estimate says nothing to people: seconds could be hours.
const worthless = 100

// factor is f to two digits: "1.3", "27".
func factor(f float64) string {
	if f < 9.95 {
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.0f", f)
}

// roughly is n to three digits: "15800", "1.3e+09".
func roughly(n float64) string {
	const most = 1e7
	if n >= most {
		return fmt.Sprintf("%.1e", n)
	}
	unit := 1.0
	for n/unit >= 1000 {
		unit *= 10
	}
	return fmt.Sprintf("%.0f", math.Round(n/unit)*unit)
}

// about is d to two digits or so: "12s", "4m", "3h", "17 days", "more than 100 years".
func about(d time.Duration) string {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	switch {
	case d < time.Minute:
		return max(d.Round(time.Second), time.Second).String()
	case d < time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	case d < 2*day:
		return strings.TrimSuffix(d.Round(time.Hour).String(), "0m0s")
	case d < 2*year:
		return fmt.Sprintf("%.0f days", d.Hours()/day.Hours())
	case d < 100*year:
		return fmt.Sprintf("%.0f years", d.Hours()/year.Hours())
	}
	return "more than 100 years"
}
