package depict

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
)

// indent is where the first lifeline may begin: the mark and a space are left of it.
const indent = 2

// place decides where the lifelines run: close, but so that every label fits between its
// neighbours.
func (c *chart) place() {
	gap := c.gaps()
	c.pos = make([]int, len(c.order))
	for i := range c.order {
		if i == 0 {
			c.pos[0] = indent + words.Width(c.label(0))/2
			continue
		}
		c.pos[i] = c.pos[i-1] + gap[i-1]
	}
}

// gaps are the distances between neighbouring lifelines.
func (c *chart) gaps() []int {
	gap := make([]int, max(0, len(c.order)-1))
	for i := range gap {
		gap[i] = max(10, (words.Width(c.label(i))+words.Width(c.label(i+1)))/2+3)
	}
	for _, r := range c.rows {
		switch {
		case r.from < 0:
		case r.to < 0:
			if i := c.column[r.from]; i < len(gap) {
				gap[i] = max(gap[i], words.Width(words.Cut(r.text, maxText))+4)
			}
		default:
			a, b := c.column[r.from], c.column[r.to]
			if i := min(a, b); i+1 == max(a, b) {
				gap[i] = max(gap[i], words.Width(r.text)+7)
			}
		}
	}
	return gap
}

func (c *chart) label(column int) string { return c.labels[column] }

// nameColumns shortens the names of long processes in the middle, so that no two are alike.
func (c *chart) nameColumns() {
	used := map[string]bool{}
	for _, p := range c.order {
		name := words.CutMiddle(c.proc(p), maxText)
		for n := 2; used[name]; n++ {
			name = words.CutMiddle(c.proc(p), maxText-3) + fmt.Sprintf("~%d", n)
		}
		used[name] = true
		c.labels = append(c.labels, name)
	}
}

// header is the line of the processes' names, each centred above its lifeline.
func (c *chart) header() string {
	line := ""
	for i := range c.order {
		line = words.Pad(line, c.pos[i]-words.Width(c.label(i))/2) + c.label(i)
	}
	return line
}

// lifelines draws one row.
func (c *chart) lifelines(r *row) string {
	if r.from < 0 {
		return strings.Repeat(" ", indent) + r.text
	}
	if len(c.pos) == 0 {
		return ""
	}
	line := []rune(strings.Repeat(" ", c.pos[len(c.pos)-1]+maxText+3))
	for _, p := range c.pos {
		line[p] = '|'
	}
	if r.to < 0 {
		copy(line[c.pos[c.column[r.from]]+2:], []rune(words.Cut(r.text, maxText)))
	} else {
		arrow(line, c.pos[c.column[r.from]], c.pos[c.column[r.to]], r.text)
	}
	return strings.TrimRight(string(line), " ")
}

// arrow draws "|-- label -->|" between two lifelines, in either direction.
func arrow(line []rune, from, to int, label string) {
	left, right := min(from, to)+1, max(from, to)-1
	for i := left; i <= right; i++ {
		line[i] = '-'
	}
	text := []rune(" " + label + " ")
	copy(line[(left+right+1-len(text))/2:], text)
	if from < to {
		line[right] = '>'
	} else {
		line[left] = '<'
	}
}

// listRows is the form for more processes than a chart has room for: one line per row, the process
// first.
func (c *chart) listRows() []string {
	widest := 0
	for i := range c.order {
		widest = max(widest, words.Width(c.label(i)))
	}
	lines := make([]string, len(c.rows))
	for i, r := range c.rows {
		lines[i] = strings.Repeat(" ", indent) + c.sentence(&r, widest)
	}
	return lines
}

func (c *chart) sentence(r *row, widest int) string {
	switch {
	case r.from < 0:
		return r.text
	case r.to < 0:
		return words.Pad(c.label(c.column[r.from]), widest) + "  " + words.Cut(r.text, maxText)
	}
	return words.Pad(c.label(c.column[r.from]), widest) + "  --" + r.text + "--> " +
		c.label(c.column[r.to])
}

// annotate adds marks, places, source lines and notes to the lines of the rows. A note for which a
// line has no room stands below it.
func (c *chart) annotate(lines []string) (all []string) {
	left, middle := c.widths(lines)
	for i, r := range c.rows {
		if r.from < 0 {
			all = append(all, lines[i])
			continue
		}
		note := ""
		if r.note != "" {
			note = "   <- " + r.note
		}
		line := words.Pad(lines[i], left+beforePlaces) + words.Pad(c.At.Line(r.site), middle)
		below := ""
		room := c.room(words.Width(strings.TrimRight(line, " ")))
		if note != "" && room < words.Width(note) {
			note = strings.TrimLeft(note, " ")
			below = strings.Repeat(" ", max(indent, c.room(words.Width(note)))) +
				words.Cut(note, c.room(indent))
			note = ""
		}
		line += "  " + c.source(&r, left+beforePlaces+middle+2, words.Width(note))
		line = strings.TrimRight(line, " ") + note
		if r.mark {
			line = "*" + line[1:]
		}
		if all = append(all, line); below != "" {
			all = append(all, below)
		}
	}
	return all
}

// beforePlaces is the space between lifelines and places.
const beforePlaces = 3

// widths are those of the lines of the rows, and of the rows' places.
func (c *chart) widths(lines []string) (left, middle int) {
	for i, r := range c.rows {
		if r.from < 0 {
			continue
		}
		left = max(left, words.Width(lines[i]))
		middle = max(middle, words.Width(c.At.Line(r.site)))
	}
	return left, middle
}

// room is how many characters the terminal has left behind so many of a chart.
func (c *chart) room(before int) int {
	if c.At.Width == 0 {
		return math.MaxInt
	}
	return c.At.Width - Outside - before
}

// leastSource is the least of a source line that is worth showing.
const leastSource = 12

// source is the source line of a row, as far as the line has room for it: a note says more.
func (c *chart) source(r *row, before, note int) string {
	room := c.room(before + note)
	if room < leastSource {
		return ""
	}
	return words.Cut(words.OneLine(cmp.Or(r.code, body(c.At.Source(r.site)))), min(maxSource, room))
}

// body is what a function on one line does; another line stays as it is.
func body(line string) string {
	_, inside, ok := strings.Cut(line, " { ")
	if inner, whole := strings.CutSuffix(inside, " }"); ok && whole &&
		strings.HasPrefix(line, "func ") {
		return inner
	}
	return line
}
