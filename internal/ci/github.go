package ci

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of GitHub Actions: it shows 10 annotations of a kind and step, and takes summaries of up
// to 1 MiB.
const (
	maxAnnotations = 10
	maxSummary     = 900 << 10
	maxMessages    = 40 // rows of a diagram
)

// Annotations writes workflow commands: an error for each finding, at its line, and a notice for
// each test that is incomplete. Files are named from root.
func Annotations(w io.Writer, packages []*record.Package, root string) {
	errors, notices := 0, 0
	for _, p := range packages {
		for _, t := range p.Tests {
			found := failed(t)
			for _, f := range found {
				if errors++; errors <= maxAnnotations {
					annotate(w, "error",
						position(p, f, root)+"title="+property(f.Kind+" in "+t.Name),
						says(f)+"\n"+replay(p, f))
				}
			}
			if text := why(t); text != "" && len(found) == 0 {
				if notices++; notices <= maxAnnotations {
					annotate(w, "notice", "title="+property(t.Name), text)
				}
			}
		}
	}
}

// position is the file and line of a finding, as properties.
func position(p *record.Package, f *record.Finding, root string) string {
	src, ok := where(p, f, f.Pos)
	if !ok {
		return ""
	}
	name := src.file
	if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("file=%s,line=%d,", property(name), src.line)
}

func annotate(w io.Writer, kind, properties, text string) {
	text = strings.NewReplacer("%", "%25", "\r", "%0D", "\n",
		"%0A").Replace(strings.TrimSpace(text))
	fmt.Fprintf(w, "::%s %s::%s\n", kind, strings.TrimSuffix(properties, ","), text)
}

// property escapes the value of a property.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",",
		"%2C").Replace(s)
}

// Summary writes the page of a workflow's run in Markdown: a table, and each finding with its
// chart. A summary that is too long loses its diagrams first, then its charts.
func Summary(w io.Writer, packages []*record.Package) error {
	for _, detail := range []detail{{true, true}, {chart: true}, {}} {
		if text := summary(packages, detail); len(text) <= maxSummary {
			_, err := io.WriteString(w, text)
			return err
		}
	}
	text := summary(packages, detail{})
	cut := strings.LastIndexByte(text[:maxSummary-100], '\n')
	_, err := io.WriteString(w, text[:cut]+"\n\nMore does not fit here.\n")
	return err
}

// detail says what a summary has of each finding.
type detail struct{ diagram, chart bool }

func summary(packages []*record.Package, with detail) string {
	var b strings.Builder
	b.WriteString("## rehearse\n\n| test | verdict | |\n|---|---|---|\n")
	for _, p := range packages {
		if p.Verdict == "" || p.Reason != "" {
			fmt.Fprintf(&b, "| %s | error | %s |\n", code(p.Package), cell(reasonOf(p)))
		}
		for _, t := range p.Tests {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(t.Name), verdict(t), cell(t.Summary))
		}
	}
	for _, p := range packages {
		for _, t := range p.Tests {
			for _, f := range failed(t) {
				finding(&b, p, t, f, with)
			}
		}
	}
	return b.String()
}

// verdict never calls a test passed that is incomplete.
func verdict(t *record.Test) string {
	if t.Verdict == "pass" && !t.Complete {
		return "incomplete"
	}
	return t.Verdict
}

func finding(b *strings.Builder, p *record.Package, t *record.Test, f *record.Finding,
	with detail) {
	fmt.Fprintf(b, "\n<details><summary>%s in %s: %s</summary>\n\n", markup(f.Kind), markup(t.Name),
		markup(firstLine(says(f))))
	fence(b, "", replay(p, f))
	if with.chart && len(f.Chart) > 0 {
		fence(b, "", strings.Join(f.Chart, "\n"))
	}
	if with.diagram && f.Failing != nil {
		fence(b, "mermaid", Mermaid(f.Failing))
	}
	b.WriteString("</details>\n")
}

// fence writes text as a block of code, with a fence that the text does not have.
func fence(b *strings.Builder, language, text string) {
	if text == "" {
		return
	}
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	fmt.Fprintf(b, "%s%s\n%s\n%s\n\n", mark, language, text, mark)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// Mermaid is a trace as a sequence diagram: the messages around the steps that decide.
func Mermaid(x *record.Trace) string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	rows := shown(x, maxMessages)
	for p, q := range x.Procs {
		takesPart := func(i int) bool {
			return x.Events.Proc[i] == int32(p) || x.Events.Partner[i] == int32(p)
		}
		if slices.ContainsFunc(rows, takesPart) {
			fmt.Fprintf(&b, "    participant p%d as %s\n", p, plain(q.Name))
		}
	}
	for n, i := range rows {
		if n > 0 && rows[n-1] != i-1 {
			fmt.Fprintf(&b, "    Note over p%d: %s\n", x.Events.Proc[i],
				plain(words.Plural(i-rows[n-1]-1, "step")+" left out"))
		}
		p, q := x.Events.Proc[i], x.Events.Partner[i]
		text := x.Texts[x.Events.Text[i]]
		if v := x.Events.Value[i]; v >= 0 {
			text += " = " + x.Values[v]
		}
		if q >= 0 {
			fmt.Fprintf(&b, "    p%d->>p%d: %d %s\n", p, q, i+1, plain(text))
		} else {
			fmt.Fprintf(&b, "    p%d->>p%d: %d %s\n", p, p, i+1, plain(text))
		}
		if slices.Contains(essential(x), i) {
			fmt.Fprintf(&b, "    Note over p%d: decides\n", p)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plain is a text in which mermaid finds nothing to interpret.
func plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 80 {
		s = string(r[:79]) + "…"
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("#;:<>&\"'`%{}[]()|\\", r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// markup escapes a text for HTML in Markdown.
func markup(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", "*", "&#42;",
		"_",
		"&#95;", "[", "&#91;", "|", "&#124;").Replace(s)
}

// cell is a text in a table.
func cell(s string) string { return markup(strings.Join(strings.Fields(s), " ")) }

// code is a name in a table.
func code(s string) string { return "<code>" + cell(s) + "</code>" }
