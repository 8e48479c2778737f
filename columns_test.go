package rehearse_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is the width of code, of comments and of documents; a tab has four columns.
const mostColumns = 100

// TestColumns: no line of code is longer, but for directives, tables in comments, what is printed,
// and the command's help.
func TestColumns(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || len(name) > 1 && e.Name()[0] == '.'):
			return fs.SkipDir
		case e.IsDir() || filepath.Ext(name) != ".go" ||
			isHelp(filepath.ToSlash(name)):
			return nil
		}
		source, err := os.ReadFile(name)
		for n, width := range longLines(source) {
			t.Errorf("%s:%d: %d columns, want at most %d", name, n, width, mostColumns)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// isHelp reports whether a file is the text that rehearse help prints.
func isHelp(name string) bool {
	return name == "cmd/rehearse/doc.go" || name == "cmd/rehearse/topics.go"
}

func TestLongLines(t *testing.T) {
	word := strings.Repeat("x", 60)
	for name, c := range map[string]struct {
		source string
		long   bool
	}{
		"code":                   {"var a = b + " + word + word, true},
		"prose":                  {"// A " + strings.Repeat("word ", 30), true},
		"a table":                {"//\ta   " + word + word, false},
		"a directive":            {"//go:embed " + word + word, false},
		"a string":               {`var a = "` + word + word + `"`, false},
		"in a string":            {"var a = `\n" + word + word + "`", false},
		"code behind a string":   {`var a = f("x", ` + word + ", " + word + ")", true},
		"a bracket behind it":    {`f("` + strings.Repeat("x", 94) + `"))`, false},
		"code behind a long one": {`f("` + strings.Repeat("x", 94) + `", y, ` + word + ")", true},
	} {
		if got := len(longLines([]byte("package p\n\n"+c.source+"\n"))) > 0; got != c.long {
			t.Errorf("%s: long is %v, want %v", name, got, c.long)
		}
	}
}

// longLines returns the widths of the lines of source that are longer than mostColumns and can be
// broken, by number.
func longLines(source []byte) map[int]int {
	lines := strings.Split(string(source), "\n")
	long := map[int]int{}
	for i, l := range lines {
		if n := utf8.RuneCountInString(l) + 3*strings.Count(l, "\t"); n > mostColumns {
			long[i+1] = n
		}
	}
	if len(long) == 0 {
		return nil
	}
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		p, tok, text := s.Scan()
		first := file.Line(p)
		switch {
		case tok == token.EOF:
			return long
		case tok == token.COMMENT && (strings.HasPrefix(text, "//\t") || isDirective(text)):
			delete(long, first)
		case tok == token.STRING:
			end := file.Position(p + token.Pos(len(text)))
			for n := first; n < end.Line; n++ {
				delete(long, n)
			}
			if rest := lines[end.Line-1][end.Column-1:]; len(rest) <= len("`)})") {
				delete(long, end.Line)
			}
		}
	}
}

// isDirective reports whether a comment is one for a tool: "//go:embed", and not "// text".
func isDirective(text string) bool {
	tool, _, is := strings.Cut(strings.TrimPrefix(text, "//"), ":")
	return is && tool != "" && !strings.ContainsAny(tool, " \t")
}
