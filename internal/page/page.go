// Package page makes a page for people from the record of a run: one file of HTML that needs no
// server and no network.
//
// Vocabulary: the data is the record as JSON, deflated, in the page as text. The script draws it.
// The plain part is for readers without a script, and for searches in the file: the sentence and
// the chart of each finding.
//
// Guarantees: the page loads nothing. Its content security policy allows the one script and the one
// style sheet that are in it, by their hashes. No text of the program becomes markup: the plain
// part is escaped, and the script makes text nodes only.
//
// LIMITS: the script is for browsers that know DecompressionStream (since 2023); others show the
// plain part.
package page

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strings"
	"sync"
	"unicode"

	"github.com/rehearse-go/rehearse/explore/record"
)

var (
	//go:embed page.css
	style string
	//go:embed page.html
	frame string
	//go:embed *.js
	scripts embed.FS
)

// order is the order of the scripts, which are one in the page: the execution, each view, and the
// code that starts.
var order = []string{"trace.js", "map.js", "races.js", "live.js", "page.js"}

// script is all scripts.
var script = sync.OnceValue(func() string {
	var all strings.Builder
	for _, name := range order {
		text, err := scripts.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		all.Write(text)
	}
	return all.String()
})

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(frame))
})

// Data is what the script gets.
type Data struct {
	Tool     string // its version
	Packages []*record.Package
	Live     bool            // a server is behind the page that runs tests: see package view
	Follows  bool            // one that tells of an exploration
	Tried    []*record.Trace `json:",omitempty"` // executions that the live page has asked for
}

// content is what the template gets.
type content struct {
	Data
	Failed, Tests int
	Style         template.CSS
	Script        template.JS
	Policy        string
	Encoded       template.HTML
}

// Write writes the page.
func Write(w io.Writer, d Data) error {
	encoded, err := encode(d)
	if err != nil {
		return err
	}
	c := content{Data: d, Style: template.CSS(style), Script: template.JS(script()),
		Encoded: template.HTML(encoded)}
	c.Policy = "default-src 'none'; script-src '" + sum(script()) + "'; style-src '" + sum(style) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
	if d.Live || d.Follows {
		c.Policy += "; connect-src 'self'"
	}
	for _, p := range d.Packages {
		c.Tests += len(p.Tests)
		for _, t := range p.Tests {
			if len(t.Found) > 0 {
				c.Failed++
			}
		}
	}
	var text bytes.Buffer
	if err := page().Execute(&text, c); err != nil {
		return err
	}
	_, err = w.Write(bytes.Map(legal, text.Bytes()))
	return err
}

// legal replaces a character that HTML forbids: a control character, or none at all.
func legal(r rune) rune {
	if r != '\n' && r != '\t' && unicode.IsControl(r) || r&0xfffe == 0xfffe ||
		0xfdd0 <= r && r <= 0xfdef {
		return unicode.ReplacementChar
	}
	return r
}

// sum is how a content security policy names a text.
func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(s[:])
}

// encode is the data as text without any character that HTML knows.
func encode(d Data) (string, error) {
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if err := json.NewEncoder(z).Encode(d); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}
