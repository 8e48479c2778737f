package report

import (
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

// AddKnown adds findings that are not in a list.
func AddKnown(list []Known, more ...Known) []Known {
	for _, k := range more {
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}
