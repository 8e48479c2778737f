package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/words"
)

// The dialect is that of Ant and Jenkins (junit-10.xsd): properties belong to a suite, so those of
// a test have its name before theirs.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Skipped    int              `xml:"skipped,attr"`
		Time       string           `xml:"time,attr"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    string       `xml:"time,attr"`
		Skipped *junitResult `xml:"skipped"`
		Error   *junitResult `xml:"error"`
		Failure *junitResult `xml:"failure"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the results of the tests. A test that is clean as far as it was explored, and
// incomplete, is skipped: no dashboard is to count it as passed.
func JUnit(w io.Writer, packages []*record.Package) error {
	all := junitSuites{}
	seconds := 0.0
	for _, p := range packages {
		s := suiteOf(p)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures,
			all.Errors+s.Errors
		seconds += p.Seconds
		all.Suites = append(all.Suites, s)
	}
	all.Time = inSeconds(seconds)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// inSeconds writes a time as the schema of Jenkins has it: at most three decimals.
func inSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

func suiteOf(p *record.Package) junitSuite {
	s := junitSuite{Name: legal(p.Package), Time: inSeconds(p.Seconds),
		Properties: &junitProperties{}}
	s.property("go.version", p.Go)
	for _, t := range p.Tests {
		s.add(caseOf(p, t))
		s.property(t.Name+".executions", strconv.Itoa(t.Executions))
		s.property(t.Name+".complete", strconv.FormatBool(t.Complete))
		s.property(t.Name+".upto", strings.Join(t.UpTo, " "))
		for _, f := range t.Found {
			s.property(t.Name+".schedule", f.Schedule)
		}
	}
	if p.Verdict == "" || p.Reason != "" {
		s.add(junitCase{Class: s.Name, Name: "[build]", Time: inSeconds(0),
			Error: &junitResult{Message: legal(reasonOf(p)), Type: "error"}})
	}
	if p.Unbegun > 0 {
		text := words.Plural(p.Unbegun, "test") + " not begun"
		s.add(junitCase{Class: s.Name, Name: "[budget]", Time: inSeconds(0),
			Skipped: &junitResult{Message: "incomplete: " + text}})
	}
	return s
}

func (s *junitSuite) property(name, value string) {
	if value != "" {
		s.Properties.List = append(s.Properties.List, junitProperty{legal(name), legal(value)})
	}
}

// add adds a test case, and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func caseOf(p *record.Package, t *record.Test) junitCase {
	c := junitCase{Class: legal(p.Package), Name: legal(t.Name), Time: inSeconds(t.Seconds)}
	switch found, text := failed(t), why(t); {
	case len(found) > 0 && t.Verdict != "pass":
		c.Failure = &junitResult{Message: legal(says(found[0])), Type: found[0].Kind,
			Text: legal(failureText(p, found))}
	case t.Verdict == "error":
		c.Error = &junitResult{Message: legal(text), Type: "error", Text: legal(t.Summary)}
	case text != "":
		c.Skipped = &junitResult{Message: legal(text)}
	}
	return c
}

// failureText has the findings of a test as the text report has them.
func failureText(p *record.Package, found []*record.Finding) string {
	var b strings.Builder
	for i, f := range found {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "%s\n%s  %s\n", f.Sentence, f.Kind, strings.TrimSpace(f.Pos+" "+f.Message))
		for _, line := range f.Chart {
			b.WriteString(line + "\n")
		}
		b.WriteString(replay(p, f))
	}
	return b.String()
}

// legal leaves out the characters that XML does not know, and ends of escape sequences with them.
func legal(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xD7FF, r >= 0xE000 &&
			r <= 0xFFFD &&
			r != utf8.RuneError, r >= 0x10000 && r <= 0x10FFFF:
			return r
		}
		return '\uFFFD'
	}, s)
}
