// Package diagram draws message sequence charts as text: a column per process, time running down.
//
// Vocabulary: a row is one line of a chart. The lifeline of a process is the vertical line below
// its name. A row is noted if it has a mark or a note.
//
// Guarantees: a chart has no line wider than its style allows, as far as a note or a name alone
// does not need more. A list, with the process first in each line, is drawn where columns have no
// room.
//
// LIMITS: charts have at most MaxColumns columns; Elide leaves at most maxRows rows, and what it
// leaves out is in the middle.
package diagram

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of a chart that people can read.
const (
	MaxColumns = 8
	MaxLabel   = 24 // characters of one label
	maxRows    = 60
	maxSource  = 44 // characters of one source line
)

// Row is one line of a chart: an arrow between two processes; if To is -1, a text beside From; if
// From is -1, a text about rows that are left out.
type Row struct {
	From, To int32
	Text     string
	Site     string // the source position; empty: none
	Code     string // that the row shows instead of the site's line
	Mark     bool   // with a star in front
	Note     string
	Obj      int32 // the object that the text names, or -1
}

// IsNoted reports whether r has something to say beside the step.
func (r *Row) IsNoted() bool { return r.Mark || r.Note != "" }

// Aside is a row about rows that are left out.
func Aside(format string, args ...any) Row {
	return Row{From: -1, To: -1, Obj: -1, Text: fmt.Sprintf(format, args...)}
}

// Style is what a drawing needs beside its rows.
type Style struct {
	Name   func(process int32) string
	Place  func(site string) string // the source position as people read it
	Source func(site string) string // the line of source
	Width  int                      // characters that a line may have; 0: any number
}

// Draw draws rows as lines without indentation.
func Draw(rows []Row, style Style) []string {
	d := &drawing{Style: style, rows: rows}
	d.chooseColumns()
	d.nameColumns()
	if len(d.order) > MaxColumns {
		return words.TrimLines(d.annotate(d.list()))
	}
	d.place()
	lines := make([]string, len(d.rows))
	for i := range d.rows {
		lines[i] = d.lifelines(&d.rows[i])
	}
	left, middle := d.widths(lines)
	if d.room(left+beforePlaces+middle) < 0 {
		return words.TrimLines(d.annotate(d.list())) // lines with names need less
	}
	return words.TrimLines(append([]string{d.header()}, d.annotate(lines)...))
}

// drawing is a chart whose rows are known.
type drawing struct {
	Style
	rows   []Row
	order  []int32       // process of each column
	column map[int32]int // by process
	labels []string      // what is above each column
	pos    []int         // character position of each column's lifeline
}

// chooseColumns gives a column to each process that a row shows, in creation order.
func (d *drawing) chooseColumns() {
	for _, r := range d.rows {
		for _, p := range []int32{r.From, r.To} {
			if p >= 0 && !slices.Contains(d.order, p) {
				d.order = append(d.order, p)
			}
		}
	}
	slices.Sort(d.order)
	d.column = map[int32]int{}
	for i, p := range d.order {
		d.column[p] = i
	}
}

// nameColumns shortens the names of long processes in the middle, so that no two are alike.
func (d *drawing) nameColumns() {
	used := map[string]bool{}
	for _, p := range d.order {
		name := words.CutMiddle(d.Name(p), MaxLabel)
		for n := 2; used[name]; n++ {
			name = words.CutMiddle(d.Name(p), MaxLabel-3) + fmt.Sprintf("~%d", n)
		}
		used[name] = true
		d.labels = append(d.labels, name)
	}
}
