package options

import (
	"slices"
	"strings"
)

// Whole says why processes do not divide a search with the options; empty: they do, or may.
// Only the plain relation is divided: of no refinement a test says that pieces leave out the same.
func (o *Orders) Whole() string {
	switch {
	case o.Alone() != "":
		return o.Alone()
	case !slices.Contains([]string{"auto", "optimal", "dpor"}, o.Strategy):
		return "-strategy " + o.Strategy
	case o.Strategy == "dpor" && (!o.Sleep || o.Order != "" || o.Tasks != "all"):
		return "-strategy dpor without -sleep, or with -order or -tasks"
	case o.AboutActors():
		return "facts about actors"
	case !slices.Contains([]string{"none", "auto", "symmetry"}, o.Independence):
		return "-independence " + o.Independence
	case o.WhySymmetry() || o.WhySections():
		return "-why " + o.Why
	}
	return ""
}

// Alone says why processes do not divide a search with the options, whatever its strategy; empty:
// some strategy allows it.
func (o *Orders) Alone() string {
	switch {
	case o.Isolate:
		return "-isolate"
	case o.Race:
		return "-race"
	case o.Audit > 0:
		return "-audit"
	case o.Clock == "explore":
		return "-clock explore"
	}
	return ""
}

// IsPlain reports whether nothing but the plain relation is at work from the beginning.
func (o *Orders) IsPlain() bool {
	return o.Independence != "auto" || o.Strategy != "auto" || o.Model != "go"
}

// Line is the command, given by its first words, that has the flags of o that users give.
func (o *Options) Line(words []string, arguments ...string) string {
	for _, word := range append(o.Told(), arguments...) {
		word = strings.TrimSuffix(word, "=true")
		if strings.ContainsAny(word, " $^*?()|&;<>'\"\\[]{}!~#") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
