package vet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprint names a finding by properties that do not change when lines move.
type Fingerprint struct {
	Check   string `json:"check"`
	Package string `json:"package"`
	// "F", "T.M" or "(*T).M"; empty outside of functions
	Function string `json:"function,omitempty"`
	Line     string `json:"line"` // tokens of the line, with one blank between them
	// among those that agree in the rest, in the order of positions, from 1
	Nth int `json:"nth"`
}

// Fingerprint is f's. It is known once all findings of a run are.
func (f *Finding) Fingerprint() Fingerprint {
	return Fingerprint{f.Check, f.Package, f.function, f.text, f.nth}
}

// hash is the fingerprint in a form for files that want short texts.
func (f Fingerprint) hash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %d", f.Check, f.Package, f.Function, f.Line,
		f.Nth))
	return hex.EncodeToString(sum[:16])
}

// number looks at the source of all findings, which are sorted, and tells equal ones apart.
func (r *Report) number() {
	seen := map[Fingerprint]int{}
	for _, f := range r.Findings {
		src := r.sources.of(f.At.File)
		f.function, f.text, f.nth = src.function(f.At.Line), src.tokens(f.At.Line), 0
		key := f.Fingerprint()
		seen[key]++
		f.nth = seen[key]
	}
}
