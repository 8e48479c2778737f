// Package baseline reads and writes files of known findings, which a run sets aside.
//
// Vocabulary: an entry is what a finding is known by; vet and test have entries of their own.
package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// file is the format: one object, with a version for the day when it changes.
type file[E any] struct {
	Version  int `json:"version"`
	Findings []E `json:"findings"`
}

const version = 1

// Read reads the entries of the file that -baseline names. Its errors say what to type.
func Read[E any](name string) ([]E, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("-baseline %s: there is no such file; -write-baseline makes it",
			name)
	}
	if err != nil {
		return nil, fmt.Errorf("-baseline: %w", err)
	}
	var f file[E]
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("-baseline %s: not a baseline: %w; -write-baseline makes one", name,
			err)
	}
	if f.Version != version {
		return nil, fmt.Errorf("-baseline %s: version %d, want %d; -write-baseline makes it anew",
			name, f.Version, version)
	}
	return f.Findings, nil
}

// Write writes a file of entries.
func Write[E any](name string, list []E) error {
	if list == nil {
		list = []E{}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // messages have arrows
	e.SetIndent("", "\t")
	if err := e.Encode(file[E]{version, list}); err != nil {
		return err
	}
	return os.WriteFile(name, text.Bytes(), 0o666)
}
