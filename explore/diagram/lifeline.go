package diagram

import (
	"cmp"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
)

// indent is where the first lifeline may begin: the mark and a space are left of it.
const indent = 2

// place decides where the lifelines run: close, but so that every label fits between its
// neighbours.
func (d *drawing) place() {
	gap := d.gaps()
	d.pos = make([]int, len(d.order))
	for i := range d.order {
		if i == 0 {
			d.pos[0] = indent + words.Width(d.labels[0])/2
			continue
		}
		d.pos[i] = d.pos[i-1] + gap[i-1]
	}
}

// gaps are the distances between neighbouring lifelines.
func (d *drawing) gaps() []int {
	gap := make([]int, max(0, len(d.order)-1))
	for i := range gap {
		gap[i] = max(10, (words.Width(d.labels[i])+words.Width(d.labels[i+1]))/2+3)
	}
	for _, r := range d.rows {
		switch {
		case r.From < 0:
		case r.To < 0:
			if i := d.column[r.From]; i < len(gap) {
				gap[i] = max(gap[i], words.Width(words.Cut(r.Text, MaxLabel))+4)
			}
		default:
			a, b := d.column[r.From], d.column[r.To]
			if i := min(a, b); i+1 == max(a, b) {
				gap[i] = max(gap[i], words.Width(r.Text)+7)
			}
		}
	}
	return gap
}

// header is the line of the processes' names, each centred above its lifeline.
func (d *drawing) header() string {
	line := ""
	for i := range d.order {
		line = words.Pad(line, d.pos[i]-words.Width(d.labels[i])/2) + d.labels[i]
	}
	return line
}

// lifelines draws one row.
func (d *drawing) lifelines(r *Row) string {
	if r.From < 0 {
		return strings.Repeat(" ", indent) + r.Text
	}
	if len(d.pos) == 0 {
		return ""
	}
	line := []rune(strings.Repeat(" ", d.pos[len(d.pos)-1]+MaxLabel+3))
	for _, p := range d.pos {
		line[p] = '|'
	}
	if r.To < 0 {
		copy(line[d.pos[d.column[r.From]]+2:], []rune(words.Cut(r.Text, MaxLabel)))
	} else {
		arrow(line, d.pos[d.column[r.From]], d.pos[d.column[r.To]], r.Text)
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

// list is the form for more processes than a chart has room for: one line per row, the process
// first.
func (d *drawing) list() []string {
	widest := 0
	for i := range d.order {
		widest = max(widest, words.Width(d.labels[i]))
	}
	lines := make([]string, len(d.rows))
	for i, r := range d.rows {
		lines[i] = strings.Repeat(" ", indent) + d.sentence(&r, widest)
	}
	return lines
}

func (d *drawing) sentence(r *Row, widest int) string {
	switch {
	case r.From < 0:
		return r.Text
	case r.To < 0:
		return words.Pad(d.labels[d.column[r.From]], widest) + "  " + words.Cut(r.Text, MaxLabel)
	}
	return words.Pad(d.labels[d.column[r.From]], widest) + "  --" + r.Text + "--> " +
		d.labels[d.column[r.To]]
}

// annotate adds marks, places, source lines and notes to the lines of the rows. A note for which a
// line has no room stands below it.
func (d *drawing) annotate(lines []string) (all []string) {
	left, middle := d.widths(lines)
	for i, r := range d.rows {
		if r.From < 0 {
			all = append(all, lines[i])
			continue
		}
		note := ""
		if r.Note != "" {
			note = "   <- " + r.Note
		}
		line := words.Pad(lines[i], left+beforePlaces) + words.Pad(d.Place(r.Site), middle)
		below := ""
		room := d.room(words.Width(strings.TrimRight(line, " ")))
		if note != "" && room < words.Width(note) {
			note = strings.TrimLeft(note, " ")
			below = strings.Repeat(" ", max(indent, d.room(words.Width(note)))) +
				words.Cut(note, d.room(indent))
			note = ""
		}
		line += "  " + d.source(&r, left+beforePlaces+middle+2, words.Width(note))
		line = strings.TrimRight(line, " ") + note
		if r.Mark {
			line = "*" + line[1:]
		}
		all = append(all, line)
		if below != "" {
			all = append(all, below)
		}
	}
	return all
}

// beforePlaces is the space between lifelines and places.
const beforePlaces = 3

// widths are those of the lines of the rows, and of the rows' places.
func (d *drawing) widths(lines []string) (left, middle int) {
	for i, r := range d.rows {
		if r.From < 0 {
			continue
		}
		left = max(left, words.Width(lines[i]))
		middle = max(middle, words.Width(d.Place(r.Site)))
	}
	return left, middle
}

// room is how many characters the terminal has left behind so many of a chart.
func (d *drawing) room(before int) int {
	if d.Width == 0 {
		return math.MaxInt
	}
	return d.Width - before
}

// leastSource is the least of a source line that is worth showing.
const leastSource = 12

// source is the source line of a row, as far as the line has room for it: a note says more.
func (d *drawing) source(r *Row, before, note int) string {
	room := d.room(before + note)
	if room < leastSource {
		return ""
	}
	return words.Cut(words.OneLine(cmp.Or(r.Code, body(d.Source(r.Site)))), min(maxSource, room))
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
