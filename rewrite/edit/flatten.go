package edit

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

// flatten returns Go text on one line, without its comments. Statements that a newline ended get a
// semicolon, and a raw string that spans lines becomes an interpreted one. The text
// lineDirective(k) replaces the k-th newline, so that positions stay those of the source. Text on
// one line is returned as it is.
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
	said      int // and those that line directives have told of
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

// token writes one token that starts at offset from. A comment becomes part of the gap before the
// next token, and so does the newline that a semicolon was inserted for.
func (f *flattener) token(from int, tok token.Token, lit string) {
	switch {
	case tok == token.COMMENT && !strings.HasPrefix(lit, "/*line "):
		return
	case tok == token.SEMICOLON && lit == "\n":
		if from < len(f.text) {
			f.out.WriteByte(';')
		}
		return
	case lit == "":
		lit = tok.String()
	}
	f.gap(from)
	f.out.WriteString(onOneLine(tok, lit))
	f.end = from + literalSize(f.text[from:], tok, lit)
	f.lines += newlines(f.text[from:f.end])
}

// literalSize returns how much of the text a token takes: the scanner drops carriage returns from
// raw strings.
func literalSize(text []byte, tok token.Token, lit string) int {
	if tok == token.STRING && lit[0] == '`' {
		return bytes.IndexByte(text[1:], '`') + 2
	}
	return len(lit)
}

// gap writes the white space between the last token and the one at offset from, and says which line
// that one is from.
func (f *flattener) gap(from int) {
	space := f.text[f.end:from]
	if len(space) > 0 && f.end > 0 {
		f.out.WriteByte(' ')
	}
	f.lines += newlines(space)
	if f.lines > f.said {
		f.said = f.lines
		f.out.WriteString(f.directive(f.lines - 1))
	}
}

// onOneLine returns the text of a token.
func onOneLine(tok token.Token, lit string) string {
	if tok == token.STRING && strings.Contains(lit, "\n") {
		return strconv.Quote(strings.Trim(lit, "`"))
	}
	return lit
}
