package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
)

// Known is a finding as a baseline has it. It is the same finding wherever its lines have moved.
type Known struct {
	Package string `json:"package"`
	Test    string `json:"test"`
	Kind    string `json:"kind"`
	What    string `json:"what"`
}

// String names the finding for people.
func (k Known) String() string { return k.Test + " in " + k.Package + ": " + k.Kind + " " + k.What }

// moving is what an edit elsewhere changes in a message: lines, and numbers of functions and
// goroutines.
var moving = regexp.MustCompile(`(\.go:|@|#)[0-9]+(:[0-9]+)?`)

// KnownAs is a finding as a baseline has it.
func KnownAs(pkg, test, kind, message string) Known {
	return Known{pkg, test, kind, moving.ReplaceAllString(message, "$1")}
}

// baselineFile is the format: one object, with a version for the day when it changes.
type baselineFile struct {
	Version  int     `json:"version"`
	Findings []Known `json:"findings"`
}

const baselineVersion = 1

// ReadBaseline reads a file of known findings.
func ReadBaseline(name string) ([]Known, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("-baseline %s: there is no such file; -write-baseline makes it",
			name)
	}
	if err != nil {
		return nil, fmt.Errorf("-baseline: %w", err)
	}
	var file baselineFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("-baseline %s: not a baseline: %w; -write-baseline makes one", name,
			err)
	}
	if file.Version != baselineVersion {
		return nil, fmt.Errorf("-baseline %s: version %d, want %d; -write-baseline makes it anew",
			name,
			file.Version, baselineVersion)
	}
	return file.Findings, nil
}

// WriteBaseline writes a file of known findings.
func WriteBaseline(name string, list []Known) error {
	if list == nil {
		list = []Known{}
	}
	text, err := json.MarshalIndent(baselineFile{baselineVersion, list}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}

// AddKnown adds findings that are not in a list.
func AddKnown(list []Known, more ...Known) []Known {
	for _, k := range more {
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}
