// Package edit changes a source file by splicing text into it, and keeps every line where it was.
//
// Vocabulary: a buffer collects edits, each at a byte offset of the original source. An edit opens
// (text in front of what starts at an offset), closes (text behind what ends at an offset) or
// replaces a range. The text of an edit is a list of pieces: new text, a range of the source that
// is moved there with the edits inside it, or a mark with the source position of the pieces behind
// it.
//
// Guarantees:
//   - Line k of the result has the remaining text of line k of the source: the newlines of a
//     replaced range are written behind its replacement, and a moved range is written on one line.
//   - Edits nest. Of several that open at one offset the first added comes first; of several that
//     close there the first added comes last. So a walk of a tree from the root down gets its
//     brackets right.
//   - When a piece comes from another line than the one it is written on, a /*line*/ directive says
//     so, and another one leads back.
//   - Text never melts into an adjacent word: a space is put between them.
//
// LIMITS: the ranges of two replacements must not overlap, unless a moved piece of the outer one
// holds the inner one. Edits of a replaced range that no piece moves are lost. A moved range loses
// its comments. The caller must not replace a range whose newlines, written behind the replacement,
// would end a statement there.
package edit

import (
	"bytes"
	"cmp"
	"go/token"
	"slices"
)

// A Buffer collects the edits of one file.
type Buffer struct {
	src []byte
	// where people say an offset is; line directives are made of it
	pos   func(offset int) token.Position
	edits []change // in order of addition; Bytes sorts them
}

// change is one edit.
type change struct {
	from, to int // the replaced range; empty when the change opens or closes
	kind     kind
	text     []Piece
}

// kind orders the changes at one offset: those that close come before those that open.
type kind uint8

const (
	closes kind = iota
	opens
	replaces
)

// A Piece is a part of the text of an edit.
type Piece struct {
	kind     pieceKind
	text     string // of newText
	from, to int    // of moved; of mark: from
}

type pieceKind uint8

const (
	newText pieceKind = iota
	moved
	mark
)

// Text is new text. It holds no newline.
func Text(s string) Piece { return Piece{kind: newText, text: s} }

// Source is the range [from, to) of the source, with the edits inside it, on one line.
func Source(from, to int) Piece { return Piece{kind: moved, from: from, to: to} }

// At makes the text behind it belong to the line of the given offset.
func At(offset int) Piece { return Piece{kind: mark, from: offset} }

// New returns an empty buffer for src. pos tells the position that compilers report for an offset.
func New(src []byte, pos func(offset int) token.Position) *Buffer {
	return &Buffer{src: src, pos: pos}
}

// Open puts text in front of what starts at offset.
func (b *Buffer) Open(offset int, text ...Piece) { b.add(change{offset, offset, opens, text}) }

// Close puts text behind what ends at offset.
func (b *Buffer) Close(offset int, text ...Piece) { b.add(change{offset, offset, closes, text}) }

// Replace puts text in place of the range [from, to). The newlines of the range follow the text.
func (b *Buffer) Replace(from, to int, text ...Piece) { b.add(change{from, to, replaces, text}) }

func (b *Buffer) add(c change) {
	if c.from < 0 || c.to < c.from || c.to > len(b.src) {
		panic("edit: range outside the source")
	}
	b.edits = append(b.edits, c)
}

// Empty reports whether there is no edit.
func (b *Buffer) Empty() bool { return len(b.edits) == 0 }

// Bytes returns the source with all edits applied.
func (b *Buffer) Bytes() []byte {
	w := &writer{b: b, edits: b.sorted()}
	w.copyRange(0, len(b.src))
	return w.out
}

// sorted returns the edits in the order in which they are written.
func (b *Buffer) sorted() []change {
	byClose := func(x, y change) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.kind, y.kind))
	}
	s := slices.Clone(b.edits)
	slices.SortStableFunc(s, byClose)
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && byClose(s[i], s[j]) == 0 {
			j++
		}
		if s[i].kind == closes {
			slices.Reverse(s[i:j])
		}
		i = j
	}
	return s
}

// newlines counts them.
func newlines(text []byte) int { return bytes.Count(text, []byte{'\n'}) }
