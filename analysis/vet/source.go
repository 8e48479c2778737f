package vet

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"strings"
	"unicode/utf8"
)

// sources remembers the files that findings are in.
type sources struct {
	files map[string]*source
}

func newSources() *sources { return &sources{map[string]*source{}} }

// source is one file. If it cannot be read, it has no lines and no functions.
type source struct {
	lines [][]byte
	fset  *token.FileSet
	file  *ast.File // parsed as far as possible; may be nil
}

func (s *sources) of(file string) *source {
	if src, ok := s.files[file]; ok {
		return src
	}
	src := &source{fset: token.NewFileSet()}
	if text, err := os.ReadFile(file); err == nil {
		src.lines = bytes.Split(text, []byte("\n"))
		src.file, _ = parser.ParseFile(src.fset, file, text, parser.SkipObjectResolution)
	}
	s.files[file] = src
	return src
}

// line is a line of the file, from 1; empty if there is none.
func (s *source) line(n int) []byte {
	if n < 1 || n > len(s.lines) {
		return nil
	}
	return s.lines[n-1]
}

// tokens is the code of a line with one blank between tokens: neither formatting nor comments
// count.
func (s *source) tokens(n int) string {
	line := bytes.TrimSpace(s.line(n))
	var scan scanner.Scanner
	fset := token.NewFileSet()
	scan.Init(fset.AddFile("", -1, len(line)), line, nil, 0)
	var out []string
	for {
		_, tok, text := scan.Scan()
		switch {
		case tok == token.EOF:
			return strings.Join(out, " ")
		case tok == token.SEMICOLON && text == "\n":
		case text == "":
			out = append(out, tok.String())
		default:
			out = append(out, text)
		}
	}
}

// function names the function or method that a line is in: "F", "T.M" or "(*T).M"; empty outside of
// functions.
func (s *source) function(line int) string {
	if s.file == nil {
		return ""
	}
	at := func(pos token.Pos) int { return s.fset.PositionFor(pos, false).Line }
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && at(f.Pos()) <= line && line <= at(f.End()) {
			return funcName(f)
		}
	}
	return ""
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	switch t := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return "(*" + typeName(t.X) + ")." + f.Name.Name
	default:
		return typeName(t) + "." + f.Name.Name
	}
}

// typeName is a receiver's type without its parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.ParenExpr:
		return typeName(e.X)
	}
	return ""
}

// runes turns a column that counts bytes into one that counts characters, both from 1.
func (s *source) runes(line, col int) int {
	text := s.line(line)
	if col-1 > len(text) {
		return col
	}
	return utf8.RuneCount(text[:max(col-1, 0)]) + 1
}
