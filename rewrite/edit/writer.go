package edit

import (
	"bytes"
	"fmt"
	"go/token"
	"sort"
	"unicode"
	"unicode/utf8"
)

// A writer produces the edited text of one range.
type writer struct {
	b     *Buffer
	edits []change // of the whole file, sorted
	out   []byte
}

// copyRange writes the range [from, to) of the source with the edits inside it.
func (w *writer) copyRange(from, to int) {
	at := from
	for _, c := range w.within(from, to) {
		if c.from < at { // inside a range that has been replaced
			continue
		}
		w.put(w.b.src[at:c.from])
		w.change(c)
		at = c.to
	}
	w.put(w.b.src[at:to])
}

// within returns the edits of the range: those that close at its start, or open at its end, belong
// to its neighbours.
func (w *writer) within(from, to int) []change {
	first := sort.Search(len(w.edits), func(i int) bool {
		e := w.edits[i]
		return e.from > from || e.from == from && (e.kind != closes || from == 0)
	})
	last := sort.Search(len(w.edits), func(i int) bool {
		e := w.edits[i]
		return e.from > to || e.from == to && e.kind != closes && to != len(w.b.src)
	})
	return w.edits[first:max(first, last)]
}

// change writes the text of one edit and the newlines that it must keep.
func (w *writer) change(c change) {
	here := w.b.pos(c.from)
	line := here
	for _, p := range c.text {
		line = w.piece(p, line)
	}
	w.direct(line, here)
	w.put(bytes.Repeat([]byte{'\n'}, newlines(w.b.src[c.from:c.to])))
}

// piece writes p, line being the position that the output is at now, and returns the one that it is
// at then.
func (w *writer) piece(p Piece, line token.Position) token.Position {
	if p.kind == newText {
		w.put([]byte(p.text))
		return line
	}
	here := w.b.pos(p.from)
	w.direct(line, here)
	if p.kind == moved {
		return w.move(p.from, p.to, here)
	}
	return here
}

// move writes the edited range [from, to), which starts at position line, and returns the position
// of its last line.
func (w *writer) move(from, to int, line token.Position) token.Position {
	inner := &writer{b: w.b, edits: w.edits}
	inner.copyRange(from, to)
	starts := lineStarts(w.b.src, from, to)
	w.put(flatten(inner.out, func(k int) string {
		before := line
		line = w.b.pos(starts[k])
		return directive(before, line)
	}))
	return line
}

// lineStarts returns the offsets behind each newline of src[from:to].
func lineStarts(src []byte, from, to int) []int {
	var starts []int
	for i := from; i < to; i++ {
		if src[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// direct writes the line directive that leads from one position to another, if they are not on the
// same line.
func (w *writer) direct(from, to token.Position) {
	if from.Line != to.Line || from.Filename != to.Filename {
		w.put([]byte(directive(from, to)))
	}
}

// directive returns the comment that makes compilers take what follows it for text at position to.
// Compilers know the file's name if it is the one they are in.
func directive(from, to token.Position) string {
	name := to.Filename
	if from.Filename == name {
		name = ""
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", name, to.Line, max(to.Column, 1))
}

// put writes text, apart from the word before it.
func (w *writer) put(text []byte) {
	if endsInWord(w.out) && startsWithWord(text) {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, text...)
}

func endsInWord(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b)
	return len(b) > 0 && wordRune(r)
}

func startsWithWord(b []byte) bool {
	r, _ := utf8.DecodeRune(b)
	return len(b) > 0 && wordRune(r)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
