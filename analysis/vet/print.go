package vet

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
)

// Print prints "file:line:col: message (check)" per finding, with the related places below it, as
// go vet does. Files below the current directory, or near it, are relative to it. With context >=
// 0, the lines follow, and so many around them.
func (r *Report) Print(w io.Writer, context int) error {
	p := &printer{w: w, dir: workingDir(), context: context, sources: r.sources}
	for _, f := range r.Findings {
		p.place(f.At, f.Message+" ("+f.Check+")")
		for _, x := range f.Related {
			p.place(x.At, "\t"+x.Message)
		}
		for _, note := range f.Notes {
			p.printf("\t%s\n", note)
		}
	}
	return p.err
}

// printer prints until there is an error.
type printer struct {
	w       io.Writer
	dir     string
	context int
	sources *sources
	err     error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) place(r Region, message string) {
	p.printf("%s: %s\n", posn(shorter(p.dir, r.File), r.Line, r.Col), message)
	if p.context < 0 {
		return
	}
	src := p.sources.of(r.File)
	for i := max(r.Line-p.context, 1); i <= min(r.EndLine+p.context, len(src.lines)); i++ {
		p.printf("%d\t%s\n", i, src.line(i))
	}
}

// start and end are the region's as go vet writes them.
func (r Region) start() string { return posn(r.File, r.Line, r.Col) }
func (r Region) end() string   { return posn(r.File, r.EndLine, r.EndCol) }

func posn(file string, line, col int) string {
	if col == 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, col)
}

// PrintJSON prints what go vet -json does, in one tree for all packages.
func (r *Report) PrintJSON(w io.Writer) error {
	out := map[string]map[string][]jsonDiagnostic{}
	for _, f := range r.Findings {
		if out[f.Package] == nil {
			out[f.Package] = map[string][]jsonDiagnostic{}
		}
		unit := out[f.Package]
		unit[f.Check] = append(unit[f.Check], f.json())
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(out)
}

func (f *Finding) json() jsonDiagnostic {
	d := jsonDiagnostic{Category: f.category, Posn: f.At.start(), End: f.At.end(),
		Message: f.Message, Fixes: f.Fixes, Ran: f.Ran}
	for _, x := range f.Related {
		d.Related = append(d.Related, jsonRelated{x.At.start(), x.At.end(), x.Message})
	}
	return d
}

// PrintKnown says what has become of the baseline, on standard error.
func (r *Report) PrintKnown(w io.Writer, name string) {
	if r.Written {
		fmt.Fprintf(w, "rehearse: %s has %s now\n", name, words.Plural(len(r.Findings), "finding"))
	}
	if r.Known > 0 {
		fmt.Fprintf(w, "rehearse: %s left out, in %s\n", words.Plural(r.Known, "finding"), name)
	}
	if len(r.Stale) > 0 {
		var lines strings.Builder
		for _, e := range r.Stale {
			fmt.Fprintf(&lines, "\t%s\n", e)
		}
		fmt.Fprintf(w, "rehearse: %s of %s not found any more; -write-baseline takes them out:\n%s",
			words.Plural(len(r.Stale), "finding"), name, lines.String())
	}
}
