package edit

import (
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

// flatten returns Go text on one line, without its comments: statements that a newline ended get a semicolon, and a
// raw string that spans lines becomes an interpreted one. lineDirective(k) is written where the k-th newline was, so
// that positions stay those of the source. Text on one line is returned as it is.
func flatten(text []byte, lineDirective func(k int) string) []byte {
	if newlines(text) == 0 {
		return text
	}
	f := &flattener{text: text, directive: lineDirective}
	f.scan()
	return []byte(f.out.String())
}

type flattener struct {
	text      []byte
	directive func(k int) string
	out       strings.Builder
	end       int // offset behind the token written last
	lines     int // newlines passed so far
}

// scan writes all tokens.
func (f *flattener) scan() {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(f.text))
	var s scanner.Scanner
	s.Init(file, f.text, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		f.token(file.Offset(pos), tok, lit)
	}
}

// token writes one token that starts at offset from.
func (f *flattener) token(from int, tok token.Token, lit string) {
	if tok == token.SEMICOLON && lit == "\n" { // the newline itself belongs to the next gap
		if from < len(f.text) {
			f.out.WriteByte(';')
		}
		return
	}
	size := len(tok.String())
	if lit != "" {
		size = f.literalSize(from, tok, lit)
	}
	f.gap(from)
	f.out.WriteString(onOneLine(tok, lit))
	f.lines += newlines(f.text[from : from+size])
	f.end = from + size
}

// literalSize returns how much source text a literal takes: the scanner drops carriage returns from raw strings and
// comments.
func (f *flattener) literalSize(from int, tok token.Token, lit string) int {
	rest := string(f.text[from:])
	switch {
	case tok == token.STRING && lit[0] == '`':
		return strings.IndexByte(rest[1:], '`') + 2
	case tok == token.COMMENT && strings.HasPrefix(lit, "/*"):
		return strings.Index(rest, "*/") + 2
	}
	return len(lit)
}

// gap writes the white space between the last token and the one at offset from.
func (f *flattener) gap(from int) {
	space := f.text[f.end:from]
	if len(space) > 0 && f.end > 0 {
		f.out.WriteByte(' ')
	}
	if n := newlines(space); n > 0 {
		f.lines += n
		f.out.WriteString(f.directive(f.lines - 1))
	}
}

// onOneLine returns the text of a token.
func onOneLine(tok token.Token, lit string) string {
	switch {
	case tok == token.COMMENT && !strings.HasPrefix(lit, "/*line "):
		return ""
	case tok == token.STRING && strings.Contains(lit, "\n"):
		return strconv.Quote(strings.Trim(lit, "`"))
	case lit == "":
		return tok.String()
	}
	return lit
}
