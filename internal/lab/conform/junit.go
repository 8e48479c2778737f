package conform

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// element is one kind of element in Jenkins's schema of JUnit reports (junit-10.xsd of its xunit
// plugin): the attributes that it must have, those that it may have, and the elements in it, as far
// as they are used here. All else is an error.
type element struct{ required, optional, inside []string }

// elements has them by name; empty: around the root.
var elements = map[string]element{
	"": {inside: []string{"testsuites"}},
	"testsuites": {nil, []string{"name", "time", "tests", "failures", "errors"},
		[]string{"testsuite"}},
	"testsuite": {[]string{"name", "tests", "failures", "errors"},
		[]string{"time", "skipped", "timestamp", "hostname", "id", "package"},
		[]string{"properties", "testcase", "system-out", "system-err"}},
	"properties": {inside: []string{"property"}},
	"property":   {required: []string{"name", "value"}},
	"testcase": {[]string{"name"}, []string{"time", "classname"},
		[]string{"skipped", "error", "failure", "system-out", "system-err"}},
	"skipped":    {optional: []string{"type", "message"}},
	"error":      {optional: []string{"type", "message"}},
	"failure":    {optional: []string{"type", "message"}},
	"system-out": {},
	"system-err": {},
}

// texts are the elements with text in them.
var texts = []string{"skipped", "error", "failure", "system-out", "system-err"}

// surefire is how a time of a suite is written: at most three decimals.
var surefire = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?$`)

// JUnit returns what is wrong with a report.
func JUnit(report []byte) (wrong []string) {
	d := xml.NewDecoder(strings.NewReader(string(report)))
	way := []string{""}
	note := func(format string, args ...any) {
		wrong = append(wrong, strings.Join(way, "/")+": "+fmt.Sprintf(format, args...))
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return wrong
		}
		if err != nil {
			return append(wrong, err.Error())
		}
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			if !slices.Contains(elements[way[len(way)-1]].inside, name) {
				note("may not have %s", name)
			}
			way = append(way, name)
			attributes(x, note)
		case xml.EndElement:
			way = way[:len(way)-1]
		case xml.CharData:
			if strings.TrimSpace(string(x)) != "" && !slices.Contains(texts, way[len(way)-1]) {
				note("may not have text: %q", x)
			}
		}
	}
}

// attributes looks at those of one element.
func attributes(x xml.StartElement, note func(format string, args ...any)) {
	e, has := elements[x.Name.Local], map[string]bool{}
	for _, a := range x.Attr {
		name := a.Name.Local
		has[name] = true
		if !slices.Contains(e.required, name) && !slices.Contains(e.optional, name) {
			note("may not have the attribute %s", name)
		}
		if name == "time" && x.Name.Local != "testcase" && !surefire.MatchString(a.Value) {
			note("time is %q", a.Value)
		}
	}
	for _, name := range e.required {
		if !has[name] {
			note("has no attribute %s", name)
		}
	}
}
