package report

import (
	"fmt"
	"slices"
	"strings"
)

// Use is a place that does something that is not controlled.
type Use struct {
	Pos       string
	Construct string `json:",omitempty"` // "net/http.Get"; empty if Reason says it all
	Reason    string // completes "net/http.Get is not controlled: it ..."
	// the package that the user trusts; empty: tests that reach the place are refused
	Trusted string `json:",omitempty"`
	// a test is refused when an execution comes there, and not before
	Guarded bool   `json:",omitempty"`
	Remedy  string `json:",omitempty"` // what there is to do about it
	// the calls that have led there before the first execution
	By    string  `json:",omitempty"`
	Tests []Reach `json:",omitempty"`
}

// Reach is a test that reaches a use.
type Reach struct {
	Test string
	Path string `json:",omitempty"` // the calls that lead there
	// through a function value or an interface whose content is not known
	Possible bool `json:",omitempty"`
}

// maxReaching is the number of tests that are named with one use.
const maxReaching = 5

// Uncontrolled implements Reporter: a line for each use, and one for the tests that reach it.
func (t *Text) Uncontrolled(uses []Use) {
	t.printf("not controlled, but reachable:\n")
	for i, u := range uses {
		if i == maxTextLines && !t.Verbose {
			t.printf("    ... and %d more; -v lists all\n", len(uses)-i)
			return
		}
		t.printf("    %s: %s\n        %s\n", t.Places.Line(u.Pos), u.says(), t.reaching(u))
		if u.By != "" {
			t.printf("        come to by %s\n", u.By)
		}
		if u.Remedy != "" && u.Trusted == "" {
			t.printf("        %s\n", u.Remedy)
		}
	}
}

// Refusal says what is used, why that is refused, and how a test reaches it.
func (u Use) Refusal(r *Reach) string {
	if u.Construct == "" {
		return u.Reason
	}
	text := fmt.Sprintf("%s is not controlled: it %s", u.Construct, u.Reason)
	if r.Path != "" {
		text += "; reached by " + r.Path
	}
	if u.Remedy != "" {
		text += "; " + u.Remedy
	}
	return text
}

func (u Use) says() string {
	if u.Construct == "" {
		return u.Reason
	}
	return u.Construct + " " + u.Reason
}

// reaching is "refused: TestA, TestB; possibly, through function values or interfaces: TestC".
func (t *Text) reaching(u Use) string {
	word := "refused: "
	switch {
	case u.Trusted != "":
		word = "trusted: "
	case u.Guarded:
		word = "may be met by: "
	}
	var sure, possible []string
	for _, r := range u.Tests {
		if r.Possible {
			possible = append(possible, r.Test)
		} else {
			sure = append(sure, r.Test)
		}
	}
	var parts []string
	if len(sure) > 0 {
		parts = append(parts, t.some(sure))
	}
	if len(possible) > 0 {
		parts = append(parts, "possibly, through function values or interfaces: "+t.some(possible))
	}
	return word + strings.Join(parts, "; ")
}

func (t *Text) some(tests []string) string {
	if n := len(tests); n > maxReaching && !t.Verbose {
		tests = append(slices.Clone(tests[:maxReaching]), fmt.Sprintf("and %d more", n-maxReaching))
	}
	return strings.Join(tests, ", ")
}

type jsonUncontrolled struct {
	head
	Uses []Use
}

// Uncontrolled implements Reporter.
func (j *JSON) Uncontrolled(uses []Use) {
	j.write(jsonUncontrolled{j.head("uncontrolled", ""), uses})
	j.alsoText("", func(t *Text) { t.Uncontrolled(uses) })
}
