package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
)

// Print prints "file:line:col: message" per diagnostic. Files below the directory of the Load are relative to it.
func (r *Report) Print(w io.Writer) error {
	for _, d := range r.Diagnostics {
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.load.Position(d.Pos), d.Message); err != nil {
			return err
		}
	}
	return nil
}

// The JSON of go vet -json: an object of packages, each an object of analyzers, each a list of diagnostics.
type (
	jsonTree       map[string]map[string][]jsonDiagnostic
	jsonDiagnostic struct {
		Category string        `json:"category,omitempty"`
		Posn     string        `json:"posn"`
		End      string        `json:"end"`
		Message  string        `json:"message"`
		Related  []jsonRelated `json:"related,omitempty"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
)

// PrintJSON prints what go vet -json would print, in one object for all packages.
func (r *Report) PrintJSON(w io.Writer) error {
	tree := jsonTree{}
	for _, d := range r.Diagnostics {
		if tree[d.Package] == nil {
			tree[d.Package] = map[string][]jsonDiagnostic{}
		}
		unit := tree[d.Package]
		unit[d.Analyzer] = append(unit[d.Analyzer], r.json(d))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(tree)
}

func (r *Report) json(d Diagnostic) jsonDiagnostic {
	at := func(pos token.Pos) string { return r.load.Fset.Position(pos).String() }
	out := jsonDiagnostic{Category: d.Category, Posn: at(d.Pos), End: at(cmp.Or(d.End, d.Pos)), Message: d.Message}
	for _, x := range d.Related {
		out.Related = append(out.Related, jsonRelated{at(x.Pos), at(cmp.Or(x.End, x.Pos)), x.Message})
	}
	return out
}
