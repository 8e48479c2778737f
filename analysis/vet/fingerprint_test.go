package vet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// report makes findings of check "x", one in each line of a file that contains MARK, and numbers
// them.
func report(t *testing.T, text string) *Report {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &Report{sources: newSources()}
	for i, line := range strings.Split(text, "\n") {
		if col := strings.Index(line, "MARK"); col >= 0 {
			at := Region{name, i + 1, col + 1, i + 1, col + 5}
			r.Findings = append(r.Findings,
				&Finding{Check: "x", Package: "example.org/p", At: at,
					Message: fmt.Sprint("line ", i+1)})
		}
	}
	r.number()
	return r
}

func prints(r *Report) []string {
	var out []string
	for _, f := range r.Findings {
		p := f.Fingerprint()
		out = append(out, fmt.Sprintf("%s|%s|%d", p.Function, p.Line, p.Nth))
	}
	return out
}

const before = `package p

type T[K any] struct{}

var MARK = 1

func F() {
	use(MARK)
	use(MARK)
}

func (t *T[K]) M() {
	func() { use(MARK) }()
}

func (T[K]) N() { use(MARK, "a  b") }
`

func TestFingerprint(t *testing.T) {
	want := []string{
		"|var MARK = 1|1",
		"F|use ( MARK )|1",
		"F|use ( MARK )|2",
		"(*T).M|func ( ) { use ( MARK ) } ( )|1",
		`T.N|func ( T [ K ] ) N ( ) { use ( MARK , "a  b" ) }|1`,
	}
	equal(t, prints(report(t, before)), want)
}

// TestFingerprintSurvives moves lines, changes their format, adds comments, and moves functions.
func TestFingerprintSurvives(t *testing.T) {
	want := prints(report(t, before))
	for name, change := range map[string]func(string) string{
		"lines above": func(s string) string {
			return strings.Replace(s, "package p", "// Doc.\n\npackage p\n\nfunc G() {}", 1)
		},
		"blanks": func(s string) string {
			return strings.ReplaceAll(s, "\tuse(MARK)",
				"\t\t use( MARK )")
		},
		"comments": func(s string) string {
			return strings.ReplaceAll(s, "\tuse(MARK)",
				"\tuse( /* it */ MARK) // here")
		},
		"between": func(s string) string {
			return strings.Replace(s, "\tuse(MARK)\n",
				"\tuse(MARK)\n\tother()\n", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			after := change(before)
			if after == before {
				t.Fatal("nothing has changed")
			}
			equal(t, prints(report(t, after)), want)
		})
	}
}

// TestFingerprintTells checks that different findings have different fingerprints.
func TestFingerprintTells(t *testing.T) {
	seen := map[string]Fingerprint{}
	r := report(t, before)
	other := *r.Findings[0]
	other.Check = "y"
	elsewhere := *r.Findings[0]
	elsewhere.Package += "_test"
	for _, f := range append(r.Findings, &other, &elsewhere) {
		p := f.Fingerprint()
		if q, ok := seen[p.hash()]; ok {
			t.Errorf("%v and %v are the same", p, q)
		}
		seen[p.hash()] = p
	}
}

func TestTokensOfBrokenLine(t *testing.T) {
	for line, want := range map[string]string{
		"":                      "",
		"\t} else if x {":       "} else if x {",
		"`raw string that goes": "`raw string that goes",
		`s := "open`:            `s := "open`,
		"世 := '界'; // 言":        "世 := '界' ;",
	} {
		src := &source{lines: [][]byte{[]byte(line)}}
		if got := src.tokens(1); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}
